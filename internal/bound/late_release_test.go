package bound

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// released returns the result of a configuration with a release, whose client closes connections.
func released(t *testing.T, lease, deadline, period, timeout time.Duration, client *plan.Client, e Environment) *Result {
	c := &Config{
		Timings: machine.Timings{LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: period}, Profile: machine.ClientGo,
		ReleaseOnCancel: true, RequestTimeout: timeout, Client: client, Closes: true,
	}
	require.NoError(t, Refused(c))
	r, err := Of(c, &e)
	require.NoError(t, err)
	return r
}

// TestLateReleases: whether a release with a client can outlast a lease, so that leaders gather, is told on both sides of each limit.
func TestLateReleases(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	limited, free := &plan.Client{QPS: 5, Burst: 10, Retries: true}, &plan.Client{Retries: true}
	burst := func(tokens int) *plan.Client { return &plan.Client{QPS: 5, Burst: tokens, Retries: true} }
	second := Environment{MaxRoundTrip: s}
	for name, c := range map[string]struct {
		lease, deadline, period, timeout time.Duration
		client                           *plan.Client
		e                                Environment
		want                             string // the upper bound, "endless", or "unknown"
	}{
		"nothing shares the client":           {15 * s, 10 * s, 2 * s, 0, limited, second, "23s"},
		"three tokens less":                   {15 * s, 10 * s, 2 * s, 0, burst(7), second, "23s"},
		"four tokens less":                    {15 * s, 10 * s, 2 * s, 0, burst(6), second, "unknown"},
		"a burst of others":                   {15 * s, 10 * s, 2 * s, 0, limited, Environment{MaxRoundTrip: s, OtherBurst: 15}, "endless"},
		"answers as long as two tokens":       {15 * s, 10 * s, 2 * s, 0, limited, Environment{MaxRoundTrip: 400 * ms, OtherBurst: 25}, "endless"},
		"answers as long as a token":          {15 * s, 10 * s, 2 * s, 0, limited, Environment{MaxRoundTrip: 200 * ms, OtherBurst: 25}, "unknown"},
		"answers shorter than a token":        {15 * s, 10 * s, 2 * s, 0, limited, Environment{MaxRoundTrip: 100 * ms, OtherBurst: 25}, "14m53.3s"},
		"short leases beside a limiter":       {4 * s, 3 * s, 500 * ms, 0, limited, Environment{MaxRoundTrip: 100 * ms}, "1m43.8s"},
		"answers that ask to wait":            {15 * s, 10 * s, 2 * s, 5 * s, limited, Environment{MaxRoundTrip: 100 * ms, MaxRetryAfter: s}, "endless"},
		"waits that end with the release":     {23 * s, 10 * s, 2 * s, 5 * s, limited, Environment{MaxRoundTrip: 100 * ms, MaxRetryAfter: s}, "22.1s"},
		"a small bucket":                      {15 * s, 10 * s, 2 * s, 5 * s, burst(5), Environment{MaxRoundTrip: 500 * ms, OtherBurst: 20}, "endless"},
		"waits that end before the lease":     {30 * s, 10 * s, 2 * s, 0, limited, Environment{MaxRoundTrip: s, OtherBurst: 15}, "23s"},
		"closed under the read":               {60 * s, 40 * s, 15 * s, 0, free, second, "endless"},
		"a write is not sent again":           {60 * s, 40 * s, 15 * s, 0, &plan.Client{}, second, "1m36s"},
		"until the timeout, before the lease": {104 * s, 50 * s, 2 * s, 25 * s, free, second, "1m43s"},
		"until the timeout, and the write":    {78 * s, 50 * s, 2 * s, 25 * s, free, second, "unknown"},
		"until the timeout, after the lease":  {77 * s, 50 * s, 2 * s, 25 * s, free, second, "endless"},
		"no time for a closing":               {40 * s, 22 * s, 2 * s, 0, free, second, "47s"},
		"time for a closing":                  {40 * s, 22 * s, 2*s + 1, 0, free, second, "endless"},
		"no ping before the last success":     {33 * s, 16 * s, 13 * s, 0, free, second, "46s"},
		"a ping while the lock is acquired":   {30 * s, 15 * s, 5 * s, 7500 * ms, free, Environment{MaxRoundTrip: 2350 * ms}, "unknown"},
		"a ping too long before the release":  {30 * s, 15 * s, 5 * s, 7500 * ms, free, Environment{MaxRoundTrip: 2 * s}, "37s"},
		"a ping between two successes":        {60 * s, 30 * s, 2 * s, 15 * s, limited, second, "1m3s"},
		"it runs again":                       {33 * s, 16 * s, 13 * s, 0, free, Environment{MaxRoundTrip: s, Reruns: true}, "unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			r := released(t, c.lease, c.deadline, c.period, c.timeout, c.client, c.e)
			got := "unknown"
			if most, known := r.AtMost(); known {
				got = most.Round(time.Millisecond).String()
			} else if r.Unbounded {
				got = r.Plan.Endless.String()
				assert.Equal(t, "gathering", got)
				got = "endless"
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestHolderCloses: with a RetryPeriod below a second a closing can make the holder's last write of a second come so late that a release
// which meets it may outlast a lease. No upper bound is known then. If work and release are over before a connection is closed they cannot.
func TestHolderCloses(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	free, e := &plan.Client{Retries: true}, Environment{MaxRoundTrip: s}
	_, known := released(t, 50*s, 25*s, 500*ms, 0, free, e).AtMost()
	assert.False(t, known)
	most, known := released(t, 40*s, 21*s, 500*ms, 0, free, e).AtMost()
	assert.True(t, known)
	assert.Equal(t, 43*s+500*ms, most)
	most, known = released(t, 15*s, 10*s, 500*ms, 5*s, free, e).AtMost()
	assert.True(t, known)
	assert.Equal(t, 21*s+500*ms, most)
}

// TestFewAttempts: with a RetryPeriod of half a second two attempts to acquire begin in a second. The latter begins with a write only if its
// candidate has read its own name before, and so has written in another second, too. With a shorter one there is time for a third.
func TestFewAttempts(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, c := range []struct {
		period time.Duration
		want   time.Duration // 0 if no upper bound is known
	}{{500 * ms, 5200 * ms}, {499 * ms, 0}} {
		r, err := Of(&Config{
			Timings: machine.Timings{LeaseDuration: 5 * s, RenewDeadline: 2 * s, RetryPeriod: c.period}, Profile: machine.ClientGo, ReleaseOnCancel: true,
		}, &Environment{MaxRoundTrip: 700 * ms})
		require.NoError(t, err)
		most, known := r.AtMost()
		assert.Equal(t, c.want > 0, known)
		assert.Equal(t, c.want, most)
	}
}

// TestBlindClosings: a blind release begins after a poll in which any answer can be the last one before a closing, so that no upper bound is
// known wherever a ping can come in time.
func TestBlindClosings(t *testing.T) {
	const s = time.Second
	c := &Config{
		Timings: machine.Timings{LeaseDuration: 30 * s, RenewDeadline: 20 * s, RetryPeriod: 5 * s}, Profile: machine.ClientGoV024,
		ReleaseOnCancel: true, RequestTimeout: 5 * s, Closes: true,
	}
	r, err := Of(c, &Environment{MaxRoundTrip: s})
	require.NoError(t, err)
	_, known := r.AtMost()
	assert.False(t, known)
	c.Closes = false
	r, err = Of(c, &Environment{MaxRoundTrip: s})
	require.NoError(t, err)
	_, known = r.AtMost()
	assert.True(t, known)
}
