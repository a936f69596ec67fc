package bound

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/sim"
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

// TestOverlapLocks: numbers computed by hand for the other kinds of lock. The comments are the sums.
func TestOverlapLocks(t *testing.T) {
	of15 := func(p machine.Profile, lock sim.Lock) *Config {
		c := config(p, 15*s, 10*s, 2*s)
		c.Lock = lock
		return c
	}
	with := func(c *Config, change func(*Config)) *Config {
		change(c)
		return c
	}
	released := func(c *Config) { c.ReleaseOnCancel = true }
	for name, row := range map[string]struct {
		c    *Config
		e    Environment
		want time.Duration
	}{
		"configmap is as a Lease": {of15(machine.ClientGo, sim.ConfigMap), Environment{MaxRoundTrip: 5 * s}, 8 * s},
		"strict too":              {of15(machine.Strict, sim.Endpoints), Environment{MaxRoundTrip: 5 * s}, -5 * s},
		"two objects":             {of15(machine.Strict, sim.EndpointsLeases), Environment{Drain: s}, 11 * s},
		"two objects, an hour": {with(of15(machine.Strict, sim.ConfigMapsLeases), func(c *Config) {
			c.LeaseDuration = time.Hour
		}), Environment{}, 10 * s},
		// 1 + 10 − 15
		"key": {of15(machine.ClientGo, sim.KVTTL), Environment{MaxRoundTrip: s}, -4 * s},
		// 15 + 10 − 15
		"key, slow answer": {of15(machine.ClientGo, sim.KVTTL), Environment{MaxRoundTrip: 20 * s}, 10 * s},
		// 10 − 15
		"key, strict": {of15(machine.Strict, sim.KVTTL), Environment{MaxRoundTrip: 20 * s}, -5 * s},
		// 10/0.9 − 15/1.1
		"key, drift": {of15(machine.Strict, sim.KVTTL), Environment{MaxDriftPPM: 100_000}, -2525252526},
		// RD
		"key, released": {with(of15(machine.ClientGo, sim.KVTTL), released), Environment{MaxRoundTrip: s}, 10 * s},
		"key, late and released": {with(of15(machine.ClientGo, sim.KVTTL), released),
			Environment{MaxRoundTrip: 8 * s}, 13 * s}, // 8 + 10 + 10 − 15
		"key, timeout": {with(of15(machine.ClientGo, sim.KVTTL), func(c *Config) {
			c.ReleaseOnCancel, c.RequestTimeout = true, 3*s
		}), Environment{MaxRoundTrip: 8 * s}, 3 * s}, // 3 + 10 − 15 is no overlap, and the release waits 3
		"row":             {of15(machine.Strict, sim.SQLTTL), Environment{MaxClockOffset: 6 * s}, s}, // 10 + 6 − 15
		"row, any offset": {of15(machine.Strict, sim.SQLTTL), Environment{MaxClockOffset: time.Hour}, 10 * s},
		"row, the database's now": {with(of15(machine.Strict, sim.SQLTTL), func(c *Config) { c.Now = sim.DatabaseNow }),
			Environment{MaxClockOffset: 6 * s}, -5 * s},
		"row of whole seconds": {with(of15(machine.ClientGo, sim.SQLTTL), func(c *Config) { c.Precision = s }),
			Environment{MaxRoundTrip: s}, -3 * s},
	} {
		t.Run(name, func(t *testing.T) {
			r := of(t, row.c, &row.e)
			assert.InDelta(t, float64(row.want), float64(r.Overlap), 5)
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
	c.Lock = rapid.SampledFrom(append(sim.Locks(), "")).Draw(t, "lock")
	if c.Lock == sim.SQLTTL {
		c.Now = rapid.SampledFrom([]sim.Now{"", sim.CallerNow, sim.DatabaseNow}).Draw(t, "now")
		c.Precision = rapid.SampledFrom([]time.Duration{0, us, ms, s}).Draw(t, "precision")
	}
	e := &Environment{
		MaxClockOffset: d("maxClockOffset"),
		MaxRoundTrip:   d("maxRoundTrip"), MaxPause: d("maxPause"), Drain: d("drain"),
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
		switch rapid.IntRange(0, 5).Draw(t, "what") {
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
		case 5:
			more(&worse.MaxClockOffset)
		}
		after := of(t, &other, &worse)
		assert.GreaterOrEqual(t, after.Overlap, before.Overlap-20*us, "%+v %+v to %+v %+v", *c, *e, other, worse)
	})
}
