package bound

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// TestTooManyTurns: a number of turns that cannot be multiplied is no bound. It came out too small once.
func TestTooManyTurns(t *testing.T) {
	c := &Config{Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}}
	m := newModel(c, &Environment{})
	for turns, known := range map[time.Duration]bool{10: true, 1e6: true, 1 << 40: false, 1 << 62: false} {
		var r Result
		m.upTo = 0
		m.counted(&r, turns, 0)
		assert.Equal(t, known, m.upTo > 0, turns)
		assert.True(t, r.AtLeast)
	}
}

// TestCountsFromSecond: on two objects turns of v0.24 are counted from the writes on the second one where nobody can take the lock between
// the two writes of an attempt, and no two attempts look the same.
func TestCountsFromSecond(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	c := Config{
		Timings: machine.Timings{LeaseDuration: 2 * s, RenewDeadline: 1397 * ms, RetryPeriod: 1163 * ms},
		Profile: machine.ClientGoV024, ReleaseOnCancel: true, Lock: plan.ConfigMapsLeases, RequestTimeout: 30 * ms,
	}
	e := Environment{MaxRoundTrip: 600 * ms, MaxPause: 2 * s}
	for name, row := range map[string]struct {
		change func(c *Config, e *Environment)
		known  bool
	}{
		"as it is": {func(*Config, *Environment) {}, true},
		"a lease that runs out between two writes": {func(_ *Config, e *Environment) { e.MaxRoundTrip = 617 * ms }, false},
		"a Run that begins again":                  {func(_ *Config, e *Environment) { e.Reruns = true }, false},
		"a RetryPeriod below a second":             {func(c *Config, _ *Environment) { c.RetryPeriod = 999 * ms }, false},
		"a freeze over one of two ticks": {func(c *Config, _ *Environment) {
			c.LeaseDuration, c.RenewDeadline, c.RetryPeriod = 4*s, 3*s, 1200*ms
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			c, e := c, e
			row.change(&c, &e)
			assert.Equal(t, row.known, newModel(&c, &e).countsFromSecond())
			r, err := Of(&c, &e)
			require.NoError(t, err)
			if most, known := r.AtMost(); row.known {
				assert.True(t, known)
				assert.Greater(t, most, r.Overlap)
			}
		})
	}
}
