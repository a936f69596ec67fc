package gate

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/plan"
	"interregnum/scenarios"
)

// mixedBacks is two leaders that take leases back in their polls, by turns of different lengths, of which so many rounds are played. No
// answer is late.
func mixedBacks(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	calm := *e
	calm.MaxDriftPPM = 0
	shorter := *c
	shorter.RenewDeadline -= time.Millisecond
	phase, apart, turns := bound.BackTurns(&shorter, &calm, rounds/2+2)
	require.NotEmpty(t, turns)
	s := &backs{stage: newStage(c, &calm)}
	s.leg = max(shortestLeg, min(s.leg, 100*time.Nanosecond))
	s.near = s.leg / 2
	s.s.Network = scenarios.Network{Request: always(s.leg), Response: always(s.leg)}
	s.wrote = 2 * s.leg
	late := 0
	for _, turn := range turns {
		late = max(late, turn.Late)
	}
	a := &actor{stage: s.stage, id: "a"}
	s.candidate("a", 0, 0, scenarios.Clock{})
	a.acquire()
	began := a.now
	written := s.begun(a, turns[0], phase)
	began += apart + time.Duration(2*late+3)*s.leg // when it reads the record, that has been written
	b := s.observe("b", written, began-2*a.trip())
	b.pass(began - b.now)
	s.begun(b, turns[0], phase)
	for i := range rounds {
		s.readsBack(t, a, turns[i/2])
		s.renews(a, turns[1+i/2], 2)
		a, b = b, a
	}
	s.s.Horizon = min(a.now, b.now)
	return s.stage
}

// begun has a candidate that has just taken the lock renew at once, and begin its first turn so far into a second.
func (s *backs) begun(a *actor, turn bound.BackTurn, phase time.Duration) (written time.Duration) {
	s.s.Candidates[len(s.s.Candidates)-1].Clock.Offset = (a.newSecond() + phase) % time.Second
	return s.renews(a, turn, 1)
}

// renews is a turn of a leader whose attempt that takes the lock begins, by so many requests. It returns when the record looks new for the
// last time.
func (s *backs) renews(a *actor, turn bound.BackTurn, requests time.Duration) (written time.Duration) {
	s.late = turn.Late
	s.took = slices.Repeat([]time.Duration{2 * s.leg}, turn.Renewals)
	return s.lead(a, requests)
}

// readsBack is the poll after a turn, up to the attempt that takes the lock back from another.
func (s *backs) readsBack(t require.TestingT, a *actor, turn bound.BackTurn) {
	polled := a.local
	s.ticks = time.Duration(turn.Ticks)
	skipped := s.ticks - time.Duration(turn.Waits)
	if skipped > 0 {
		from := a.now
		a.wait(skipped * s.cfg.RetryPeriod)
		s.fault(errorOn(0, false), a.id, from, a.now-3*s.near)
	}
	if skipped == 0 || !s.lock().Forgets() {
		a.pass(a.trip()) // it tries to renew first
	}
	a.pass(a.trip())
	a.observed = a.local
	s.takes(t, a, polled)
}

// mixedPeriods is a lease of one second to three, several RetryPeriods, and a deadline that is up to a second longer. Answers take little time.
var mixedPeriods = rapid.Custom(func(t *rapid.T) attacked {
	ms := millis(t)
	lease := time.Duration(rapid.IntRange(1, 3).Draw(t, "lease")) * time.Second
	c := &bound.Config{Profile: machine.ClientGo, Lock: rapid.SampledFrom([]plan.Lock{plan.Lease, plan.Endpoints}).Draw(t, "lock")}
	c.LeaseDuration = lease + 999*time.Millisecond
	c.RenewDeadline = lease + ms(300, 990, "deadline")
	c.RetryPeriod = ms(150, 450, "period") + time.Duration(rapid.IntRange(0, 999).Draw(t, "more"))*time.Microsecond
	return attacked{c, &bound.Environment{MaxRoundTrip: time.Duration(rapid.IntRange(0, 100).Draw(t, "trip")) * time.Microsecond}}
})

// TestMixedBacks: where turns of different lengths go on for ever by their places in a second, they do.
func TestMixedBacks(t *testing.T) {
	shown := 0
	for seed := 1; seed <= few.Of(2000); seed++ {
		a := mixedPeriods.Example(seed)
		shorter := *a.c // what a plan keeps from every edge
		shorter.RenewDeadline -= time.Millisecond
		_, _, turns := bound.BackTurns(&shorter, a.e, 1)
		if bound.Refused(a.c) != nil || len(turns) == 0 || time.Duration(turns[0].Waits)*a.c.RetryPeriod < a.c.Lease()+time.Millisecond {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		require.Equal(t, bound.TakingTurns, r.Plan.Endless, "%+v in %+v", *a.c, *a.e)
		a.grows(t, mixedBacks, a.c.Lease())
		shown++
	}
	t.Logf("%d shown", shown)
	assert.Greater(t, shown, few.Of(20))
}

// TestMixedBacksOnly: so they do in a configuration of which no other plan is known, for many turns.
func TestMixedBacksOnly(t *testing.T) {
	c := &bound.Config{Profile: machine.ClientGo, Lock: plan.ConfigMap}
	c.LeaseDuration, c.RenewDeadline, c.RetryPeriod = 1855338073, 1855338071, 212781725
	a := attacked{c, &bound.Environment{}}
	r, err := bound.Of(a.c, a.e)
	require.NoError(t, err)
	require.True(t, r.Unbounded)
	a.grows(t, mixedBacks, a.c.Lease())
	w := watched(t, mixedBacks(t, a.c, a.e, 400).s)
	assert.Greater(t, w.score(), 400*a.c.Lease())
}
