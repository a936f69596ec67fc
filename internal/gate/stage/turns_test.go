package stage

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// slowTurns is two leaders each of whom reads the other's record as early in its poll as it can, and takes the lock back a lease
// later, at the end of it. Then it renews once more, and hears of that as late as it may.
func slowTurns(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	s := newStage(c, e)
	a, b := &actor{stage: s, id: "a"}, &actor{stage: s, id: "b"}
	s.candidate("a", 0, 0, scenarios.Clock{})
	a.acquire()
	a.pass((s.gets() - 1 + s.updates()) * a.trip())
	a.wait(c.RetryPeriod)
	first := a.now + a.leg + 2*(s.gets()-1)*a.trip()
	b = s.observe("b", first, 0)
	s.renewsLate(a, first+c.Lease())
	b.pass((s.gets() + 2*s.updates()) * b.trip())
	for range rounds {
		b.wait(c.RetryPeriod)
		s.takesBack(t, a, b)
		a, b = b, a
	}
	s.s.Horizon = b.now
	return s
}

// renewsLate is a renewal that is applied at once, and acknowledged as late as it may, but before another takes over.
func (s *stage) renewsLate(x *actor, taken time.Duration) {
	took := min(3*x.longest(), s.cfg.RenewDeadline-2*slack, taken-x.now-10*s.leg)
	x.attempt(took, x.longest(), false)
	x.wait(s.cfg.RetryPeriod)
}

// takesBack has a leader x, whose poll begins, take the lock back from y, which is about to renew.
func (s *stage) takesBack(t require.TestingT, x, y *actor) {
	polled, reads := x.now, max(x.now+3*s.leg, y.now+2*s.updates()*s.leg)
	late := reads - x.now
	x.request(machine.Update, refused, min(x.longest(), max(x.trip(), late-s.leg)))
	require.Less(t, reads-x.now, x.longest(), "%s reads too late", x.id)
	x.slowOut(reads - x.now)
	x.pass(reads + s.leg - x.now + (s.gets()-1)*x.trip())
	starts := x.now + s.cfg.Lease() + slack
	period := s.cfg.RetryPeriod
	tick := polled + (starts-polled+period-1)/period*period
	last := tick - 2*period // an attempt that outlasts a tick is followed by the next at once
	if last > x.now && starts-last < x.longest() {
		x.pass(last - x.now)
		x.request(machine.Get, answered, starts-last)
		x.pass((s.gets() - 1) * x.trip())
		starts = x.now
	} else {
		starts = tick
	}
	require.Less(t, starts-polled, s.cfg.RenewDeadline-5*s.leg, "%s takes the lock too late", x.id)
	s.renewsLate(y, starts)
	x.pass(starts + (s.gets()+s.updates())*x.trip() - x.now)
}

// tried remembers that a plan could not be made.
type tried struct{ failed bool }

func (t *tried) Errorf(string, ...any) { t.failed = true }
func (t *tried) FailNow()              { t.failed = true }

// slowOr is slowTurns or, where those cannot be, takingBack.
func slowOr(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	var try tried
	if p := slowTurns(&try, c, e, rounds); !try.failed {
		return p
	}
	return takingBack(t, c, e, rounds)
}

// TestSlowTurns: where the bound says that leaders take turns, though a lease lasts for a RetryPeriod, they do.
func TestSlowTurns(t *testing.T) {
	shown := 0
	for seed := 1; seed <= few.Of(600); seed++ {
		a := longDeadlines.Example(seed)
		if bound.Refused(a.c) != nil {
			continue
		}
		less, shorter := *a.e, *a.c // what a plan keeps from every edge
		less.MaxRoundTrip -= time.Millisecond
		shorter.RenewDeadline -= time.Millisecond
		if near, err := bound.Of(&shorter, &less); err != nil || !near.Unbounded {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if !r.Unbounded {
			continue
		}
		require.Equal(t, bound.TakingTurns, r.Plan.Endless)
		a.grows(t, slowOr, a.c.Lease())
		shown++
	}
	t.Logf("%d shown", shown)
	assert.Greater(t, shown, few.Of(20))
}

// grows checks that plans of 4, 8 and 16 rounds are within the environment, and that each shows longer overlaps than the one before: by a
// time for each four of its rounds.
func (a *attacked) grows(t *testing.T, plan func(require.TestingT, *bound.Config, *bound.Environment, int) *stage, by time.Duration) {
	before := time.Duration(0)
	for _, rounds := range []int{4, 8, 16} {
		p := plan(t, a.c, a.e, rounds)
		w := gatetest.Watched(t, p.s)
		require.Empty(t, w.Outside(p.s, a.e), "%+v in %+v", *a.c, *a.e)
		require.Greater(t, w.Score(), before+time.Duration(rounds/4)*by, "%d rounds of %+v in %+v", rounds, *a.c, *a.e)
		before = w.Score()
	}
}

// TestFewTurns: where turns are counted, turns of an environment in which they go on for ever, pressed into this one, stay below the
// bound, and so does what an adversary makes of them.
func TestFewTurns(t *testing.T) {
	var k climbs
	for seed := 1; k.tried < *crowdCases; seed++ {
		a := longDeadlines.Example(seed)
		if bound.Refused(a.c) != nil {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if _, known := r.AtMost(); !known || r.Overlap <= 0 {
			continue
		}
		worse := *a.e
		worse.MaxRoundTrip += a.e.MaxRoundTrip * time.Duration(1+seed%8) / 4
		if endless, err := bound.Of(a.c, &worse); err != nil || !endless.Unbounded {
			continue
		}
		m := mutator{rand.New(rand.NewPCG(uint64(seed), 4))}
		start := m.pressed(t, slowOr(t, a.c, &worse, 2+seed%5).s, a.c, a.e)
		k.from(t, m, start, seed, a, r)
	}
	t.Logf("%d attacked, by %d scenarios: at most %.2f of the bound", k.tried, k.runs, k.share)
}

// longDeadlines is a deadline longer than the lease in whole seconds, and answers that are late.
var longDeadlines = rapid.Custom(func(t *rapid.T) attacked {
	lease := time.Duration(rapid.IntRange(2, 30).Draw(t, "lease")) * time.Second
	c := &bound.Config{Profile: machine.ClientGo, Lock: rapid.SampledFrom([]plan.Lock{plan.Lease, plan.ConfigMap}).Draw(t, "lock")}
	c.LeaseDuration = lease + 999*time.Millisecond
	c.RenewDeadline = lease + time.Duration(rapid.IntRange(50, 990).Draw(t, "deadline"))*time.Millisecond
	c.RetryPeriod = rapid.SampledFrom([]time.Duration{20 * time.Millisecond, 500 * time.Millisecond, time.Second}).Draw(t, "least") +
		lease*time.Duration(rapid.IntRange(0, 40).Draw(t, "period"))/100
	return attacked{c, &bound.Environment{MaxRoundTrip: lease * time.Duration(rapid.IntRange(20, 80).Draw(t, "trip")) / 100}}
})
