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

// between is for how long, in a plan whose leaders write the second object late, another attempt waits between reading both objects and
// writing the second one; the least there is in other plans.
func (s *blanks) between() time.Duration {
	if turn := &s.turns[0]; turn.Splits || turn.Crosses {
		return 40 * s.leg
	}
	return 2 * s.leg
}

// takesOver is the attempt in which a candidate finds that the lease of the first leader is over.
func (s *blanks) takesOver(b *actor) {
	b.pass(s.gets() * b.trip())
	b.request(machine.Update, answered, s.between())
	b.pass(s.attempt() - (s.gets()+1)*b.trip())
}

// crossed is a first renewal: the other leader's second write comes between its reading and its writing of the second object.
func (s *blanks) crossed(a *actor, turn *bound.BlankTurn, took time.Duration) (applied time.Duration) {
	end, gets := a.now+bound.True(took, a.driftPPM), bound.True(turn.Gets, a.driftPPM)
	first := max(a.trip(), min(a.longest(), gets-a.trip()))
	a.request(machine.Get, answered, first)
	a.request(machine.Get, answered, gets-first)
	a.request(machine.Update, answered, s.between())
	a.pass(a.trip())
	return a.request(machine.Update, answered, end-a.now)
}

// late is a last success that writes the second object late: as late as turn says, where next is when the other leader takes the lock. It
// returns when the first object is written.
func (s *blanks) late(a *actor, turn *bound.BlankTurn, took, written, next time.Duration) (applied time.Duration) {
	end, deadline := a.now+bound.True(took, a.driftPPM), a.now+bound.True(s.cfg.RenewDeadline, a.driftPPM)
	a.pass(s.gets() * a.trip())
	applied = a.now + s.leg
	switch {
	case next > 0:
	case turn.Crosses: // it takes over from the first leader
		next = written + bound.True(turn.Apart, a.driftPPM) + s.attempt() + s.between()
	default:
		next = applied + bound.True(turn.Apart, a.driftPPM) + 3*s.attempt() + s.rounded + s.between()
	}
	second := next - 3*s.attempt() - s.rounded - s.between() + s.gets()*a.trip()
	if turn.Crosses {
		second = next + s.attempt() + bound.True(s.cfg.RetryPeriod, a.driftPPM) + max(bound.True(turn.Gets, a.driftPPM), 2*a.trip())
	}
	second += s.between() / 2
	sent := second - s.leg
	if turn.Wakes {
		a.request(machine.Update, answered, a.direct())
		s.wakes(a, deadline, second, end)
		return applied
	}
	a.request(machine.Update, answered, min(a.direct(), sent-a.trip()-a.now))
	reads := min(a.now+a.longest(), sent)
	a.slowOut(reads - s.leg - a.now)
	a.pass(reads - a.now)
	if wait := sent - a.now; wait > 0 && a.limited() {
		a.hold(wait + a.direct() - slack)
	} else if wait > 0 {
		out, back := always(wait+s.leg), always(max(s.leg, end-second))
		s.fault(scenarios.Fault{Kind: plan.FaultDelay, Request: &out}, a.id, a.now, a.now)
		s.fault(scenarios.Fault{Kind: plan.FaultDelay, Response: &back}, a.id, second, second)
		a.pass(max(second+s.leg, end) - a.now)
		return applied
	}
	a.request(machine.Update, answered, min(end-a.now, a.direct()-slack))
	return applied
}

// wakes is the end of a success that a leader is told of as it wakes: it reads the second object, and writes it with a request that leaves before
// the deadline of its poll, and arrives, and is answered, while the leader is frozen. Before that it is frozen for as long as reading leaves time.
func (s *blanks) wakes(a *actor, deadline, arrives, wakes time.Duration) {
	sent := min(deadline-slack, arrives-s.leg)
	writes := min(sent, max(a.now+s.leg*2, arrives+s.leg-a.answer()))
	reads := min(writes, a.now+a.longest())
	a.slowOut(reads - s.leg - a.now)
	a.pass(reads - a.now)
	if writes > reads {
		a.sleep(reads-slack/2, writes)
	}
	if wait := sent - a.now; wait > 0 && a.limited() {
		a.hold(wait + a.direct() - slack)
	}
	out := always(arrives - a.now)
	s.fault(scenarios.Fault{Kind: plan.FaultDelay, Request: &out}, a.id, a.now, a.now)
	a.sleep(max(a.now, sent)+slack/2, max(arrives+2*s.leg, wakes))
}

