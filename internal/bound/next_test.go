package bound

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

// TestNext: client-go-next has the bound of client-go where it does the same. Where it releases the lock it is never better than without a
// release, unbounded only where client-go is, too, and there is no bound on two objects or with a known client.
func TestNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, e := drawn(t)
		next := *c
		c.Profile, next.Profile = machine.ClientGo, machine.ClientGoNext
		if Refused(c) != nil {
			return
		}
		today, err := Of(c, e)
		require.NoError(t, err)
		got, err := Of(&next, e)
		switch {
		case !next.ReleasesLater():
			require.NoError(t, err)
			assert.Equal(t, today, got)
			return
		case c.onTwoObjects():
			require.ErrorIs(t, err, ErrNoBound)
			return
		}
		require.NoError(t, err)
		kept := next
		kept.ReleaseOnCancel = false
		without, err := Of(&kept, e)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, got.Overlap, without.Overlap)
		assert.False(t, got.Unbounded && got.Plan.Endless != TakingTurns && !today.Unbounded)
		if most, known := got.AtMost(); known && got.Plan.Kind == Wiped {
			assert.Equal(t, got.Overlap, most, "it is exact, or no upper bound is known")
		}
	})
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
	assert.True(t, longer.AtLeast)
	assert.False(t, longer.Unbounded, "no plan is known")
	assert.Zero(t, longer.Slack)
	assert.False(t, of(Environment{Drain: 2700 * ms}).AtLeast)
	assert.Equal(t, Gathering, of(Environment{MaxPause: 2700*ms + 1}).Plan.Endless, "as with client-go")
	assert.Equal(t, Conflicting, of(Environment{HiddenConflicts: true}).Plan.Endless)
	assert.Equal(t, of(Environment{}).Handover+9*s, of(Environment{Drain: 9 * s}).Handover)
}
