package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

// writes notes when the lock is written.
type writes struct{ at []time.Duration }

func (n *writes) Observe(e *trace.Event) {
	if e.Kind == trace.Written {
		n.at = append(n.at, time.Duration(e.At))
	}
}

// TestSlowestFailover: failovers come within a millisecond of what is computed, where the lease lasts for a whole number
// of the longest waits.
func TestSlowestFailover(t *testing.T) {
	for _, p := range []machine.Profile{machine.ClientGo, machine.ClientGoV024, machine.Strict} {
		t.Run(p.Name, func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { slowest(t, p) }) })
	}
}

const almostOne = 0.9999999

func slowest(t *rapid.T, p machine.Profile) {
	lease := time.Duration(rapid.IntRange(5, 120).Draw(t, "lease")) * time.Second
	e := &bound.Environment{
		MaxRoundTrip: gatetest.DrawLike(t, "maxRoundTrip", time.Microsecond, lease/20),
		MaxDriftPPM:  rapid.SampledFrom([]int64{0, 200, 100_000}).Draw(t, "maxDriftPPM"),
		MaxPause:     gatetest.Sometimes(t, "maxPause", time.Millisecond, lease/8),
	}
	// The last poll before the lease runs out begins just before that: so many waits and answers after the first.
	polls := time.Duration(rapid.IntRange(1, 2).Draw(t, "polls"))
	waits := bound.True(lease, -e.MaxDriftPPM) - (polls-1)*e.MaxRoundTrip - 20*time.Microsecond
	c := &bound.Config{Profile: p}
	c.LeaseDuration, c.RenewDeadline = lease, lease*99/100
	c.RetryPeriod = bound.Local(waits/polls, -e.MaxDriftPPM) * 10 / 22
	require.NoError(t, bound.Refused(c))
	if !bound.Steady(c, e) {
		t.Skip()
	}
	r, err := bound.Of(c, e)
	require.NoError(t, err)
	k := slowSuccession(t, c, e, r.Failover)
	if took, s := k.took(t, r.Failover); took < r.Failover-time.Millisecond || took > r.Failover {
		show(t, c, e, r.Failover, s, "it takes "+took.String())
	}
}

// slowSuccession is the worst case: the leader crashes with a slow write on its way; the follower reads just before that
// is applied, waits for as long as it can each time, and is frozen just before it takes over.
func slowSuccession(t require.TestingT, c *bound.Config, e *bound.Environment, within time.Duration) *succession {
	calm := calmly{cfg: c, back: e.MaxRoundTrip, horizon: 4 * (c.RetryPeriod + 2*e.MaxRoundTrip)}
	var seen writes
	_, err := scenarios.Run(calm.scenario(), scenarios.Options{Sinks: []trace.Sink{&seen}})
	require.NoError(t, err)
	sent := seen.at[len(seen.at)-1]
	slow, none, until := gatetest.Always(e.MaxRoundTrip), gatetest.Always(0), sent+1
	k := &succession{
		cfg: c, env: e, jitters: []float64{0, almostOne}, back: gatetest.Always(e.MaxRoundTrip), at: sent + 1, kind: plan.FaultCrash,
		follow: sent + e.MaxRoundTrip - 1,
		faults: []scenarios.Fault{{
			Kind: plan.FaultDelay, At: sent, Until: &until, On: []string{"a"}, Request: &slow, Response: &none,
		}},
	}
	if e.MaxPause > 0 {
		wakes := sent + within - 2*e.MaxRoundTrip
		at := wakes - e.MaxPause - 100*time.Microsecond
		k.faults = append(k.faults, scenarios.Fault{Kind: plan.FaultPause, At: at, Until: &wakes, On: []string{"b"}})
	}
	return k
}
