package gate

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// blanks is two leaders that take the lock from each other by blanks: a third candidate takes over from the one, is stopped, and
// releases the lock as the other one looks. All times of a turn are on the leader's clock, at its slowest.
type blanks struct {
	*stage
	// turn is from one attempt that takes the lock to the next of the same leader. It has so many renewals, of the second in which it
	// began; the poll that follows fails once, for so long, and then at all of so many ticks but the last.
	turn, fails     time.Duration
	renewals, ticks time.Duration
	thirds          int
}

// newBlanks is a turn without renewals, if that can be, or else of whole seconds.
func newBlanks(t require.TestingT, c *bound.Config, e *bound.Environment) *blanks {
	s := &blanks{stage: newStage(c, e)}
	lease := bound.True(c.Lease(), e.MaxDriftPPM) + s.margin()
	apart, latest := s.clock(2*lease), c.RenewDeadline-s.clock(s.margin())
	answer := s.clock(s.slowest().longest())
	s.ticks = latest / c.RetryPeriod
	s.fails = max(min(answer, latest-s.ticks*c.RetryPeriod), s.clock(3*s.leg))
	s.turn = s.clock(s.attempt()) + c.RetryPeriod + s.fails + s.ticks*c.RetryPeriod
	if s.turn >= apart {
		return s
	}
	for s.turn = (apart + time.Second - 1).Truncate(time.Second); s.turn < apart+2*time.Second; s.turn += time.Second {
		for s.renewals = 1; s.renewals*c.RetryPeriod < time.Second; s.renewals++ {
			for s.ticks = s.turn/c.RetryPeriod - s.renewals - 1; s.ticks > 0; s.ticks-- {
				s.fails = min(answer, latest-s.ticks*c.RetryPeriod)
				if s.fits() {
					return s
				}
			}
		}
	}
	require.Fail(t, "no turn fits", "%+v in %+v", *c, *e)
	return s
}

// fits is whether a turn can have so many renewals and ticks. It lets the last poll fail sooner if it has to.
func (s *blanks) fits() bool {
	n, least, most := s.renewals, s.clock(s.attempt()), s.longest()
	rest := s.turn - (s.ticks+n+1)*s.cfg.RetryPeriod - least // for the answers to renewals, and the first that fails
	s.fails = min(s.fails, rest-n*least)
	told := n*s.cfg.RetryPeriod + least + rest - s.fails // whose write comes before the other one's turn
	if told > s.turn/2+s.clock(min(s.slowest().longest(), s.slowest().direct()))-s.clock(s.margin()) {
		return false
	}
	return s.fails >= s.clock(3*s.leg) && rest-s.fails <= n*most &&
		n*s.cfg.RetryPeriod+least+max((n-1)*least, rest-s.fails-most) < time.Second-4*slack
}

// clock is how much a leader's clock, at its slowest, shows in a true time.
func (s *blanks) clock(d time.Duration) time.Duration { return bound.Local(d, -s.env.MaxDriftPPM) }

// slowest is a leader whose clock runs as slowly as it may.
func (s *blanks) slowest() *actor { return &actor{stage: s.stage, driftPPM: -s.env.MaxDriftPPM} }

// longest is how long a renewal takes at most.
func (s *blanks) longest() time.Duration {
	return min(s.clock((s.gets()+s.updates())*s.slowest().longest()), s.cfg.RenewDeadline-s.clock(slack)-5)
}

// attempt is how long an attempt takes at least.
func (s *blanks) attempt() time.Duration { return 2 * (s.gets() + s.updates()) * s.leg }

// margin is how much before the one looks the third takes over from the other, and some more.
func (s *blanks) margin() time.Duration { return 5 * s.attempt() }

// acquired has a candidate, which has the lock, renew at once. That begins a second, and its first turn.
func (s *blanks) acquired(a *actor) (written time.Duration) {
	s.s.Candidates[len(s.s.Candidates)-1].Clock.Offset = a.newSecond()
	return s.lead(a)
}

