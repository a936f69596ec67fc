package stage

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
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// steadyBacks has no turns. No clock drifts.
func steadyBacks(c *bound.Config, e *bound.Environment) *backs {
	calm := *e
	calm.MaxDriftPPM = 0
	s := &backs{stage: newStage(c, &calm)}
	s.shorten(100 * time.Nanosecond)
	s.wrote = 2 * s.leg
	return s
}

// mixedBacks is two leaders that take leases back in their polls, by turns of different lengths, of which so many rounds are played.
func mixedBacks(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	s := steadyBacks(c, e)
	s.shorten(shortestLeg)
	shorter := *c
	shorter.RenewDeadline -= time.Millisecond
	place, ahead, apart, turns := bound.BackTurns(&shorter, s.env, rounds+3)
	require.NotEmpty(t, turns)
	a := &actor{stage: s.stage, id: "a"}
	s.candidate("a", 0, 0, scenarios.Clock{})
	a.acquire()
	began := a.now
	clock := (a.newSecond() + place) % time.Second
	s.s.Candidates[0].Clock.Offset = clock
	written := s.renews(a, turns, 1, s.after(turns[0])+s.after(turns[1]))
	b := s.observe("b", written, began+apart+s.after(turns[0])-2*a.trip())
	b.pass(began + apart + s.after(turns[0]) - b.now)
	s.s.Candidates[1].Clock.Offset = (clock + ahead) % time.Second
	lag := func(a *actor) time.Duration { return (a.now - began) % c.RetryPeriod }
	written = s.renews(b, turns[1:], 1, lag(a)+s.after(turns[2])-lag(b))
	for i := range rounds {
		s.readsBack(t, a, turns[i], written)
		written = s.renews(a, turns[i+2:], 2, lag(b)+s.after(turns[i+3])-lag(a))
		a, b = b, a
	}
	s.s.Horizon = min(a.now, b.now)
	return s.stage
}

// after is how much later than the attempt that takes the lock, at least, the other leader's ticks must come in a turn: it reads what is
// written at a tick.
func (s *backs) after(turn bound.BackTurn) time.Duration { return time.Duration(2*turn.Late+5) * s.leg }

// renews is the first of these turns of a leader, whose attempt that takes the lock begins, by so many requests. All requests together
// take no less than given. It returns when the record looks new for the last time.
func (s *backs) renews(a *actor, turns []bound.BackTurn, requests, least time.Duration) (written time.Duration) {
	n := turns[0].Renewals
	s.late = turns[0].Late
	s.took = slices.Repeat([]time.Duration{2 * s.leg}, n)
	if more := least - (requests+time.Duration(n))*2*s.leg; more > 0 {
		s.took[n-1] += more
	}
	return s.lead(a, requests)
}

