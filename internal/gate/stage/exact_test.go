package stage

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
)

// prediction compares what was computed with what its witness shows. Safe is a prediction too, of which nothing is shown. What no
// simulated world can show is internal/parity's: TestBeginsFrozen.
func prediction(t require.TestingT, c *bound.Config, e *bound.Environment) *bound.Result {
	r, err := bound.Of(c, e)
	require.NoError(t, err)
	if r = r.Playable(); r.Safe() {
		return r
	}
	s := Witness(c, e, r)
	seen := gatetest.Watched(t, s)
	if outside := seen.Outside(s, e); outside != "" && jumps(t, c, e, r) {
		return r // at an edge
	}
	require.Empty(t, seen.Outside(s, e), "the witness of %+v in %+v is outside", *c, *e)
	got := max(0, seen.Score())
	missing := r.Overlap - got
	if missing < time.Millisecond && (missing > -time.Millisecond || r.AtLeast || r.Unbounded) {
		return r
	}
	if jumps(t, c, e, r) {
		return r
	}
	var text strings.Builder
	require.NoError(t, s.WriteYAML(&text))
	require.Fail(t, "not as predicted", "%s %s %v: %v and release %v, timeout %v in %+v:\n%v is predicted, of %v\n%v is shown by\n%s",
		c.Lock, c.Now, c.Precision, c.Timings, c.ReleaseOnCancel, c.RequestTimeout, *e, r.Overlap, r.Terms, got, text.String())
	return nil
}

// jumps is whether numbers that are a little smaller or larger make another bound: an attempt that outlasts a tick by
// nothing is worth up to a second, a release that reads a successor by nothing a whole term, and a witness keeps some
// nanoseconds from every edge; or there may be no bound. Of an edge where two of them meet, only both together show it.
func jumps(t require.TestingT, c *bound.Config, e *bound.Environment, r *bound.Result) bool {
	const little = 50 * time.Microsecond
	// A leader's own lease runs out as its poll ends, or one or two lost answers leave next to no time to go on.
	for _, other := range []time.Duration{c.Lease(), c.RequestTimeout, 2 * c.RequestTimeout} {
		if left := c.RenewDeadline - other; -little < left && left < little {
			return true
		}
	}
	changes := []func(*bound.Config, *bound.Environment, time.Duration){
		func(c *bound.Config, e *bound.Environment, by time.Duration) {
			if c.RequestTimeout > 0 {
				e.MaxRoundTrip = min(e.MaxRoundTrip, c.RequestTimeout)
			}
			e.MaxRoundTrip = max(0, e.MaxRoundTrip-by)
		},
		func(_ *bound.Config, e *bound.Environment, by time.Duration) { e.MaxPause = max(0, e.MaxPause-by) },
		func(c *bound.Config, _ *bound.Environment, by time.Duration) { c.RenewDeadline -= by },
		func(c *bound.Config, _ *bound.Environment, by time.Duration) {
			if c.RequestTimeout > 0 {
				c.RequestTimeout += by
			}
		},
		func(c *bound.Config, _ *bound.Environment, by time.Duration) { c.RetryPeriod += by },
		func(c *bound.Config, _ *bound.Environment, by time.Duration) { c.LeaseDuration += by },
	}
	for chosen := 1; chosen < 1<<len(changes); chosen++ {
		otherConfig, other := *c, *e
		for i, change := range changes {
			if chosen&(1<<i) != 0 {
				change(&otherConfig, &other, little)
			}
		}
		changed, err := bound.Of(&otherConfig, &other)
		if errors.Is(err, bound.ErrNoBound) {
			return true
		}
		require.NoError(t, err)
		if r.Overlap-changed.Playable().Overlap > time.Millisecond {
			return true
		}
	}
	return false
}

// TestExact: random configurations in random environments. make exact runs more of them.
func TestExact(t *testing.T) {
	for _, p := range gatetest.Profiles {
		t.Run(p.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := gatetest.DrawConfig(t, p)
				if bound.Refused(c) == nil {
					prediction(t, c, gatetest.DrawEnvironment(t, c))
				}
			})
		})
	}
}

// TestExactLocks is TestExact for the other kinds of lock.
func TestExactLocks(t *testing.T) {
	for _, lock := range plan.Locks()[1:] {
		for _, p := range gatetest.Profiles {
			t.Run(string(lock)+"/"+p.Name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					c, e := gatetest.DrawLocked(t, p, lock)
					if bound.Refused(c) == nil && bound.Unknown(c) == nil {
						prediction(t, c, e)
					}
				})
			})
		}
	}
}

// TestSketch: the rows of the sketch from which the derivation was written, with what the computation says of them.
func TestSketch(t *testing.T) {
	const s, ms, us = time.Second, time.Millisecond, time.Microsecond
	for _, c := range []struct {
		lease, deadline, period, trip, timeout time.Duration
		release                                bool
		want                                   time.Duration
	}{
		{15 * s, 10 * s, 2 * s, 5 * s, 0, false, 10 * s},
		{15 * s, 10 * s, 2 * s, s, 5 * s, false, 5 * s},
		{15 * s, 10 * s, 2 * s, ms, 5 * s, false, 2005 * ms},
		{15 * s, 10 * s, 2 * s, 100 * ms, 3 * s, false, 1200 * ms},
		{5 * s, 3900 * ms, s, 340 * ms, 0, false, 1920 * ms},
		{15 * s, 10 * s, 2 * s, 750 * ms, 0, false, 250 * ms},
		{15 * s, 12 * s, 2 * s, 400 * ms, 0, false, 1200 * ms},
		{15 * s, 10 * s, 2 * s, ms, 15 * s, false, 10 * s},
		{15 * s, 10 * s, 2 * s, 750 * ms, 10 * s, false, 6500 * ms},
		{15 * s, 4 * s, 2 * s, 5100 * ms, 0, false, 4 * s},
		{4 * s, 2 * s, s, 200 * ms, 0, false, 200 * ms},
		{5 * s, 2 * s, s, 500 * ms, 0, false, 500 * ms},
		{4 * s, 2 * s, s, 10 * ms, 30 * s, false, 2 * s},
		{9 * s, 6 * s, 1500 * ms, s, 300 * ms, false, 2500 * ms},          // answers wait in the client's limiter
		{2033071510, 2033071507, 1693392923, 0, 2 * s, false, 3726464430}, // the timeout is as long as the lease
		{15 * s, 10 * s, 2 * s, 100 * ms, 15 * s, true, 22100 * ms},
		{60 * s, 15 * s, 5 * s, us, 0, true, 15 * s},
		{15 * s, 10 * s, 2 * s, 3100 * ms, 0, true, 25100 * ms},
		{270 * s, 240 * s, 60 * s, 0, 0, false, 30 * s},
	} {
		cfg := &bound.Config{
			Timings: machine.Timings{LeaseDuration: c.lease, RenewDeadline: c.deadline, RetryPeriod: c.period},
			Profile: machine.ClientGo, ReleaseOnCancel: c.release, RequestTimeout: c.timeout,
		}
		env := &bound.Environment{MaxRoundTrip: c.trip}
		assert.Equal(t, c.want, prediction(t, cfg, env).Overlap)
	}
}