// lead is a turn of a leader whose attempt that writes first begins. It returns when that has ended; the leader is then at the
// beginning of its next turn.
func (s *blanks) lead(a *actor) (written time.Duration) {
	began, before := a.local, a.now
	a.pass(s.attempt())
	written = a.now
	rest := s.turn - s.fails - (s.renewals+1+s.ticks)*s.cfg.RetryPeriod - s.clock(written-before)
	for n := s.renewals - 1; n >= 0; n-- {
		a.wait(s.cfg.RetryPeriod)
		took := max(s.clock(s.attempt()), rest-n*s.longest())
		if n == 0 {
			took = rest
		}
		rest -= s.slow(a, took)
	}
	a.wait(s.cfg.RetryPeriod)
	s.fail(a, began+s.turn)
	return written
}

// slow is an attempt that succeeds and takes so long, most of it after its last write. It returns how long it has taken.
func (s *blanks) slow(a *actor, took time.Duration) time.Duration {
	began := a.local
	rest := bound.True(took, a.driftPPM)
	for n := s.gets() + s.updates(); n > 0; n-- {
		before := a.now
		a.request(0, answered, max(a.trip(), rest-(n-1)*a.longest()))
		rest -= a.now - before
	}
	return a.local - began
}

// fail is a poll of which no attempt succeeds before the one that begins at a tick, when the leader's clock shows so much.
func (s *blanks) fail(a *actor, begins time.Duration) {
	a.request(machine.Get, refused, bound.True(begins-s.ticks*s.cfg.RetryPeriod-a.local, a.driftPPM))
	from := a.now
	a.wait(begins - a.local)
	if s.ticks > 1 {
		s.fault(errorOn(machine.Get, false), a.id, from+2*s.near, a.now-2*s.near)
	}
}

// blank has a third candidate take the lock, which another one has written last, and release it just before an instant.
func (s *blanks) blank(t require.TestingT, written, before time.Duration) {
	id := fmt.Sprintf("c%d", s.thirds)
	s.thirds++
	c := s.observe(id, written, before-3*s.attempt())
	c.pass(2 * s.attempt()) // it renews at once
	s.s.Faults = append(s.s.Faults, scenarios.Fault{Kind: plan.FaultCancel, At: c.now + 1, On: []string{id}})
	require.Less(t, c.now+s.attempt()/2, before+s.leg, "%s comes too late", id)
}

// takingBlanks is so many rounds of turns.
func takingBlanks(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	s := newBlanks(t, c, e)
	a := &actor{stage: s.stage, id: "a", driftPPM: -e.MaxDriftPPM}
	s.candidate("a", 0, 0, scenarios.Clock{DriftPPM: a.driftPPM})
	a.acquire()
	a.pass((s.gets() - 1) * a.trip())
	written := s.acquired(a)
	b := s.observe("b", written, a.now/2)
	b.pass(s.attempt())
	b.setRate(-e.MaxDriftPPM)
	written = s.acquired(b)
	for range rounds {
		s.blank(t, written, a.now)
		written = s.lead(a)
		a, b = b, a
	}
	s.s.Horizon = a.now
	return s.stage
}

