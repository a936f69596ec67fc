package stage

import (
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

// halfReadLate is halfRead where a lease lasts for no longer than two RetryPeriods: in the first attempt of its poll each leader reads its
// own record so late that it counts until the third one, which overwrites what the second one has half read.
func halfReadLate(_ require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	calm := *e
	calm.MaxDriftPPM = 0
	s := newStage(c, &calm)
	if losesFirst(c, e) {
		return s.halfReadLost(rounds)
	}
	s.halfCreated(&bound.Plan{Kind: bound.HalfCreated})
	until := *s.s.Faults[0].Until
	s.s.Faults = s.s.Faults[:1] // all but what cuts a off
	trip, margin := 2*s.leg, 20*s.leg
	a, b := &actor{stage: s, id: "a"}, &actor{stage: s, id: "b"}
	a.pass(until - s.near - 6*s.leg + 4*trip) // it leads
	b.pass(a.now)
	late := max(3*trip, 2*c.RetryPeriod-c.Lease()+margin) // is what it reads
	heard := min(a.longest(), a.direct(), late-2*trip)    // an answer on its way then
	each := max(trip, (late-heard)/2+1)
	for sent, lag := 0, 2*each+margin; sent < 2; sent++ { // b hears later that it leads
		before := b.now
		b.request(0, answered, trip+min(lag, b.longest()-trip))
		lag -= b.now - before - trip
	}
	a.pass(trip)
	a.request(machine.Get, refused, 0)
	a.pass(c.RetryPeriod - 2*trip + 3*trip)
	a.wait(c.RetryPeriod)
	for range 2 * rounds {
		begins := b.now
		b.request(machine.Update, refused, each)
		b.request(machine.Get, answered, each)
		b.request(machine.Get, answered, heard)
		b.request(machine.Update, refused, 0)
		b.pass(max(0, begins+c.RetryPeriod-b.now) + 2*trip)
		b.request(machine.Get, refused, 0)
		b.pass(begins + 2*c.RetryPeriod - b.now + 3*trip)
		b.wait(c.RetryPeriod)
		a, b = b, a
	}
	s.s.Horizon = min(a.now, b.now)
	return s
}

// losesFirst is whether a lost answer alone makes a leader read its own record so late.
func losesFirst(c *bound.Config, e *bound.Environment) bool {
	late, f := 2*c.RetryPeriod-c.Lease(), c.RequestTimeout
	return f > bound.True(e.MaxRoundTrip, e.MaxDriftPPM) && late > 0 && late < f && f < c.RetryPeriod && c.RenewDeadline > c.Lease()
}

// halfReadLost is halfReadLate by lost answers: a loses one in each poll, and overwrites what it has half read. That is what b has written
// just before, by a lease that has run out in its poll: the poll began as a had taken the lock.
func (s *stage) halfReadLost(rounds int) *stage {
	s.shorten(100 * time.Nanosecond)
	period, trip := s.cfg.RetryPeriod, 2*s.leg
	a := &actor{stage: s, id: "a"}
	s.candidate("a", 0, 0, scenarios.Clock{})
	a.acquire()
	a.pass((s.gets() - 1 + s.updates()) * trip)
	b := s.observe("b", a.now, a.now+2*period-(s.gets()+2*s.updates()-1)*trip)
	b.pass((s.gets() + 2*s.updates()) * trip)
	b.wait(period)
	a.wait(period)
	for range rounds {
		begins := a.now
		a.request(machine.Update, lost, 0)
		a.pass(s.gets() * trip)
		a.request(machine.Update, refused, 0)
		a.pass(begins + period - a.now + 2*trip)
		a.request(machine.Get, refused, 0)
		a.pass(begins + 2*period - a.now + s.updates()*trip)
		a.wait(period)
		b.wait(2 * period)
		// Else its turn would last longer than that of a, by what its Get takes.
		takes := s.updates() * trip
		sooner := always(takes / (s.gets() + s.updates()) / 2)
		s.fault(scenarios.Fault{Kind: plan.FaultDelay, Request: &sooner, Response: &sooner}, b.id, b.now, b.now+takes)
		b.pass(takes)
		b.wait(period)
	}
	s.s.Horizon = min(a.now, b.now)
	return s
}

// longPeriods is a lease, in whole seconds, of two RetryPeriods or less, and a deadline that may be longer.
var longPeriods = rapid.Custom(func(t *rapid.T) attacked {
	lease := time.Duration(rapid.IntRange(1, 12).Draw(t, "lease")) * time.Second
	c := &bound.Config{Profile: machine.ClientGo, Lock: rapid.SampledFrom([]plan.Lock{plan.ConfigMapsLeases, plan.EndpointsLeases}).Draw(t, "lock")}
	c.LeaseDuration = lease + 999*time.Millisecond
	c.RetryPeriod = min(lease/2+time.Duration(rapid.IntRange(0, 490).Draw(t, "period"))*time.Millisecond, c.LeaseDuration*10/13)
	c.RenewDeadline = max(c.RetryPeriod*12/10+1, c.LeaseDuration-time.Duration(rapid.IntRange(1, 998).Draw(t, "deadline"))*time.Millisecond)
	e := &bound.Environment{MaxRoundTrip: time.Duration(rapid.IntRange(1, 500).Draw(t, "trip")) * time.Millisecond}
	c.RequestTimeout = rapid.SampledFrom([]time.Duration{0, 0, e.MaxRoundTrip * 2, e.MaxRoundTrip / 2, c.RetryPeriod / 4, c.LeaseDuration}).Draw(t, "timeout")
	e.MaxDriftPPM = rapid.SampledFrom([]int64{0, 0, 200}).Draw(t, "drift")
	return attacked{c, e}
})

// TestHalfReadLate: where the bound says that leaders take the lock back for ever by what the second attempt of a poll has half read, they do.
func TestHalfReadLate(t *testing.T) {
	shown, lost := 0, 0
	for seed := 1; seed <= few.Of(600); seed++ {
		a := longPeriods.Example(seed)
		if bound.Refused(a.c) != nil || 2*a.c.RetryPeriod < a.c.Lease() {
			continue
		}
		less, shorter := *a.e, *a.c // what a plan keeps from every edge
		less.MaxRoundTrip -= time.Millisecond
		shorter.RenewDeadline -= time.Millisecond
		near, err := bound.Of(&shorter, &less)
		require.NoError(t, err)
		if near.Plan.Endless != bound.HalfRead {
			continue
		}
		a.grows(t, halfReadLate, a.c.RetryPeriod)
		shown, lost = shown+1, lost+one(losesFirst(a.c, a.e))
	}
	t.Logf("%d shown, %d by lost answers", shown, lost)
	assert.Greater(t, shown, few.Of(50))
	assert.Greater(t, lost, few.Of(5))
}
