package parity

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/stage"
	"interregnum/plan"
	"interregnum/scenarios"
)

// judged is a configuration in an environment without drift and freezes.
type judged struct {
	c bound.Config
	e bound.Environment
}

var judgements = rapid.Custom(func(t *rapid.T) judged {
	d := &drawer{t: t}
	j := judged{c: bound.Config{
		Timings: d.timings(), Profile: machine.ClientGo, ReleaseOnCancel: d.one(3, "release"),
	}}
	j.c.LeaseDuration = max(j.c.LeaseDuration, time.Second)
	if d.one(2, "timeout") {
		j.c.RequestTimeout = d.between("requestTimeout", 5*time.Millisecond, 2*j.c.RenewDeadline)
	}
	if d.one(2, "slow") {
		j.e.MaxRoundTrip = d.between("maxRoundTrip", 0, j.c.RenewDeadline)
	} else {
		j.e.MaxRoundTrip = d.between("maxRoundTrip", 0, 50*time.Millisecond)
	}
	if d.one(2, "drain") {
		j.e.Drain = d.between("drain", time.Millisecond, 10*time.Second)
	}
	return j
})

// TestWitnesses runs the witnesses of unsafe verdicts on the unmodified library.
func TestWitnesses(t *testing.T) {
	shown := map[bound.Kind]int{}
	for seed := 1; seed <= 1000; seed++ {
		j := judgements.Example(seed)
		if r := j.worst(t); !r.Safe() {
			shown[r.Plan.Kind]++
			j.replay(t, r)
		}
	}
	t.Log(shown)
	for _, k := range []bound.Kind{bound.Expired, bound.Released, bound.Wiped} {
		assert.Greater(t, shown[k], 10, k)
	}
}

func (j *judged) worst(t *testing.T) *bound.Result {
	require.NoError(t, bound.Refused(&j.c))
	r, err := bound.Of(&j.c, &j.e)
	require.NoError(t, err)
	return r
}

// replay runs a witness in both worlds, and returns the overlap that both show.
func (j *judged) replay(t *testing.T, r *bound.Result) time.Duration {
	s := stage.Witness(&j.c, &j.e, r)
	replayable(t, s)
	library, simulated := runLibrary(t, &s.Plan, nil), simulate(t, &s.Plan, nil)
	require.Empty(t, firstDifference("write", library.writes, simulated.writes), "%+v", *j)
	require.Empty(t, firstDifference("term", library.terms, simulated.terms), "%+v", *j)
	return library.overlap(s.Horizon)
}

// overlap is the longest time for which two candidates' work ran at once.
func (h *history) overlap(horizon time.Duration) time.Duration {
	end := func(t term) int64 {
		if t.ended == none {
			return int64(horizon)
		}
		return t.ended
	}
	longest := int64(0)
	for i, a := range h.terms {
		for _, b := range h.terms[:i] {
			if a.candidate != b.candidate {
				longest = max(longest, min(end(a), end(b))-max(a.started, b.started))
			}
		}
	}
	return time.Duration(longest)
}

// replayable requires of a witness what docs/method/model.md promises to whoever replays it on a library.
func replayable(t *testing.T, s *scenarios.Scenario) {
	require.True(t, showable(&s.Plan))
	constant := func(d *scenarios.Delay) bool { return d == nil || d.Min == d.Max }
	require.True(t, constant(&s.Network.Request) && constant(&s.Network.Response))
	first := &s.Candidates[0]
	for i := range s.Candidates {
		c := &s.Candidates[i]
		require.Equal(t, first.Timings, c.Timings)
		require.Equal(t, first.RequestTimeout, c.RequestTimeout)
		require.Nil(t, c.Rejoin)
	}
	for _, f := range s.Faults {
		require.Contains(t, []plan.FaultKind{
			plan.FaultDelay, plan.FaultPartition, plan.FaultLose, plan.FaultError,
		}, f.Kind)
		require.True(t, constant(f.Request) && constant(f.Response) && f.Probability == nil)
		require.NotEmpty(t, f.On)
		for _, on := range f.On {
			require.True(t, slices.ContainsFunc(s.Candidates, func(c scenarios.Candidate) bool { return c.ID == on }))
		}
	}
	var text strings.Builder
	require.NoError(t, s.WriteYAML(&text))
	require.LessOrEqual(t, strings.Count(text.String(), "leaseDuration:"), 1, "timings belong into defaults")
}