// sleep freezes a leader between two instants. As it wakes it handles an answer first.
func (a *actor) sleep(from, until time.Duration) {
	a.s.Faults = append(a.s.Faults, scenarios.Fault{Kind: plan.FaultPause, At: from, Until: &until, On: []string{a.id}, AnswersFirst: true})
	a.pass(until - a.now)
}

// lateSecond is a configuration of v0.24 on two objects, with requests that take long or wait.
var lateSecond = rapid.Custom(func(t *rapid.T) attacked {
	ms := millis(t)
	c := &bound.Config{Profile: machine.ClientGoV024, ReleaseOnCancel: true, Lock: plan.ConfigMapsLeases}
	e := &bound.Environment{MaxDriftPPM: rapid.SampledFrom([]int64{0, 0, 3000, 100_000, 500_000}).Draw(t, "drift")}
	if rapid.Bool().Draw(t, "frozen") {
		e.MaxPause = ms(1, 300, "pause")
	}
	c.LeaseDuration = ms(1000, 1400, "lease") * time.Duration(rapid.SampledFrom([]int{1, 4}).Draw(t, "times"))
	c.RenewDeadline = c.LeaseDuration * time.Duration(rapid.IntRange(20, 99).Draw(t, "deadline")) / 100
	c.RetryPeriod = c.RenewDeadline * time.Duration(rapid.IntRange(15, 76).Draw(t, "period")) / 100
	e.MaxRoundTrip = c.RenewDeadline * time.Duration(rapid.IntRange(20, 100).Draw(t, "trip")) / 100
	c.RequestTimeout = rapid.SampledFrom([]time.Duration{5 * time.Millisecond, c.RenewDeadline, c.RetryPeriod, e.MaxRoundTrip / 3}).Draw(t, "timeout")
	return attacked{c, e}
})

// TestWokenSecond: so they do where a leader is told of its second write after the deadline of its poll, since it is frozen over that and handles the
// answer first as it wakes. No deadline is as long as the lease.
func TestWokenSecond(t *testing.T) {
	const s, ms, us = time.Second, time.Millisecond, time.Microsecond
	for _, lock := range []plan.Lock{plan.ConfigMapsLeases, plan.EndpointsLeases} {
		for _, row := range []struct {
			lease, deadline, period, timeout, trip, pause time.Duration
			drift                                         int64
		}{
			{2_648_976_331, 2_648_976_329, 1_707_480_274, 2 * ms, 2 * s, 1100 * us, 0},
			{2 * s, 1_397_720_961, 1_163_850_800, 30 * ms, 616_978_336, 2 * s, 200},
		} {
			a := attacked{
				&bound.Config{
					Timings: machine.Timings{LeaseDuration: row.lease, RenewDeadline: row.deadline, RetryPeriod: row.period},
					Profile: machine.ClientGoV024, ReleaseOnCancel: true, RequestTimeout: row.timeout, Lock: lock,
				},
				&bound.Environment{MaxRoundTrip: row.trip, MaxPause: row.pause, MaxDriftPPM: row.drift},
			}
			r, err := bound.Of(a.c, a.e)
			require.NoError(t, err)
			require.True(t, r.Unbounded, "%+v in %+v", *a.c, *a.e)
			a.grows(t, nearBlanks, a.c.RenewDeadline)
		}
	}
}

// nearBlanks is takingBlanks for an environment without a millisecond to spare.
func nearBlanks(t require.TestingT, c *bound.Config, e *bound.Environment, rounds int) *stage {
	longer := *c
	longer.LeaseDuration += 50 * time.Microsecond
	longer.RenewDeadline -= 5 * time.Microsecond
	s := emptyBlanks(c, e)
	s.phase, s.turns = bound.BlankTurns(&longer, e, rounds/2+2)
	require.NotEmpty(t, s.turns)
	require.True(t, s.turns[0].Wakes)
	return s.play(t, rounds)
}

// TestLateSecond: where the bound says that leaders take blanks for ever because the second object is written late, they do. Where it says
// how many turns there are, it knows no such plan.
func TestLateSecond(t *testing.T) {
	splits, crosses, wakes := 0, 0, 0
	counted := blanksOfSort(t, lateSecond, func(turn *bound.BlankTurn) bool {
		splits, crosses, wakes = splits+one(turn.Splits), crosses+one(turn.Crosses), wakes+one(turn.Wakes)
		return turn.Splits || turn.Crosses
	})
	t.Logf("%d that split a success, %d of them as a leader wakes, %d that cross a renewal; %d counted", splits, wakes, crosses, counted)
	assert.Greater(t, splits, few.Of(5))
	assert.Greater(t, crosses, few.Of(20))
	assert.Greater(t, counted, few.Of(100))
}
