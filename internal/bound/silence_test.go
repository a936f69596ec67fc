package bound

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// TestBeginsUnread: an attempt to acquire begins only so long after an answer as waits and lost calls take.
func TestBeginsUnread(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		least  time.Duration
		pinged bool
		change func(*Config, *Environment)
		want   time.Duration
	}{
		{least: 0, want: 5 * s},
		{least: 11 * s, want: 11 * s},
		{least: 12 * s, want: 15 * s},
		{least: 26 * s, want: 30 * s},
		{least: 0, pinged: true, want: 15 * s},
		{least: 26 * s, pinged: true, want: 40 * s},
		{26 * s, false, func(c *Config, _ *Environment) { c.RequestTimeout = 0 }, 26 * s},
		{26 * s, false, func(_ *Config, e *Environment) { e.MaxPause = 1 }, 26 * s},
		{26 * s, false, func(_ *Config, e *Environment) { e.Reruns = true }, 26 * s},
		{26 * s, false, func(c *Config, _ *Environment) { c.Minor = 30 }, 26 * s},
		{44 * s, false, func(c *Config, _ *Environment) { c.RetryPeriod, c.RequestTimeout = 15*s, 10*s }, 46*s - 1},
		{0, true, func(_ *Config, e *Environment) { e.MaxRetryAfter = s }, 5 * s},
		{26 * s, false, func(c *Config, e *Environment) { c.Client.QPS, c.Client.Burst, e.OtherBurst = 5, 10, 30 }, 26 * s},
	} {
		config := &Config{
			Timings: machine.Timings{LeaseDuration: 30 * s, RenewDeadline: 20 * s, RetryPeriod: 5 * s}, Profile: machine.ClientGo,
			RequestTimeout: 10 * s, Client: &plan.Client{Retries: true}, Closes: true,
		}
		e := &Environment{MaxRoundTrip: s}
		if c.change != nil {
			c.change(config, e)
		}
		assert.Equal(t, c.want, newModel(config, e).beginsUnread(c.least, c.pinged), "%+v", c)
	}
}

// TestBeginsBeforeClosing: it can begin RetryPeriod after an answer that comes just after a ping.
func TestBeginsBeforeClosing(t *testing.T) {
	const s = time.Second
	config := &Config{
		Timings: machine.Timings{LeaseDuration: 32 * s, RenewDeadline: 14 * s, RetryPeriod: s}, Profile: machine.ClientGo,
		RequestTimeout: 8250 * time.Millisecond, Client: &plan.Client{Retries: true}, Closes: true,
	}
	m := newModel(config, &Environment{MaxRoundTrip: 2 * s})
	for least, want := range map[time.Duration]time.Duration{0: s, 29 * s: 29 * s, 30 * s: 31 * s, 32 * s: 32 * s} {
		assert.Equal(t, want, m.beginsBeforeClosing(least))
	}
}