// readsBack is the poll after a turn, up to the attempt that takes the lock back from another, whose record has looked new at an instant
// for the last time.
func (s *backs) readsBack(t require.TestingT, a *actor, turn bound.BackTurn, written time.Duration) {
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
	require.Less(t, written, a.now+a.leg, "%s reads too soon", a.id)
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
		_, _, _, turns := bound.BackTurns(&shorter, a.e, 1)
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

// TestMixedBacksOnly: so they do in configurations of which no other plan is known, for many turns. In the second one both leaders' turns differ,
// so that answers must make up for what the turns of one take longer.
func TestMixedBacksOnly(t *testing.T) {
	for _, test := range []struct{ lease, deadline, period, trip time.Duration }{
		{1855338073, 1855338071, 212781725, 0},
		{1535992693, 1535992691, 146094376, 1945},
	} {
		c := &bound.Config{Profile: machine.ClientGo, Lock: plan.ConfigMap}
		c.LeaseDuration, c.RenewDeadline, c.RetryPeriod = test.lease, test.deadline, test.period
		a := attacked{c, &bound.Environment{MaxRoundTrip: test.trip}}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		require.True(t, r.Unbounded)
		a.grows(t, mixedBacks, a.c.Lease())
		long := mixedBacks(t, a.c, a.e, 400).s
		w := gatetest.Watched(t, long)
		require.Empty(t, w.Outside(long, a.e))
		assert.Greater(t, w.Score(), 400*a.c.Lease())
	}
}

// backsByGets is two leaders that take leases back in their polls, whose Gets take a RetryPeriod, of which so many rounds are played.
func backsByGets(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	s := steadyBacks(c, e)
	waits := s.fillByGets(t)
	a := &actor{stage: s.stage, id: "a"}
	s.candidate("a", 0, 0, scenarios.Clock{})
	a.acquire()
	s.acquired(a)
	b := s.observe("b", 5*s.leg, 5*s.leg+waits*c.RetryPeriod)
	b.pass(2 * b.trip())
	written := s.acquired(b)
	for range rounds {
		a.request(machine.Update, refused, min(a.longest()-4*a.leg, written-a.now-2*a.leg))
		out := written + 2*a.leg - a.now
		a.slowOut(out)
		a.pass(out + a.leg)
		for range waits {
			a.request(machine.Get, answered, c.RetryPeriod)
		}
		written = s.lead(a, 2)
		a, b = b, a
	}
	s.s.Horizon = min(a.now, b.now)
	return s.stage
}

// fillByGets finds the renewals of a turn, and returns in how many Gets a lease runs out.
func (s *backs) fillByGets(t require.TestingT) (waits time.Duration) {
	period, trip, margin := s.cfg.RetryPeriod, 2*s.leg, 100*time.Microsecond
	waits = (s.cfg.Lease() + period - 1) / period
	last := min(3*(s.fastest().longest()-2*trip), s.cfg.RenewDeadline-margin)
	reads := min(2*(s.fastest().longest()-10*trip), s.cfg.RenewDeadline-margin-waits*period)
	for n := time.Duration(1); n*period < time.Second; n++ {
		between := min((n-1)*last, time.Second-margin-n*period)
		rest := max(n*trip, waits*period-(n+1)*period-reads)
		if 2*waits*period%time.Second > 0 || rest > last+between || waits*period-(n+1)*period-rest < period+margin/2 {
			continue
		}
		s.took = slices.Repeat([]time.Duration{trip}, int(n))
		rest -= n * trip
		for i := n - 1; i >= 0; i-- {
			more := min(rest, last-trip)
			s.took[i] += more
			rest -= more
		}
		return waits
	}
	t.Errorf("no turn fits")
	t.FailNow()
	return 0
}

// slowPeriods is a lease of whole seconds, a deadline that is longer by less than a second, and answers of a RetryPeriod and more.
var slowPeriods = rapid.Custom(func(t *rapid.T) attacked {
	ms := millis(t)
	lease := time.Duration(rapid.IntRange(1, 6).Draw(t, "lease")) * time.Second
	c := &bound.Config{Profile: machine.ClientGo, Lock: rapid.SampledFrom([]plan.Lock{plan.Lease, plan.ConfigMap}).Draw(t, "lock")}
	c.LeaseDuration, c.RenewDeadline = lease+999*time.Millisecond, lease+ms(10, 990, "deadline")
	c.RetryPeriod = time.Second / time.Duration(rapid.IntRange(2, 10).Draw(t, "periods"))
	return attacked{c, &bound.Environment{MaxRoundTrip: c.RetryPeriod * time.Duration(rapid.IntRange(4, 6).Draw(t, "trip")) / 4}}
})

// TestBacksByGets: where Gets of a RetryPeriod let leaders take leases back for ever, the bound says so.
func TestBacksByGets(t *testing.T) {
	shown := 0
	for seed := 1; seed <= few.Of(400); seed++ {
		a := slowPeriods.Example(seed)
		var try tried
		if backsByGets(&try, a.c, a.e, 0); try.failed {
			continue
		}
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		require.True(t, r.Unbounded, "%+v in %+v", *a.c, *a.e)
		a.grows(t, backsByGets, a.c.Lease())
		shown++
	}
	t.Logf("%d shown", shown)
	assert.Greater(t, shown, few.Of(20))
}

// TestBacksByGetsOnly: so they do in a configuration of which no other plan is known, for many turns.
func TestBacksByGetsOnly(t *testing.T) {
	c := &bound.Config{Profile: machine.ClientGo, Lock: plan.ConfigMap, RequestTimeout: 2240020002}
	c.LeaseDuration, c.RenewDeadline, c.RetryPeriod = 2240020002, 2240000001, 200*time.Millisecond
	a := attacked{c, &bound.Environment{MaxRoundTrip: 200 * time.Millisecond}}
	r, err := bound.Of(a.c, a.e)
	require.NoError(t, err)
	require.True(t, r.Unbounded)
	a.grows(t, backsByGets, a.c.Lease())
	w := gatetest.Watched(t, backsByGets(t, a.c, a.e, 200).s)
	assert.Greater(t, w.Score(), 190*a.c.Lease())
}
