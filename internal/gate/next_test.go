package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/plan"
	"interregnum/scenarios"
)

// nextly is a target of client-go-next that releases the lock.
func nextly(lease, deadline, period time.Duration) Target {
	target := seconds(lease, deadline, period)
	target.ReleaseOnCancel, target.Profile = true, machine.ClientGoNext
	return target
}

// TestNextLateRelease: client-go's bound does not hold for client-go-next with a release. A run within the environment shows a longer
// overlap than the one that is the longest for client-go, and no longer one than that of client-go-next.
func TestNextLateRelease(t *testing.T) {
	s, err := scenarios.ReadFile("testdata/next-late-release.yaml")
	require.NoError(t, err)
	target := nextly(5, 2, 1)
	e := &bound.Environment{MaxRoundTrip: 2 * time.Millisecond, Drain: 5150 * time.Millisecond}
	w := watched(t, s)
	require.Empty(t, w.outside(s, e))
	assert.Equal(t, 8052*time.Millisecond, w.score())
	today := target.Config
	today.Profile = machine.ClientGo
	r, err := bound.Of(&today, e)
	require.NoError(t, err)
	most, known := r.AtMost()
	require.True(t, known)
	assert.Equal(t, 7150*time.Millisecond, most)

	j, err := Judge(target, e)
	require.NoError(t, err)
	assert.Equal(t, Unsafe, j.Verdict)
	assert.Equal(t, 8152*time.Millisecond, j.Result.Overlap)
	assert.Equal(t, bound.Gathering, j.Result.Plan.Endless, "the drain lets leaders gather")
	assert.InDelta(t, j.Result.Overlap, j.Shown, float64(time.Millisecond))
}

// TestNextIsSafe as long as no follower can take over before the release has read; the verdict says what it takes for granted.
func TestNextIsSafe(t *testing.T) {
	e := &bound.Environment{MaxRoundTrip: 100 * time.Millisecond, Drain: 2 * time.Second}
	j, err := Judge(nextly(15, 10, 2), e)
	require.NoError(t, err)
	assert.Equal(t, Safe, j.Verdict)
	assert.Equal(t, 200*time.Millisecond, j.Margin())
	assert.Contains(t, j.Assumes(), "releases the lock when OnStartedLeading returns (assumed), and all work is over by then")
}

// TestNextOnTwoObjects: no lock on two objects is safe, and there is no longest overlap.
func TestNextOnTwoObjects(t *testing.T) {
	for retryPeriod, why := range map[time.Duration]bound.Endless{1: bound.HalfRead, 3: bound.Gathering} {
		target := nextly(5, 4, retryPeriod)
		target.Lock = plan.ConfigMapsLeases
		j, err := Judge(target, &bound.Environment{MaxRoundTrip: 2 * time.Millisecond, Drain: time.Second})
		require.NoError(t, err)
		assert.True(t, j.Result.Unbounded)
		assert.Equal(t, why, j.Result.Plan.Endless)
		assert.Equal(t, 5*time.Second, j.Result.Overlap, "its release is no part of the work")
		assert.InDelta(t, 5*time.Second, j.Shown, float64(time.Millisecond))
	}
}

// TestNextDrains: only because work drains does a release read the record after a lease has run out, and so leaders gather.
func TestNextDrains(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for name, row := range map[string]struct {
		machine.Timings
		timeout time.Duration
		e       bound.Environment
		client  *plan.Client
	}{
		"just long enough": {nextly(15, 10, 2).Timings, 0, bound.Environment{MaxRoundTrip: 100 * ms, Drain: 2710 * ms}, nil},
		"a lease":          {nextly(5, 2, 1).Timings, 0, bound.Environment{MaxRoundTrip: 2 * ms, Drain: 5150 * ms}, nil},
		"three leases":     {nextly(5, 2, 1).Timings, s, bound.Environment{MaxRoundTrip: 2 * ms, Drain: 15 * s}, nil},
		"a limiter":        {nextly(15, 10, 2).Timings, 5 * s, bound.Environment{MaxRoundTrip: 10 * ms, Drain: 4 * s}, &plan.Client{QPS: 5, Burst: 10}},
	} {
		t.Run(name, func(t *testing.T) {
			c := &bound.Config{
				Timings: row.Timings, Profile: machine.ClientGoNext, ReleaseOnCancel: true, RequestTimeout: row.timeout, Lock: plan.Lease,
				Client: row.client,
			}
			r, err := bound.Of(c, &row.e)
			require.NoError(t, err)
			require.Equal(t, bound.Gathering, r.Plan.Endless)
			atOnce := row.e
			atOnce.Drain = 0
			without, err := bound.Of(c, &atOnce)
			require.NoError(t, err)
			require.False(t, without.Unbounded, "the drain is the reason")
			gathers(t, &attacked{c, &row.e}, r, 3, 5, 7, 9)
		})
	}
}

