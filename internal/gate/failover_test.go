package gate

import (
	"cmp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/internal/bound"
	"interregnum/internal/few"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// succession is a leader that ends at an instant, and its followers, on slow clocks.
type succession struct {
	cfg       *bound.Config
	env       *bound.Environment
	jitters   []float64
	out, back scenarios.Delay
	at        time.Duration
	kind      plan.FaultKind
	faults    []scenarios.Fault
	// follow is when the first follower starts, the second as much later again.
	follow time.Duration
	// leaderDriftPPM is the leader's clock.
	leaderDriftPPM int64
}

func (k *succession) scenario(within time.Duration) *scenarios.Scenario {
	s := &scenarios.Scenario{Name: "succession", Plan: scenarios.Plan{
		Seed: 1, Horizon: k.at + within + time.Second, Network: scenarios.Network{Request: k.out, Response: k.back},
	}}
	for i, jitter := range k.jitters {
		s.Candidates = append(s.Candidates, scenarios.Candidate{
			ID: string(rune('a' + i)), Profile: k.cfg.Profile, Lock: cmp.Or(k.cfg.Lock, plan.Lease), Now: k.cfg.Now,
			Timings:        k.cfg.Timings,
			RequestTimeout: k.cfg.RequestTimeout, ReleaseOnCancel: k.cfg.ReleaseOnCancel, Drain: k.env.Drain,
			Jitter: &jitter, StartAt: time.Duration(i) * k.follow,
			Clock: scenarios.Clock{DriftPPM: -k.env.MaxDriftPPM},
		})
	}
	s.Candidates[0].Clock = scenarios.Clock{Offset: k.env.MaxClockOffset, DriftPPM: k.leaderDriftPPM}
	if k.cfg.Lock.Expires() {
		s.Service.DriftPPM = -k.env.MaxDriftPPM
	}
	s.Faults = append(k.faults, scenarios.Fault{Kind: k.kind, At: k.at, On: []string{"a"}})
	return s
}

// took is the time until another works; 0 where one did before.
func (k *succession) took(t require.TestingT, within time.Duration) (time.Duration, *scenarios.Scenario) {
	s := k.scenario(within)
	result, err := scenarios.Run(s, scenarios.Options{})
	require.NoError(t, err)
	for _, w := range result.Terms {
		if w.Candidate != "a" {
			return max(0, time.Duration(w.StartedNs)-k.at), s
		}
	}
	return bound.Forever, s
}

// TestFailover: no failover and no handover in a calm network takes longer than computed.
func TestFailover(t *testing.T) {
	for _, k := range steadies(2) {
		t.Run(k.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c, e := k.draw(t)
				c.ReleaseOnCancel = rapid.Bool().Draw(t, "releaseOnCancel")
				e.Drain = gatetest.Sometimes(t, "drain", time.Millisecond, c.LeaseDuration)
				if bound.Unknown(c) == nil {
					succeeds(t, c, e)
				}
			})
		})
	}
}

// succeeds draws how leaders end; no failover and no handover may take longer than computed.
func succeeds(t *rapid.T, c *bound.Config, e *bound.Environment) {
	r, err := bound.Of(c, e)
	require.NoError(t, err)
	for range few.Else(10, 20) {
		k := drawSuccession(t, c, e)
		k.kind = plan.FaultCrash
		if took, s := k.took(t, r.Failover); took > r.Failover {
			show(t, c, e, r.Failover, s, "the failover takes "+took.String())
		}
		k.kind = plan.FaultCancel
		if took, s := k.took(t, r.Handover); took > r.Handover {
			show(t, c, e, r.Handover, s, "the handover takes "+took.String())
		}
	}
}

// drawSuccession draws when the leader ends, just after it has sent a request or anywhen, how round trips split, and
// freezes.
func drawSuccession(t *rapid.T, c *bound.Config, e *bound.Environment) *succession {
	k := &succession{cfg: c, env: e, follow: 3*e.MaxRoundTrip + c.RetryPeriod/2, leaderDriftPPM: -e.MaxDriftPPM}
	share := rapid.SampledFrom([]time.Duration{0, 1, 2}).Draw(t, "share")
	k.out, k.back = gatetest.Always(e.MaxRoundTrip*share/2), gatetest.Always(e.MaxRoundTrip*(2-share)/2)
	if rapid.Bool().Draw(t, "vary") {
		k.out.Min, k.back.Min = 0, 0
	}
	for range rapid.IntRange(2, 3).Draw(t, "candidates") {
		jitter := rapid.OneOf(rapid.Just(0.999), rapid.Float64Range(0, 0.999)).Draw(t, "jitter")
		k.jitters = append(k.jitters, jitter)
	}
	period := int64(bound.True(c.RetryPeriod, -e.MaxDriftPPM) + 3*e.MaxRoundTrip)
	k.at = time.Duration(3*period + rapid.Int64Range(0, 3*period).Draw(t, "at"))
	if rapid.Bool().Draw(t, "just sent") {
		calm := calmly{cfg: c, out: k.out.Max, back: k.back.Max, driftPPM: -e.MaxDriftPPM, horizon: k.at + 9*c.RetryPeriod}
		calm.horizon = 30 * time.Duration(period)
		k.at = calm.arrivals(t)[rapid.IntRange(0, 3).Draw(t, "renewal")] - k.out.Max + 1
		slow := gatetest.Always(e.MaxRoundTrip)
		none := gatetest.Always(0)
		until := k.at
		k.faults = append(k.faults, scenarios.Fault{
			Kind: plan.FaultDelay, At: k.at - 2, Until: &until, On: []string{"a"}, Request: &slow, Response: &none,
		})
	}
	for _, on := range []string{"a", "b"} {
		if e.MaxPause > 0 && rapid.Bool().Draw(t, "freeze "+on) {
			lasts := int64(bound.Failover(c, e))
			at := k.at + time.Duration(rapid.Int64Range(0, lasts).Draw(t, "frozen at"))
			until := at + e.MaxPause
			k.faults = append(k.faults, scenarios.Fault{Kind: plan.FaultPause, At: at, Until: &until, On: []string{on}})
		}
	}
	return k
}
