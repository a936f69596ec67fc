package gate

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
	"interregnum/internal/gate/stage"
	"interregnum/plan"
)

// TestFrozenOverATick: a leader that is frozen over a tick begins an attempt as it wakes, and the next one at the next tick, less than a
// second later. What both write looks the same. Without that 12/10/1 would be safe by nearly a second.
func TestFrozenOverATick(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, row := range []struct {
		period, trip, pause time.Duration
		drift               int64
		least               time.Duration
	}{
		{s, 10 * ms, 50 * ms, 0, 60 * ms},
		{s, 0, 50 * ms, 0, 40 * ms},
		{s, 10 * ms, 50 * ms, 200, 60 * ms},
		{1100 * ms, 10 * ms, 350 * ms, 0, 360 * ms},
		{1100 * ms, 10 * ms, 350 * ms, 200, 360 * ms},
	} {
		for _, p := range []machine.Profile{machine.ClientGo, machine.ClientGoV024} {
			for _, lock := range []plan.Lock{plan.Lease, plan.ConfigMap} {
				c := &bound.Config{
					Timings: machine.Timings{LeaseDuration: 12 * s, RenewDeadline: 10 * s, RetryPeriod: row.period}, Profile: p, Lock: lock,
				}
				e := &bound.Environment{MaxRoundTrip: row.trip, MaxPause: row.pause, MaxDriftPPM: row.drift}
				r, err := bound.Of(c, e)
				require.NoError(t, err)
				require.Equal(t, bound.JoinTicked, r.Plan.Chain.Join, "%s %s %+v: %+v", p.Name, lock, row, *r)
				plan := stage.Witness(c, e, r)
				w := gatetest.Watched(t, plan)
				assert.Empty(t, w.Outside(plan, e))
				assert.InDelta(t, r.Overlap, w.Score(), float64(ms), "%s %s %+v: %v shown, of %v", p.Name, lock, row, w.Score(), r.Overlap)
				assert.Greater(t, r.Overlap, row.least)
			}
		}
	}
}

// TestFrozenForAMoment: with a RetryPeriod of a second the shortest of freezes over a tick does it, and the witness shows that.
func TestFrozenForAMoment(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, row := range []struct{ deadline, trip, timeout time.Duration }{
		{8 * s, 200 * ms, 4 * s}, {7826 * ms, 300 * ms, 3913 * ms}, {12 * s, 100 * ms, 4 * s},
	} {
		for _, pause := range []time.Duration{1, 2, 100, time.Microsecond, 20 * time.Microsecond} {
			target := seconds(14, 8, 1)
			target.RenewDeadline, target.RequestTimeout = row.deadline, row.timeout
			j, err := Judge(target, &bound.Environment{MaxRoundTrip: row.trip, MaxPause: pause})
			require.NoError(t, err)
			require.Equal(t, Unsafe, j.Verdict)
			require.NotNil(t, j.Witness, "%v, %v", row, pause)
			assert.InDelta(t, j.Result.Overlap, j.Shown, float64(ms), "%v, %v", row, pause)
		}
	}
}