// TestNextEndless: what is without bound for client-go is so for client-go-next. Where work ends at once the two ask the same of the service.
func TestNextEndless(t *testing.T) {
	for name, least := range map[string]time.Duration{
		"gathering": 37 * time.Second, "two-releases": 26 * time.Second, "surviving": 18 * time.Second, "conflicting": 49 * time.Second,
	} {
		s, err := scenarios.ReadFile("testdata/" + name + ".yaml")
		require.NoError(t, err)
		today := watched(t, s)
		for i := range s.Candidates {
			s.Candidates[i].Profile = machine.ClientGoNext
		}
		next := watched(t, s)
		assert.Equal(t, today.requests, next.requests, name)
		assert.Greater(t, next.score(), least, name)
	}
}

// TestLateReleaseAtAnEdge: two lost answers leave a nanosecond of the last poll. Its leader, frozen as that ends, must not renew as it wakes.
func TestLateReleaseAtAnEdge(t *testing.T) {
	target := nextly(0, 0, 0)
	target.LeaseDuration, target.RenewDeadline, target.RetryPeriod = 112900*time.Millisecond, 35142430801, 8*time.Second
	target.RequestTimeout = target.RenewDeadline / 2
	e := &bound.Environment{MaxRoundTrip: 5912087677, MaxPause: 35 * time.Second}
	for _, p := range []machine.Profile{machine.ClientGo, machine.ClientGoNext} {
		target.Profile = p
		j, err := Judge(target, e)
		require.NoError(t, err)
		assert.InDelta(t, j.Result.Overlap, j.Shown, float64(time.Millisecond))
	}
}

// TestNextDrainsDrawn: where the bound says that leaders gather, and do so only because work drains, they do, if it drains for a little longer
// than that takes.
func TestNextDrainsDrawn(t *testing.T) {
	shown := 0
	for seed := 1; seed <= few.Of(600); seed++ {
		a := nearlyGathering.Example(seed)
		a.c.Profile = machine.ClientGoNext
		if a.c.RetryPeriod < time.Second { // where they may do so by conflicts alone: TestNextSurvivors
			continue
		}
		if bound.Refused(a.c) != nil || a.e.MaxRoundTrip >= a.c.RenewDeadline || longestDrain(t, &a) < 0 {
			continue
		}
		a.e.Drain = longestDrain(t, &a) + a.c.LeaseDuration/20
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		require.Equal(t, bound.Gathering, r.Plan.Endless)
		gathers(t, &a, r, 2, 5, 12)
		shown++
	}
	t.Logf("%d shown", shown)
	assert.Greater(t, shown, few.Of(100))
}

// longestDrain returns for how long work can drain, up to two leases, before the overlap has no end; less than 0 if it has none in any case.
func longestDrain(t *testing.T, a *attacked) time.Duration {
	e, longest := *a.e, time.Duration(-1)
	for step := a.c.LeaseDuration; step > 0; step /= 2 {
		e.Drain = longest + step
		r, err := bound.Of(a.c, &e)
		require.NoError(t, err)
		if !r.Unbounded {
			longest = e.Drain
		}
	}
	return longest
}

// TestNextSurvivors: releases that begin only after the work outlive a lease by conflicts with the holder's last write of a second. Those of
// client-go are over before that.
func TestNextSurvivors(t *testing.T) {
	c := &bound.Config{
		Timings: machine.Timings{LeaseDuration: 5 * time.Second, RenewDeadline: 2050 * time.Millisecond, RetryPeriod: 200 * time.Millisecond},
		Profile: machine.ClientGoNext, ReleaseOnCancel: true, Lock: plan.Lease,
	}
	e := &bound.Environment{MaxRoundTrip: 690 * time.Millisecond}
	r, err := bound.Of(c, e)
	require.NoError(t, err)
	require.False(t, r.Unbounded)
	e.Drain = 500 * time.Millisecond
	r, err = bound.Of(c, e)
	require.NoError(t, err)
	require.Equal(t, bound.Gathering, r.Plan.Endless)
	before := r.Overlap
	for rounds := 4; rounds <= 8; rounds += 2 {
		p := newSurvivors(c, e)
		for i := range rounds {
			p.grow(t, i < rounds-1)
		}
		p.pair(t)
		w := watched(t, p.s)
		require.Empty(t, w.outside(p.s, e))
		assert.Greater(t, w.score(), before, "%d rounds", rounds)
		before = w.score() + c.RenewDeadline
	}
}
