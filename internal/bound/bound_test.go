package bound

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

const s, ms, us = time.Second, time.Millisecond, time.Microsecond

func config(p machine.Profile, lease, deadline, period time.Duration) *Config {
	return &Config{
		Timings: machine.Timings{LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: period}, Profile: p,
	}
}

func of(t require.TestingT, c *Config, e *Environment) *Result {
	r, err := Of(c, e)
	require.NoError(t, err)
	return r
}

// TestOverlap: numbers computed by hand. The comments are the sums.
func TestOverlap(t *testing.T) {
	recommended := func(p machine.Profile) *Config { return config(p, 15*s, 10*s, 2*s) }
	with := func(c *Config, release bool, timeout time.Duration) *Config {
		c.ReleaseOnCancel, c.RequestTimeout = release, timeout
		return c
	}
	for name, row := range map[string]struct {
		c    *Config
		e    Environment
		want time.Duration
	}{
		// q 1 ms + V 3 ms + 2 + 10 − 15
		"calm": {recommended(machine.ClientGo), Environment{MaxRoundTrip: ms}, -2996 * ms},
		// q 1 + V 10 + 12 − 15 = 8; 17 caps it
		"slow":      {recommended(machine.ClientGo), Environment{MaxRoundTrip: 5 * s}, 8 * s},
		"slow, v24": {recommended(machine.ClientGoV024), Environment{MaxRoundTrip: 4 * s}, 6 * s}, // 1 + 2·4 + 12 − 15
		// q 1 ms + V 5.002 + 12 − 15
		"lost": {with(recommended(machine.ClientGo), false, 5*s), Environment{MaxRoundTrip: ms}, 2003 * ms},
		// 4 ms + 12 − 15, and 12/0.9 − 12 + 15 − 15/1.1 + 1 ms/0.9 − 1 ms of drift, which joining does not feel
		"drift": {recommended(machine.ClientGo), Environment{MaxDriftPPM: 100_000}, 13333333333 - 13636363636},
		"pause": {recommended(machine.ClientGo), Environment{MaxPause: 4 * s, Drain: s}, 2 * s},
		"release": {with(config(machine.ClientGo, 60*s, 15*s, 5*s), true, 0),
			Environment{MaxRoundTrip: us}, 15 * s},
		"without release": {config(machine.ClientGo, 60*s, 15*s, 5*s), Environment{MaxRoundTrip: us}, -40*s + 4*us},
		"release that is given up": {with(config(machine.ClientGo, 60*s, 15*s, 5*s), true, 3*s),
			Environment{MaxRoundTrip: us}, 3 * s},
		// 3.1 + 2 + 2·10
		"wiped": {with(recommended(machine.ClientGo), true, 0), Environment{MaxRoundTrip: 3100 * ms}, 25100 * ms},
		// 0.4 s late, and 0.55 s to read and as much to write: the write conflicts, and the release reads again
		"wiped after a conflict": {with(recommended(machine.ClientGo), true, 0),
			Environment{MaxRoundTrip: 550 * ms}, 22550 * ms},
		"never wiped": {with(recommended(machine.ClientGo), true, 0), Environment{MaxRoundTrip: 500 * ms}, 10 * s},
		"long":        {config(machine.ClientGo, 270*s, 240*s, 60*s), Environment{}, 30 * s},
		"strict":      {recommended(machine.Strict), Environment{}, -5 * s},
		"strict, whatever the round trip": {with(recommended(machine.Strict), true, 7*s),
			Environment{MaxRoundTrip: time.Hour}, -5 * s},
		"strict, frozen":             {recommended(machine.Strict), Environment{MaxPause: 6 * s, Drain: s}, 2 * s},
		"follower that polls rarely": {config(machine.Strict, 3*s, 2900*ms, 2*s), Environment{}, -100 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			r := of(t, row.c, &row.e)
			assert.InDelta(t, float64(row.want), float64(r.Overlap), 5)
			assert.Equal(t, row.want <= 0, r.Safe())
			sum := time.Duration(0)
			for _, term := range r.Terms {
				sum += term.Time
			}
			assert.Equal(t, r.Overlap, sum, "%v", r.Terms)
		})
	}
}

// drawn is any configuration and environment that the arithmetic must take, valid or not.
func drawn(t *rapid.T) (*Config, *Environment) {
	long := rapid.OneOf(rapid.Int64Range(0, int64(100*s)), rapid.Int64Range(0, int64(MaxDuration)),
		rapid.Just(int64(MaxDuration)))
	d := func(what string) time.Duration { return time.Duration(long.Draw(t, what)) }
	c := config(rapid.SampledFrom([]machine.Profile{machine.ClientGo, machine.ClientGoV024, machine.Strict}).
		Draw(t, "profile"), 0, 0, 0)
	c.RetryPeriod = 1 + d("retryPeriod")/8760
	c.RenewDeadline = min(c.RetryPeriod*12/10+1+d("renewDeadline")%(20*c.RetryPeriod), MaxDuration-1)
	c.LeaseDuration = min(max(s, c.RenewDeadline+1+d("leaseDuration")), MaxDuration)
	c.RequestTimeout, c.ReleaseOnCancel = d("requestTimeout"), rapid.Bool().Draw(t, "release")
	e := &Environment{
		MaxRoundTrip: d("maxRoundTrip"), MaxPause: d("maxPause"), Drain: d("drain"),
		MaxDriftPPM: rapid.SampledFrom([]int64{0, 1, 1000, 500_000, MaxDriftPPM}).Draw(t, "drift"),
	}
	return c, e
}

// TestLimits: nothing that is allowed overflows or panics, and no overlap is negative beyond the lease.
func TestLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, e := drawn(t)
		r := of(t, c, e)
		assert.GreaterOrEqual(t, r.Overlap, -c.LeaseDuration-s)
		assert.LessOrEqual(t, r.Overlap, 60*MaxDuration)
	})
}

// TestMonotonic: an environment that is worse, or a shorter lease, never makes the worst case better. Slowest clocks give
// and take a nanosecond.
func TestMonotonic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, e := drawn(t)
		before := of(t, c, e)
		worse, other := *e, *c
		more := func(d *time.Duration) {
			*d = min(MaxDuration, *d+time.Duration(rapid.Int64Range(0, int64(10*s)).Draw(t, "more")))
		}
		switch rapid.IntRange(0, 4).Draw(t, "what") {
		case 0:
			more(&worse.MaxRoundTrip)
		case 1:
			more(&worse.MaxPause)
		case 2:
			more(&worse.Drain)
		case 3:
			worse.MaxDriftPPM += (MaxDriftPPM - worse.MaxDriftPPM) / 3
		case 4:
			other.LeaseDuration = max(s, c.RenewDeadline+1, c.LeaseDuration/2)
		}
		after := of(t, &other, &worse)
		assert.GreaterOrEqual(t, after.Overlap, before.Overlap-20*us, "%+v %+v to %+v %+v", *c, *e, other, worse)
	})
}
