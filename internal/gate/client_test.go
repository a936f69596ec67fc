package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios/plan"
)

func TestClientShown(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, c := range []struct {
		lease, deadline, period, trip, timeout time.Duration
		qps                                    float64
		burst                                  int
		otherQPS                               float64
		otherBurst                             int
		release                                bool
	}{
		{15 * s, 10 * s, 2 * s, s, 0, 5, 10, 0, 0, false},
		{15 * s, 10 * s, 2 * s, s, 0, 5, 10, 0, 20, false},
		{15 * s, 10 * s, 2 * s, s, 0, 5, 10, 3, 20, false},
		{15 * s, 10 * s, 2 * s, s, 5 * s, 5, 10, 3, 20, false},
		{15 * s, 10 * s, 2 * s, s, 5 * s, 5, 10, 0, 40, false},
		{15 * s, 10 * s, 2 * s, 100 * ms, 0, 5, 10, 0, 40, false},
		{15 * s, 10 * s, 2 * s, 100 * ms, 0, 5, 10, 0, 40, true},
		{15 * s, 10 * s, 2 * s, 100 * ms, 5 * s, 5, 10, 0, 20, true},
		{15 * s, 10 * s, 2 * s, 100 * ms, 5 * s, 50, 100, 0, 0, true},
		{15 * s, 10 * s, 2 * s, 100 * ms, 0, 5, 1, 0, 0, false},
		{60 * s, 40 * s, 2 * s, 100 * ms, 0, 5, 10, 0, 100, false},
		{60 * s, 40 * s, 2 * s, 100 * ms, 20 * s, 5, 10, 2, 100, false},
	} {
		cfg := bound.Config{
			Timings: machine.Timings{LeaseDuration: c.lease, RenewDeadline: c.deadline, RetryPeriod: c.period},
			Profile: machine.ClientGo, ReleaseOnCancel: c.release, RequestTimeout: c.timeout,
			Client: &plan.Client{QPS: c.qps, Burst: c.burst, Retries: true},
		}
		env := &bound.Environment{MaxRoundTrip: c.trip, OtherQPS: c.otherQPS, OtherBurst: c.otherBurst}
		j, err := Judge(Target{Config: cfg}, env)
		require.NoError(t, err)
		t.Log(c, j.Verdict, j.Result.Overlap, "wait", bound.ClientWait(&cfg, env), "calm", j.Result.Calm().Overlap, "shown", j.Shown, j.Result.Terms, j.Result.Upper, j.Result.Slack, j.Result.Unbounded)
	}
}

func TestClientRetries(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, c := range []struct {
		lease, deadline, period, trip, timeout, again time.Duration
	}{
		{15 * s, 10 * s, 2 * s, s, 0, s},
		{15 * s, 10 * s, 2 * s, 100 * ms, 5 * s, s},
		{15 * s, 10 * s, 2 * s, 100 * ms, 0, 3 * s},
		{60 * s, 40 * s, 2 * s, 100 * ms, 0, 2 * s},
		{60 * s, 40 * s, 2 * s, 100 * ms, 20 * s, 2 * s},
		{60 * s, 40 * s, 2 * s, 100 * ms, 20 * s, 7 * s},
	} {
		cfg := bound.Config{
			Timings: machine.Timings{LeaseDuration: c.lease, RenewDeadline: c.deadline, RetryPeriod: c.period},
			Profile: machine.ClientGo, RequestTimeout: c.timeout, Client: &plan.Client{Retries: true},
		}
		env := &bound.Environment{MaxRoundTrip: c.trip, MaxRetryAfter: c.again}
		j, err := Judge(Target{Config: cfg}, env)
		require.NoError(t, err)
		t.Log(c, j.Verdict, j.Result.Overlap, "calm", j.Result.Calm().Overlap, "shown", j.Shown, j.Result.Terms, j.Result.Upper, j.Result.Slack, j.Result.Unbounded)
	}
}
