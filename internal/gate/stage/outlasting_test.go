package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
)

// outlastsTwice returns the loop with the longest overlap of a leader of which two attempts outlast a tick, the second one by as little as it
// can, so that eleven calls come within a second. Where other traffic comes is tried.
func outlastsTwice(c *bound.Config, e *bound.Environment) (longest *loop) {
	fails, succeeds := callFate{ends: callFails}, callFate{ends: callSucceeds}
	upTo := func(f callFate, u callUpTo) callFate {
		f.upTo = u
		return f
	}
	slow := upTo(succeeds, callLongest)
	for where := range 1 << 5 {
		all := []loopAttempt{
			{calls: [3]callFate{fails, succeeds, succeeds}},
			{calls: [3]callFate{{ends: callLost}, upTo(succeeds, callTick), fails}},
			{calls: [3]callFate{fails, succeeds, upTo(fails, callOutlast)}},
			{calls: [3]callFate{fails, succeeds, fails}},
			{calls: [3]callFate{{ends: callLost}, slow, slow}},
		}
		for i := range 5 {
			if where>>i&1 > 0 {
				all[3+(i+1)/3].calls[(i+1)%3].count = e.OtherBurst
			}
		}
		if l := loopOf(c, e, all, time.Millisecond); longest == nil || l.overlap > longest.overlap {
			longest = l
		}
	}
	return longest
}

// TestOutlastsTwice: where few tokens come in a RetryPeriod, the calls of the attempt before one that outlasts a tick count, too. Without
// them these bounds were 0.1 to 0.95 s too low, and the first configuration was safe.
func TestOutlastsTwice(t *testing.T) {
	for _, row := range []struct {
		lease, timeout time.Duration
		qps            float64
		burst, others  int
	}{
		{17 * time.Second, 1950 * time.Millisecond, 3, 6, 5},
		{15 * time.Second, 2900 * time.Millisecond, 3, 12, 20},
		{15 * time.Second, 1950 * time.Millisecond, 4, 8, 10},
		{15 * time.Second, 2900 * time.Millisecond, 5, 10, 20},
	} {
		c := &bound.Config{
			Timings: machine.Timings{LeaseDuration: row.lease, RenewDeadline: 12 * time.Second, RetryPeriod: time.Second},
			Profile: machine.ClientGo, Client: &plan.Client{QPS: row.qps, Burst: row.burst, HTTP1: true}, RequestTimeout: row.timeout,
		}
		e := &bound.Environment{MaxRoundTrip: 100 * time.Millisecond, OtherBurst: row.others}
		r, err := bound.Of(c, e)
		require.NoError(t, err)
		l := outlastsTwice(c, e)
		shown := l.overlapShown(t)
		assert.Positive(t, shown)
		assert.InDelta(t, l.overlap, shown, float64(2*time.Millisecond), "the simulated world shows what the loop does")
		assert.LessOrEqual(t, shown, r.Overlap+r.Slack, "%+v", row)
		assert.Greater(t, shown, r.Overlap-110*time.Millisecond, "%+v", row)
	}
}

// TestBurstBeforeRead: an attempt that outlasts a tick by a lost answer is followed by one whose calls are over long before the next tick: none
// of these can lose an answer, which takes longer. So they take no token that is missing later.
func TestBurstBeforeRead(t *testing.T) {
	c := &bound.Config{
		Timings: machine.Timings{LeaseDuration: 30 * time.Second, RenewDeadline: 20 * time.Second, RetryPeriod: 3 * time.Second},
		Profile: machine.ClientGo, Client: &plan.Client{QPS: 5, Burst: 10}, RequestTimeout: 5 * time.Second,
	}
	e := &bound.Environment{MaxRoundTrip: 100 * time.Millisecond, OtherBurst: 20}
	fails, succeeds, loses := callFate{ends: callFails}, callFate{ends: callSucceeds}, callFate{ends: callLost}
	slow := callFate{ends: callSucceeds, upTo: callLongest}
	burst := slow
	burst.count = e.OtherBurst
	l := loopOf(c, e, []loopAttempt{
		{calls: [3]callFate{fails, succeeds, succeeds}},
		{calls: [3]callFate{loses, {ends: callSucceeds, takes: time.Millisecond}, fails}},
		{calls: [3]callFate{fails, succeeds, fails}},
		{calls: [3]callFate{loses, burst, slow}},
	}, time.Millisecond)
	r, err := bound.Of(c, e)
	require.NoError(t, err)
	assert.Equal(t, 1500*time.Millisecond, r.Overlap)
	assert.InDelta(t, r.Overlap, l.overlapShown(t), float64(2*time.Millisecond))
}
