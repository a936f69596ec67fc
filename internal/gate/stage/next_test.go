package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
)

// TestNextDrains: only because work drains does a release read the record after a lease has run out, and so leaders gather.
func TestNextDrains(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	seconds := func(lease, deadline, period time.Duration) machine.Timings {
		return machine.Timings{LeaseDuration: lease * s, RenewDeadline: deadline * s, RetryPeriod: period * s}
	}
	for name, row := range map[string]struct {
		machine.Timings
		timeout time.Duration
		e       bound.Environment
		client  *plan.Client
	}{
		"just long enough": {seconds(15, 10, 2), 0, bound.Environment{MaxRoundTrip: 100 * ms, Drain: 2710 * ms}, nil},
		"a lease":          {seconds(5, 2, 1), 0, bound.Environment{MaxRoundTrip: 2 * ms, Drain: 5150 * ms}, nil},
		"three leases":     {seconds(5, 2, 1), s, bound.Environment{MaxRoundTrip: 2 * ms, Drain: 15 * s}, nil},
		"a limiter":        {seconds(15, 10, 2), 5 * s, bound.Environment{MaxRoundTrip: 10 * ms, Drain: 4 * s}, &plan.Client{QPS: 5, Burst: 10}},
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
		p.rounds(t, rounds)
		w := gatetest.Watched(t, p.s)
		require.Empty(t, w.Outside(p.s, e))
		assert.Greater(t, w.Score(), before, "%d rounds", rounds)
		before = w.Score() + c.RenewDeadline
	}
}

// TestNextNoGathering: where leaders of client-go-next do not gather, but would if work drained for a little longer, a crowd of such work that is
// pressed into the environment stays below the bound, and so does what an adversary makes of it.
func TestNextNoGathering(t *testing.T) {
	var k climbs
	for seed := 1; k.tried < *crowdCases; seed++ {
		a := nearlyGathering.Example(seed)
		a.c.Profile = machine.ClientGoNext
		a.e.MaxRoundTrip /= time.Duration(1 + seed%8)
		if bound.Refused(a.c) != nil {
			continue
		}
		longest := longestDrain(t, &a)
		if longest < 0 {
			continue
		}
		a.e.Drain = longest
		r, err := bound.Of(a.c, a.e)
		require.NoError(t, err)
		if _, known := r.AtMost(); !known || r.Plan.Kind != bound.Wiped {
			continue
		}
		worse := *a.e
		worse.Drain += a.c.RetryPeriod
		p := newCrowd(a.c, &worse)
		p.rounds(lenient{}, 1+seed%3)
		k.fromCrowd(t, p.s, 4, seed, a, r)
	}
	t.Logf("%d attacked, by %d scenarios: at most %v above the bound", k.tried, k.runs, k.above)
}
