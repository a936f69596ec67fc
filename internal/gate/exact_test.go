package gate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/scenarios"
)

// overlap is the longest time for which two candidates' work ran at once.
func overlap(t testing.TB, s *scenarios.Scenario) time.Duration {
	result, err := scenarios.Run(s, scenarios.Options{})
	require.NoError(t, err)
	end := func(w *scenarios.Term) int64 {
		if w.EndedNs == nil {
			return int64(s.Horizon)
		}
		return *w.EndedNs
	}
	longest := int64(0)
	for i := range result.Terms {
		for j := range i {
			a, b := &result.Terms[i], &result.Terms[j]
			if a.Candidate != b.Candidate {
				longest = max(longest, min(end(a), end(b))-max(a.StartedNs, b.StartedNs))
			}
		}
	}
	return time.Duration(longest)
}

func TestSketch(t *testing.T) {
	const s, ms, us = time.Second, time.Millisecond, time.Microsecond
	for _, c := range []struct {
		lease, deadline, period, trip, timeout time.Duration
		release                                bool
		want                                   time.Duration
	}{
		{15 * s, 10 * s, 2 * s, 5 * s, 0, false, 8 * s},
		{15 * s, 10 * s, 2 * s, s, 5 * s, false, 5 * s},
		{15 * s, 10 * s, 2 * s, ms, 5 * s, false, 2003 * ms},
		{15 * s, 10 * s, 2 * s, 100 * ms, 3 * s, false, 1200 * ms},
		{5 * s, 3900 * ms, s, 340 * ms, 0, false, 1920 * ms},
		{60 * s, 15 * s, 5 * s, us, 0, true, 15 * s},
		{15 * s, 10 * s, 2 * s, 3100 * ms, 0, true, 25100 * ms},
		{270 * s, 240 * s, 60 * s, 0, 0, false, 30 * s},
	} {
		cfg := &bound.Config{
			Timings: machine.Timings{LeaseDuration: c.lease, RenewDeadline: c.deadline, RetryPeriod: c.period},
			Profile: machine.ClientGo, ReleaseOnCancel: c.release, RequestTimeout: c.timeout,
		}
		env := &bound.Environment{MaxRoundTrip: c.trip}
		r, err := bound.Of(cfg, env)
		require.NoError(t, err)
		got := overlap(t, Witness(cfg, env, r))
		t.Logf("%v: predicted %v, witness %v", c, r.Overlap, got)
		if d := r.Overlap - got; d < 0 || d > ms {
			t.Errorf("off by %v", d)
			Witness(cfg, env, r).WriteYAML(testWriter{t})
		}
		if r.Overlap != c.want {
			t.Errorf("want %v", c.want)
		}
	}
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) { w.t.Log(string(p)); return len(p), nil }