// TestPromised are the numbers that were seen on the library before there was a computation, what the computation makes
// of them, and what the library shows of that.
func TestPromised(t *testing.T) {
	const s, ms, us = time.Second, time.Millisecond, time.Microsecond
	for _, c := range []struct {
		lease, deadline, period, trip, timeout time.Duration
		release                                bool
		seen, worst                            time.Duration
	}{
		{15 * s, 10 * s, 2 * s, 5 * s, 0, false, 10 * s, 10 * s},
		{15 * s, 10 * s, 2 * s, s, 5 * s, false, 3 * s, 5 * s},
		{15 * s, 10 * s, 2 * s, ms, 5 * s, false, 2 * s, 2005 * ms},
		// Acquiring has no deadline, and takes three answers.
		{15 * s, 10 * s, 2 * s, ms, 15 * s, false, 10 * s, 10 * s},
		{15 * s, 10 * s, 2 * s, 750 * ms, 10 * s, false, 6500 * ms, 6500 * ms},
		{15 * s, 10 * s, 2 * s, 750 * ms, 0, false, 250 * ms, 250 * ms},
		{15 * s, 12 * s, 2 * s, 400 * ms, 0, false, 1200 * ms, 1200 * ms},
		{15 * s, 4 * s, 2 * s, 5100 * ms, 0, false, 4 * s, 4 * s},
		{4 * s, 2 * s, s, 200 * ms, 0, false, 200 * ms, 200 * ms},
		{5 * s, 2 * s, s, 500 * ms, 0, false, 500 * ms, 500 * ms},
		{4 * s, 2 * s, s, 10 * ms, 30 * s, false, 2 * s, 2 * s},
		{15 * s, 10 * s, 2 * s, 100 * ms, 15 * s, true, 20 * s, 22100 * ms},
		// Answers wait in the client's limiter, before its timeout starts.
		{9 * s, 6 * s, 1500 * ms, s, 300 * ms, false, 2500 * ms, 2500 * ms},
		{15 * s, 10 * s, 2 * s, 100 * ms, 3 * s, false, 1200 * ms, 1200 * ms},
		{5 * s, 3900 * ms, s, 340 * ms, 0, false, 1890 * ms, 1920 * ms},
		{60 * s, 15 * s, 5 * s, us, 0, true, 15 * s, 15 * s},
		{15 * s, 10 * s, 2 * s, 3100 * ms, 0, true, 21900 * ms, 25100 * ms},
		// A release whose write conflicts with the takeover reads again, and wipes.
		{15 * s, 10 * s, 2 * s, 550 * ms, 0, true, 22 * s, 22550 * ms},
		// Unsafe even where messages take no time.
		{270 * s, 240 * s, 60 * s, 0, 0, false, 30 * s, 30 * s},
	} {
		j := judged{
			c: bound.Config{
				Timings: machine.Timings{LeaseDuration: c.lease, RenewDeadline: c.deadline, RetryPeriod: c.period},
				Profile: machine.ClientGo, ReleaseOnCancel: c.release, RequestTimeout: c.timeout,
			},
			e: bound.Environment{MaxRoundTrip: c.trip},
		}
		r := j.worst(t)
		assert.Equal(t, c.worst, r.Overlap)
		got := j.replay(t, r)
		assert.InDelta(t, float64(c.worst), float64(got), float64(ms))
		assert.GreaterOrEqual(t, got, c.seen-ms)
	}
}

// TestTwoReleases runs on the library what no witness reaches: see the test of that name in internal/gate/stage.
func TestTwoReleases(t *testing.T) {
	s, err := scenarios.ReadFile("../gate/stage/testdata/two-releases.yaml")
	require.NoError(t, err)
	replayable(t, s)
	library, simulated := runLibrary(t, &s.Plan, nil), simulate(t, &s.Plan, nil)
	assert.Empty(t, firstDifference("write", library.writes, simulated.writes))
	assert.Empty(t, firstDifference("term", library.terms, simulated.terms))
	assert.Equal(t, 36911*time.Millisecond, library.overlap(s.Horizon))
}

// TestEndless runs plans whose overlap is longer than what the gate computes on the unmodified library: they are why it says that
// there is no longest.
func TestEndless(t *testing.T) {
	for name, want := range map[string]time.Duration{
		"two-releases":   36911 * time.Millisecond, // 27 s are computed
		"gathering":      47 * time.Second,         // 23.01 s are computed
		"surviving":      23098 * time.Millisecond, // 10.7 s are computed
		"slow-turns":     136 * time.Second,        // 18.5 s are computed
		"taking-back":    19890 * time.Millisecond, // 3.45 s are computed
		"losing-answers": 74350 * time.Millisecond, // 8.45 s are computed
		"conflicting":    50 * time.Second,         // 35 s are computed
		"taking-turns":   29400 * time.Millisecond, // 1.804 s are computed
	} {
		t.Run(name, func(t *testing.T) {
			s, err := scenarios.ReadFile("../gate/stage/testdata/" + name + ".yaml")
			require.NoError(t, err)
			require.True(t, showable(&s.Plan))
			library, simulated := runLibrary(t, &s.Plan, nil), simulate(t, &s.Plan, nil)
			require.Empty(t, firstDifference("write", library.writes, simulated.writes))
			require.Empty(t, firstDifference("term", library.terms, simulated.terms))
			assert.InDelta(t, float64(want), float64(library.overlap(s.Horizon)), float64(100*time.Millisecond))
		})
	}
}