// TestFrozenOverATickDrawn: a witness shows what is computed, to within a millisecond.
func TestFrozenOverATickDrawn(t *testing.T) {
	shown := 0
	for seed := range few.Of(400) {
		d := rand.New(rand.NewPCG(uint64(seed), 5))
		between := func(low, high time.Duration) time.Duration { return low + time.Duration(d.Int64N(int64(high-low))) }
		c := &bound.Config{Profile: []machine.Profile{machine.ClientGo, machine.ClientGoV024}[seed%2], Lock: plan.Lease}
		c.ReleaseOnCancel = seed%4 == 0
		c.RetryPeriod = between(time.Second, 2*time.Second).Truncate(10 * time.Millisecond)
		c.RenewDeadline = between(3*c.RetryPeriod, 10*c.RetryPeriod)
		c.LeaseDuration = c.RenewDeadline + between(0, 2*c.RetryPeriod)
		e := &bound.Environment{MaxPause: between(0, 2*time.Second), MaxRoundTrip: between(0, c.RenewDeadline/2)}
		if seed%3 == 0 {
			e.MaxRoundTrip /= 100
		}
		if seed%8 == 1 { // the deadline cuts the last attempt
			c.RenewDeadline = between(2*c.RetryPeriod, 3*c.RetryPeriod)
			c.LeaseDuration, e.MaxRoundTrip = c.RenewDeadline+between(0, c.RetryPeriod), between(0, c.RetryPeriod)
		}
		if seed%5 == 0 {
			e.MaxDriftPPM = 1000
		}
		if seed%7 == 0 {
			c.RequestTimeout = between(time.Second, c.RenewDeadline)
		}
		if bound.Refused(c) != nil {
			continue
		}
		r, err := bound.Of(c, e)
		require.NoError(t, err)
		r = r.Playable()
		if r.Plan.Chain.Join != bound.JoinTicked || r.Plan.Chain.SetupPause == 0 {
			continue
		}
		p := stage.Witness(c, e, r)
		w := gatetest.Watched(t, p)
		assert.Empty(t, w.Outside(p, e))
		assert.InDelta(t, r.Overlap, w.Score(), float64(time.Millisecond), "seed %d: %+v in %+v: %v of %v", seed, c, e, w.Score(), r.Overlap)
		shown++
	}
	t.Logf("%d shown", shown)
	assert.Greater(t, shown, few.Of(40))
}

// TestBeginsFrozen: what takes a freeze between the start of a poll's ticker and its first attempt is unsafe, though no witness shows
// it, unless a later tick of the poll leaves room for the same; one that shows a part is kept.
func TestBeginsFrozen(t *testing.T) {
	e := &bound.Environment{MaxRoundTrip: 10 * time.Millisecond, MaxPause: 50 * time.Millisecond}
	j, err := Judge(seconds(4, 2, 1), e)
	require.NoError(t, err)
	assert.Equal(t, Unsafe, j.Verdict)
	assert.InDelta(t, -80*time.Millisecond, j.Margin(), 2)
	assert.Nil(t, j.Witness)

	e.MaxPause = 0
	j, err = Judge(seconds(12, 10, 1), e)
	require.NoError(t, err)
	assert.Equal(t, Safe, j.Verdict)
	assert.Contains(t, j.Assumes(), "no pauses (with the shortest it is unsafe by 30ms)")

	e.MaxPause = 1 // a freeze over a later tick does the same
	j, err = Judge(seconds(12, 10, 1), e)
	require.NoError(t, err)
	assert.InDelta(t, -30*time.Millisecond, j.Margin(), 2)
	assert.InDelta(t, 30*time.Millisecond, j.Shown, float64(time.Millisecond))

	e.MaxPause = 1500 * time.Millisecond
	j, err = Judge(seconds(4, 2, 1), e)
	require.NoError(t, err)
	require.NotNil(t, j.Witness)
	assert.InDelta(t, -1530*time.Millisecond, j.Margin(), 2)
	assert.InDelta(t, 560*time.Millisecond, j.Shown, float64(time.Millisecond))
}

// TestFrozenBeforeRelease: a release that begins late because its process was frozen, and then waits in the limiter, reads the
// record only after the takeover, as computed.
func TestFrozenBeforeRelease(t *testing.T) {
	j := &Judgement{
		Target: Target{Config: bound.Config{
			Timings: machine.Timings{LeaseDuration: 40 * time.Second, RenewDeadline: 10421 * time.Millisecond, RetryPeriod: time.Second},
			Profile: machine.ClientGo, ReleaseOnCancel: true, RequestTimeout: 5 * time.Second,
		}},
		Environment: bound.Environment{MaxRoundTrip: 6500 * time.Millisecond, MaxPause: 2840 * time.Millisecond, MaxDriftPPM: 3299},
	}
	require.NoError(t, j.bound())
	require.NoError(t, j.show())
	assert.InDelta(t, j.Result.Overlap, j.Shown, float64(time.Millisecond))
}
