package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestUnstopped: whatever the timings, a run shows two leaders with another client than client-go for as long as the run lasts, by messages
// lost alone.
func TestUnstopped(t *testing.T) {
	t.Parallel()
	whole := func(t *rapid.T, name string, least, most int) time.Duration {
		return time.Duration(rapid.IntRange(least, most).Draw(t, name)) * time.Millisecond
	}
	rapid.Check(t, func(t *rapid.T) {
		c := bound.Config{
			Timings: machine.Timings{
				LeaseDuration: whole(t, "lease", 1000, 200_000), RenewDeadline: whole(t, "renew", 100, 200_000),
				RetryPeriod: whole(t, "retry", 100, 60_000),
			},
			Profile:         rapid.SampledFrom([]machine.Profile{machine.Fabric8, machine.Python, machine.Rust}).Draw(t, "profile"),
			ReleaseOnCancel: rapid.Bool().Draw(t, "release"),
		}
		c.RetryPeriod = min(c.RetryPeriod, c.RenewDeadline)
		if c.Profile.Client == machine.OfPython {
			c.RetryPeriod = max(c.RetryPeriod, time.Second)
			c.RenewDeadline = max(c.RenewDeadline, 2*c.RetryPeriod)
			c.LeaseDuration = max(c.LeaseDuration, c.RenewDeadline+time.Second).Truncate(time.Second)
			c.LeaseDuration += time.Second
		} else if rapid.Bool().Draw(t, "timeout") {
			c.RequestTimeout = whole(t, "request timeout", 1, 120_000)
		}
		e := bound.Environment{MaxRoundTrip: whole(t, "round trip", 0, 5000), MaxPause: whole(t, "pause", 0, 1000)}
		require.NoError(t, bound.Refused(&c))
		r, err := bound.Of(&c, &e)
		require.NoError(t, err)
		j := &Judgement{Target: Target{Config: c}, Environment: e, Result: r}
		require.NoError(t, j.show())
		assert.Equal(t, bound.Forever, j.Shown)
	})
}

// TestOtherFailover: no failover and no handover with another client than client-go in a calm network takes longer than computed.
func TestOtherFailover(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		retry := time.Duration(rapid.IntRange(100, 5000).Draw(t, "retry")) * time.Millisecond
		c := &bound.Config{
			Timings: machine.Timings{
				LeaseDuration: time.Duration(rapid.IntRange(1000, 30_000).Draw(t, "lease")) * time.Millisecond,
				RenewDeadline: retry * time.Duration(rapid.IntRange(2, 5).Draw(t, "renew")), RetryPeriod: retry,
			},
			Profile: machine.Fabric8, ReleaseOnCancel: rapid.Bool().Draw(t, "releaseOnCancel"),
		}
		if rapid.Bool().Draw(t, "in Rust") {
			c.Profile = machine.Rust
		} else if rapid.Bool().Draw(t, "in Python") {
			c.Profile, c.RetryPeriod = machine.Python, max(retry, time.Second)
			c.RenewDeadline = max(c.RenewDeadline, 2*c.RetryPeriod)
			c.LeaseDuration = (c.LeaseDuration + c.RenewDeadline).Truncate(time.Second) + time.Second
		}
		e := &bound.Environment{
			MaxRoundTrip:   gatetest.Sometimes(t, "round trip", time.Millisecond, retry/2),
			MaxDriftPPM:    rapid.SampledFrom([]int64{0, 200, 100_000}).Draw(t, "drift"),
			MaxPause:       gatetest.Sometimes(t, "pause", time.Millisecond, retry),
			MaxClockOffset: gatetest.Sometimes(t, "offset", time.Millisecond, 20*time.Second),
		}
		succeeds(t, c, e)
	})
}

// TestOtherLoad: three candidates with another client make as many requests as the gate says.
func TestOtherLoad(t *testing.T) {
	t.Parallel()
	for _, p := range []machine.Profile{machine.Fabric8, machine.Python, machine.Java, machine.CSharp, machine.Rust} {
		timings := machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}
		s := &scenarios.Scenario{Name: "load", Plan: scenarios.Plan{Seed: 1, Horizon: 10 * time.Hour}}
		for _, id := range []string{"a", "b", "c"} {
			s.Candidates = append(s.Candidates, scenarios.Candidate{ID: id, Profile: p, Lock: plan.Lease, Timings: timings})
		}
		r, err := scenarios.Run(s, scenarios.Options{Brief: true})
		require.NoError(t, err)
		a := float64(r.Stats.StoreOps) / s.Horizon.Seconds()
		assert.InEpsilon(t, bound.Load(&bound.Config{Timings: timings, Profile: p}, 3), a, 0.01, p.Name)
	}
}
