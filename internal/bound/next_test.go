package bound

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// TestNext: client-go-next has the bound of client-go where it does the same. Where it releases the lock it is never better than without a
// release. Where work ends at once its overlap is no longer than that of client-go, and has no end if that has none.
func TestNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, e := drawn(t)
		if rapid.Bool().Draw(t, "client") && !c.Lock.Expires() {
			drawnClient(t, c, e)
		}
		if rapid.Bool().Draw(t, "at once") {
			e.Drain = 0
		}
		next := *c
		c.Profile, next.Profile = machine.ClientGo, machine.ClientGoNext
		if Refused(c) != nil {
			return
		}
		today, err := Of(c, e)
		got, failed := Of(&next, e)
		require.Equal(t, err == nil, failed == nil, "%v", failed)
		if err != nil {
			require.ErrorIs(t, err, ErrNoWait)
			return
		}
		if !next.ReleasesLater() {
			require.Equal(t, today, got)
			return
		}
		kept := next
		kept.ReleaseOnCancel = false
		without, err := Of(&kept, e)
		require.NoError(t, err)
		if !got.Upper {
			assert.GreaterOrEqual(t, got.Overlap, without.Overlap)
		}
		atMost, ends := got.AtMost()
		if ends && got.Plan.Kind == Wiped && c.Client == nil {
			assert.Equal(t, got.Overlap, atMost, "it is exact, or no upper bound is known")
		}
		if least, known := without.AtMost(); ends && known {
			assert.GreaterOrEqual(t, atMost, least)
		}
		if e.Drain == 0 {
			longest, known := today.AtMost()
			assert.False(t, got.Unbounded && !today.Unbounded)
			assert.False(t, ends && known && atMost > longest, "%v above %v", atMost, longest)
		}
	})
}

// drawnClient draws a client for c, and other traffic.
func drawnClient(t *rapid.T, c *Config, e *Environment) {
	per := rapid.SampledFrom([]float64{1.5, 3.1, 10, 100}).Draw(t, "tokens in a period")
	c.Client = &plan.Client{
		QPS:   min(100_000, max(0.001, per/c.RetryPeriod.Seconds())),
		Burst: rapid.SampledFrom([]int{1, 5, 10, 30}).Draw(t, "burst"), Retries: rapid.Bool().Draw(t, "retries"),
	}
	c.Closes = rapid.Bool().Draw(t, "closes")
	e.OtherBurst = rapid.SampledFrom([]int{0, 3, 20, 200}).Draw(t, "other burst")
	e.OtherQPS = c.Client.QPS * rapid.SampledFrom([]float64{0, 0, 0.3, 0.95}).Draw(t, "other qps")
	e.MaxRetryAfter = time.Duration(rapid.IntRange(0, 2).Draw(t, "retryAfter")) * time.Second
}

// TestNextWaits: a release after the work is safe as long as nobody can take over before it has read, and not a nanosecond longer.
func TestNextWaits(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	c := &Config{
		Timings: machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s},
		Profile: machine.ClientGoNext, ReleaseOnCancel: true,
	}
	of := func(e Environment) *Result {
		e.MaxRoundTrip = 100 * ms
		r, err := Of(c, &e)
		require.NoError(t, err)
		return r
	}
	// 0.3 s + 0.3 s + 2 s + 10 s, and 0.2 s in which the release reads and writes.
	assert.Equal(t, -2200*ms, of(Environment{}).Overlap)
	assert.True(t, of(Environment{Drain: 2200 * ms}).Safe())
	assert.Equal(t, Expired, of(Environment{Drain: 2200 * ms}).Plan.Kind)
	wiped := of(Environment{Drain: 2200*ms + 1})
	assert.Equal(t, Wiped, wiped.Plan.Kind)
	assert.Equal(t, 14300*ms+1, wiped.Overlap) // 0.1 s + 2 s + 10 s + 2.2 s
	assert.False(t, wiped.AtLeast)
	assert.True(t, of(Environment{MaxPause: 2200 * ms}).Safe())
	assert.Equal(t, Wiped, of(Environment{MaxPause: 2200*ms + 1}).Plan.Kind)

	longer := of(Environment{Drain: 2700*ms + 1}) // its work, 0.1 s + 2 s + 10 s, the drain, and 0.2 s are longer than a lease
	assert.Equal(t, Gathering, longer.Plan.Endless)
	assert.False(t, of(Environment{Drain: 2700 * ms}).Unbounded)
	assert.Equal(t, Gathering, of(Environment{MaxPause: 2700*ms + 1}).Plan.Endless, "as with client-go")
	assert.Equal(t, Conflicting, of(Environment{HiddenConflicts: true}).Plan.Endless)
	assert.Equal(t, of(Environment{}).Handover+9*s, of(Environment{Drain: 9 * s}).Handover)
}
