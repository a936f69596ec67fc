package adversary

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/plan"
)

// drawNext draws a case of client-go-next that releases the lock. Of three, two claim something: where leaders gather there is nothing that
// could be refuted. Of those that are safe many are only just so.
func drawNext(seed uint64) *Case {
	for n := uint64(0); ; n++ {
		d := newDraw(seed, 200+n)
		c := Kind{}.Draw(seed + 1000*n)
		c.Config.Profile, c.Config.ReleaseOnCancel = machine.ClientGoNext, true
		c.Config.Lock = pick(d, plan.Lease, plan.Lease, plan.ConfigMap, plan.Endpoints)
		c.Config.Now, c.Config.Precision, c.Env.MaxClockOffset = "", 0, 0
		c.Env.HiddenConflicts = d.chance(0.05)
		if bound.Refused(&c.Config) != nil {
			continue
		}
		if r, err := bound.Of(&c.Config, &c.Env); err == nil && r.Safe() && d.chance(0.7) {
			c.Env.Drain += -r.Overlap - min(-r.Overlap, pick(d, 0, 1, d.upTo(time.Millisecond)))
		}
		claim, err := Shipped(c)
		if err == nil && (!claim.None || seed%3 == 0) {
			return c
		}
	}
}

// TestNext attacks the bound of client-go-next with a release.
func TestNext(t *testing.T) {
	r, safe := report{byKind: map[string]*nearness{}}, 0
	for i := range *configs {
		seed := *first + uint64(i)
		c := drawNext(seed)
		if b, err := bound.Of(&c.Config, &c.Env); err == nil && b.Safe() {
			safe++
		}
		r.attackCase(t, c, seed)
	}
	r.print()
	fmt.Printf("%d refuted; %d of %d safe\n", r.refuted, safe, *configs)
}

// withoutRelease is the bound of what does not release the lock.
func withoutRelease(c *bound.Config, e *bound.Environment) time.Duration {
	kept := *c
	kept.ReleaseOnCancel = false
	return with(func(*bound.Environment) {})(&kept, e)
}

// asToday is the bound of what releases the lock without waiting for the work.
func asToday(c *bound.Config, e *bound.Environment) time.Duration {
	today := *c
	today.Profile = machine.ClientGo
	return with(func(*bound.Environment) {})(&today, e)
}

// nextPlants are errors in that bound.
var nextPlants = []planted{
	{
		"a release after the work wipes nobody", withoutRelease,
		nextly(15, 10, 2, 100*time.Millisecond, bound.Environment{Drain: 2400 * time.Millisecond}), 8000,
	},
	{
		"nor after a freeze", withoutRelease,
		nextly(15, 10, 2, 100*time.Millisecond, bound.Environment{MaxPause: 3 * time.Second}), 8000,
	},
	{
		"a conflict of its release tells the truth", with(func(e *bound.Environment) { e.HiddenConflicts = false }),
		nextly(60, 15, 5, 100*time.Millisecond, bound.Environment{HiddenConflicts: true}), 8000,
	},
	{
		"it is as that of client-go", asToday,
		nextly(5, 2, 1, 2*time.Millisecond, bound.Environment{Drain: 5150 * time.Millisecond}), 8000,
	},
}

// nextly is a case of client-go-next that releases the lock, with timings in seconds.
func nextly(lease, deadline, period float64, trip time.Duration, e bound.Environment) Case {
	c := plain(timings(lease, deadline, period), 0, trip).releasing().on(machine.ClientGoNext, plan.Lease)
	e.MaxRoundTrip = trip
	c.Env = e
	return c
}

// TestNextPlanted: the adversary refutes each error in the bound of client-go-next, and not the bound itself.
func TestNextPlanted(t *testing.T) {
	for _, p := range nextPlants[:few.Of(len(nextPlants))] {
		t.Run(p.name, func(t *testing.T) {
			f, wrong := p.refute(t)
			claim, err := Shipped(&p.c)
			require.NoError(t, err)
			assert.True(t, claim.None || f.score <= claim.most(f.g), "shown %v, claimed %v", f.score, claim.Most)
			t.Logf("%v: planted %v, shown %v, claimed %v (none %v)", &p.c, wrong, f.score, claim.Most, claim.None)
		})
	}
}