// blanked is a configuration of v0.24 in which a leader can take blanks for long.
var blanked = rapid.Custom(func(t *rapid.T) attacked {
	c := &bound.Config{Profile: machine.ClientGoV024, ReleaseOnCancel: true}
	c.Lock = rapid.SampledFrom([]plan.Lock{plan.Lease, plan.Lease, plan.ConfigMap, plan.ConfigMapsLeases}).Draw(t, "lock")
	e := &bound.Environment{MaxDriftPPM: rapid.SampledFrom([]int64{0, 0, 200, 100_000, 400_000}).Draw(t, "drift")}
	ms := func(low, high int, what string) time.Duration {
		return time.Duration(rapid.IntRange(low, high).Draw(t, what)) * time.Millisecond
	}
	c.LeaseDuration = rapid.SampledFrom([]time.Duration{0, 500 * time.Millisecond, ms(0, 1000, "part")}).Draw(t, "parts") +
		time.Duration(rapid.IntRange(1, 4).Draw(t, "lease"))*time.Second
	c.RenewDeadline = c.LeaseDuration * time.Duration(rapid.IntRange(50, 99).Draw(t, "deadline")) / 100
	c.RetryPeriod = min(ms(50, 1200, "retryPeriod"), c.RenewDeadline*10/13)
	e.MaxRoundTrip = c.RenewDeadline * time.Duration(rapid.IntRange(1, 60).Draw(t, "trip")) / 100
	c.RequestTimeout = rapid.SampledFrom([]time.Duration{
		c.LeaseDuration, c.RenewDeadline, c.RenewDeadline * 2 / 3, e.MaxRoundTrip * 3 / 2, e.MaxRoundTrip / 3,
	}).Draw(t, "timeout")
	return attacked{c, e}
})

// TestTakingBlanks: where the bound says that leaders of v0.24 take blanks for ever, they do.
func TestTakingBlanks(t *testing.T) {
	shown := map[bool]int{}
	for seed := 1; seed <= 600; seed++ {
		a := blanked.Example(seed)
		if bound.Refused(a.c) != nil {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if !r.Unbounded || tooNear(a.c, a.e) {
			continue
		}
		require.Equal(t, bound.TakingTurns, r.Plan.Endless)
		before := time.Duration(0)
		for _, rounds := range []int{4, 8, 16} {
			p := takingBlanks(t, a.c, a.e, rounds)
			w := watched(t, p.s)
			require.Empty(t, w.outside(p.s, a.e), "%+v in %+v", *a.c, *a.e)
			require.Greater(t, w.score(), before+time.Duration(rounds/4)*a.c.RenewDeadline, "%d rounds of %+v in %+v", rounds, *a.c, *a.e)
			before = w.score()
		}
		shown[a.c.RetryPeriod < time.Second]++
	}
	t.Logf("%d shown of RetryPeriods below a second, and %d others", shown[true], shown[false])
	assert.Greater(t, shown[true], 20)
	assert.Greater(t, shown[false], 5)
}

// TestFewBlanks: where turns by blanks are counted, those of an environment in which they go on for ever, pressed into this one, stay
// below the bound, and so does what an adversary makes of them.
func TestFewBlanks(t *testing.T) {
	var k climbs
	for seed := 1; k.tried < *crowdCases; seed++ {
		a := blanked.Example(seed)
		if bound.Refused(a.c) != nil {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if _, known := r.AtMost(); !known || r.Overlap <= 0 {
			continue
		}
		worse := *a.e
		worse.MaxRoundTrip += a.e.MaxRoundTrip*time.Duration(1+seed%8)/4 + 2*time.Millisecond
		if endless, err := bound.Of(a.c, &worse); err != nil || !endless.Unbounded || tooNear(a.c, &worse) {
			continue
		}
		m := mutator{rand.New(rand.NewPCG(uint64(seed), 5))}
		start := m.pressed(t, takingBlanks(t, a.c, &worse, 2+seed%5).s, a.c, a.e)
		start.crowd = len(start.people) + 2
		k.from(t, m, start, seed, a, r)
	}
	t.Logf("%d attacked, by %d scenarios: at most %.2f of the bound", k.tried, k.runs, k.share)
}

// tooNear is whether leaders would not take blanks for ever in an environment that is a little better, and longer leases: a plan
// keeps some of that from every edge.
func tooNear(c *bound.Config, e *bound.Environment) bool {
	less, longer := *e, *c
	less.MaxRoundTrip -= time.Millisecond
	longer.RenewDeadline -= time.Millisecond
	longer.LeaseDuration += 2 * time.Millisecond
	near, err := bound.Of(&longer, &less)
	return err != nil || !near.Unbounded
}
