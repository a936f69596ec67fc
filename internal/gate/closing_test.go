package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/check"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// ofClient returns the judgement of a configuration with the client client-go and without a request timeout.
func ofClient(t require.TestingT, timings machine.Timings, e *bound.Environment) *Judgement {
	target := Target{Config: bound.Config{Timings: timings, Profile: machine.ClientGo}}
	target.SetClient(&ClientSaid{Kind: "client-go"}, false)
	j, err := Judge(target, e)
	require.NoError(t, err)
	return j
}

// TestClosing: that a client closes its connection counts like a timeout, where nothing else ends a request. A scenario that ships shows
// it, with the connection itself.
func TestClosing(t *testing.T) {
	const s = time.Second
	j := ofClient(t, machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s}, &bound.Environment{MaxRoundTrip: 100 * time.Millisecond})
	assert.Equal(t, Unsafe, j.Verdict)
	assert.Equal(t, 10*s, j.Result.Overlap)
	assert.Contains(t, j.Assumes(), "the client closes a connection on which nothing comes for 45s")
	shipped, err := scenarios.Named("client-closed-acquiring")
	require.NoError(t, err)
	assert.InDelta(t, 10*s, overlapOf(t, shipped), float64(2*time.Millisecond))

	j, err = Judge(Target{Config: bound.Config{Timings: j.Timings, Profile: machine.ClientGo}}, &j.Environment)
	require.NoError(t, err)
	assert.Equal(t, Safe, j.Verdict, "nothing is said of the client")
	assert.Contains(t, j.Assumes(), "then unsafe by 10s, see --client")
}

func overlapOf(t require.TestingT, s *scenarios.Scenario) time.Duration {
	r, err := scenarios.Run(s, scenarios.Options{Brief: true})
	require.NoError(t, err)
	for i := range r.Properties {
		if r.Properties[i].Name == check.SingleWork {
			return time.Duration(r.Properties[i].OverlapNs)
		}
	}
	return 0
}

// TestClosingsAttacked: no run in which an answer is lost, and the connection closed, has an overlap longer than computed; and some
// have one that is longer than without closings.
func TestClosingsAttacked(t *testing.T) {
	t.Parallel()
	beyond := 0
	rapid.Check(t, func(t *rapid.T) {
		ms := func(name string, least, most int) time.Duration {
			return time.Duration(rapid.IntRange(least, most).Draw(t, name)) * time.Millisecond
		}
		timings := machine.Timings{RetryPeriod: ms("retry", 1000, 28_000)}
		timings.RenewDeadline = max(timings.RetryPeriod*13/10+1, ms("renew", 20_000, 120_000))
		timings.LeaseDuration = (timings.RenewDeadline + timings.RetryPeriod + ms("lease", 0, 20_000)).Truncate(time.Second) + time.Second
		leg := ms("leg", 1, 300)
		j := &Judgement{Target: Target{Config: bound.Config{Timings: timings, Profile: machine.ClientGo}}, Environment: bound.Environment{MaxRoundTrip: 2 * leg}}
		j.SetClient(&ClientSaid{Kind: "client-go"}, false)
		require.NoError(t, j.bound())
		most, known := j.Result.AtMost()
		plain, err := bound.Of(&j.Config, &j.Environment)
		require.NoError(t, err)

		// The n-th renewal is sent then, unless something was lost before; the connection is closed when nothing has come for so long.
		n := rapid.IntRange(1, 4).Draw(t, "renewal")
		sent := 4*leg + time.Duration(n)*(timings.RetryPeriod+2*leg)
		closed := sent - timings.RetryPeriod + plan.LongestStall
		cut := func(from, to time.Duration) scenarios.Fault {
			return scenarios.Fault{Kind: plan.FaultLose, At: from, Until: &to, On: []string{"a"}, Leg: plan.ResponseLeg}
		}
		again := closed + 4*leg + ms("till again", 0, 5)
		s := &scenarios.Scenario{Name: "cut", Plan: scenarios.Plan{Seed: 1, Horizon: again + 10*time.Minute}}
		s.Network = scenarios.Network{Request: always(leg), Response: always(leg)}
		s.Faults = []scenarios.Fault{
			cut(sent+leg/2, closed-ms("before it closes", 1, 2)), {Kind: plan.FaultPartition, At: again, On: []string{"a"}},
		}
		jitter := rapid.Float64Range(0, 0.99).Draw(t, "jitter")
		for i, id := range []string{"a", "b"} {
			s.Candidates = append(s.Candidates, scenarios.Candidate{ID: id, Lock: plan.Lease, Profile: machine.ClientGo, Timings: timings,
				Client: &plan.Client{Retries: true}, Jitter: &jitter, StartAt: time.Duration(i) * ms("start", 5000, 40_000)})
		}
		shown := overlapOf(t, s)
		if shown > max(0, plain.Overlap)+time.Millisecond {
			beyond++
		}
		if known && shown > max(0, most)+time.Millisecond {
			t.Fatalf("%v %+v: computed %v, shown %v\n%+v", timings, j.Environment, most, shown, s.Faults)
		}
	})
	assert.Positive(t, beyond)
	t.Logf("%d beyond what is without closings", beyond)
}
