package outlook

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/internal/bound"
	_ "interregnum/internal/few/garbage"
	"interregnum/internal/forecast"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/internal/gate/files/programs"
	"interregnum/plan"
)

// TestThresholds: a threshold is met or violated only if the whole interval says so.
func TestThresholds(t *testing.T) {
	limit, share, gap := 2.0, 0.99, 30*time.Second
	all := Thresholds{MaxLosses: &limit, MinAvailability: &share, MaxGapP99: &gap, MaxOverlaps: &limit}
	with := func(losses, leaderless, gap forecast.Estimate, seen int) *forecast.Forecast {
		return &forecast.Forecast{Losses: losses, Leaderless: leaderless, Overlaps: losses, Gaps: forecast.Gaps{P99: gap, Seen: seen}}
	}
	for _, c := range []struct {
		name string
		f    *forecast.Forecast
		want []Verdict
		all  Verdict
	}{
		{"below", with(forecast.Estimate{Value: 1, Low: 0.5, High: 2}, forecast.Estimate{Value: 0.001, Low: 0, High: 0.009},
			forecast.Estimate{Value: 20, Low: 10, High: 30}, 5), []Verdict{Met, Met, Met, Met}, Met},
		{"around", with(forecast.Estimate{Value: 1, Low: 0.5, High: 2.1}, forecast.Estimate{Value: 0.001, Low: 0, High: 0.02},
			forecast.Estimate{Value: 20, Low: 10, High: 31}, 5), []Verdict{Undecided, Undecided, Undecided, Undecided}, Undecided},
		{"at the lower end", with(forecast.Estimate{Value: 3, Low: 2, High: 4}, forecast.Estimate{Value: 0.1, Low: 0.05, High: 0.2},
			forecast.Estimate{Value: 40, Low: 30, High: 50}, 5), []Verdict{Undecided, Undecided, Violated, Undecided}, Violated},
		{"above", with(forecast.Estimate{Value: 3, Low: 2.1, High: 4}, forecast.Estimate{Value: 0.1, Low: 0.05, High: 0.2},
			forecast.Estimate{Value: 40, Low: 31, High: 50}, 5), []Verdict{Violated, Violated, Violated, Violated}, Violated},
		{"no gap seen", with(forecast.Estimate{High: 1}, forecast.Estimate{High: 0.001}, forecast.Estimate{}, 0),
			[]Verdict{Met, Undecided, Met, Met}, Undecided},
		{"no gap", with(forecast.Estimate{}, forecast.Estimate{}, forecast.Estimate{}, 0), []Verdict{Met, Met, Met, Met}, Met},
		{"seldom led", with(forecast.Estimate{}, forecast.Estimate{Value: 0.99, Low: 0.98, High: 1}, forecast.Estimate{Value: 1, Low: 1, High: 1}, 5),
			[]Verdict{Undecided, Undecided, Violated, Undecided}, Violated},
		{"nothing known", with(forecast.Estimate{High: math.Inf(1)}, forecast.Estimate{High: 1}, forecast.Estimate{}, 0),
			[]Verdict{Undecided, Undecided, Undecided, Undecided}, Undecided},
	} {
		checks := all.checks(c.f)
		require.Len(t, checks, 4, c.name)
		for i, flag := range []string{MaxLosses, MaxGapP99, MinAvailability, MaxOverlaps} {
			assert.Equal(t, flag, checks[i].Flag)
			assert.Equal(t, c.want[i], checks[i].Verdict, "%s: %s", c.name, flag)
		}
		assert.Equal(t, c.all, worst(checks), c.name)
	}
	assert.Empty(t, (&Thresholds{}).checks(&forecast.Forecast{}))
	assert.Empty(t, worst(nil))
}

// TestFigures: a month is 30 days; a probability is of one overlap or more in 365 days.
func TestFigures(t *testing.T) {
	each := forecast.Estimate{Value: 1e-6, Low: 0.5e-6, High: 2e-6}
	byKey := map[string]Figure{}
	for _, f := range Figures(&forecast.Forecast{
		Losses: each, Restarts: each, Requests: each, Overlaps: forecast.Estimate{Value: 1 / Year.Seconds()}, Leaderless: each,
	}) {
		assert.NotContains(t, byKey, f.Key)
		byKey[f.Key] = f
	}
	assert.InDelta(t, 2.592, byKey["lossesPerMonth"].Value, 1e-9)
	assert.InDelta(t, 5.184, byKey["restartsPerMonth"].High, 1e-9)
	assert.InDelta(t, 2.592, byKey["leaderlessSecondsPerMonth"].Value, 1e-9)
	assert.InDelta(t, 0.0864, byKey["requestsPerDay"].Value, 1e-9)
	assert.InDelta(t, 99.9999, byKey["availabilityPercent"].Value, 1e-9)
	assert.InDelta(t, 99.9998, byKey["availabilityPercent"].Low, 1e-9)
	assert.InDelta(t, 99.99995, byKey["availabilityPercent"].High, 1e-9)
	assert.InDelta(t, 63.2120558829, byKey["overlapProbabilityPerYearPercent"].Value, 1e-9)
	assert.True(t, byKey["gapSecondsP99"].Unseen)
}

// judged returns the judgement of 15s/10s/2s with that timeout.
func judged(t *testing.T, timeout programs.Timeout, profile machine.Profile) *gate.Judgement {
	r := gate.JudgeTargets([]gate.Target{{
		Position: files.Position{File: "f.yaml"}, Timeout: timeout, Drain: 3 * time.Second,
		Config: bound.Config{Profile: profile, Timings: machine.Timings{
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		}},
	}}, gate.DefaultEnvironment())
	require.Empty(t, r.Problems)
	return r.Targets[0]
}

// TestQuestion: the candidate has what the gate knows of the target; where nobody knows a timeout it has none, and that is said.
func TestQuestion(t *testing.T) {
	s := &Site{Behaviour: &behaviour.Behaviour{}, Replicas: 2, RestartText: "10s"}
	for _, c := range []struct {
		timeout programs.Timeout
		profile machine.Profile
		want    time.Duration
		says    string
	}{
		{programs.Timeout{Kind: programs.Either}, machine.ClientGo, 0, "request timeout none (not known"},
		{programs.Timeout{Kind: programs.Half}, machine.ClientGo, 5 * time.Second, "request timeout 5s, half of RenewDeadline"},
		{programs.Timeout{Kind: programs.None}, machine.ClientGo, 0, "request timeout none (given)"},
		{programs.FixedTimeout(3 * time.Second), machine.ClientGo, 3 * time.Second, "request timeout 3s (given)"},
		{programs.Timeout{Kind: programs.Either}, machine.Python, 0, "request timeout none (that client has none)"},
	} {
		target := s.target(judged(t, c.timeout, c.profile))
		got := target.Question.Candidate
		assert.Equal(t, c.want, got.RequestTimeout, "%v", c)
		assert.Contains(t, target.Assumes(), c.says)
		assert.Equal(t, plan.Lease, got.Lock)
		assert.Equal(t, 3*time.Second, got.Drain)
		assert.Equal(t, c.profile.Name, got.Profile.Name)
		assert.Equal(t, 2, target.Question.Replicas)
		assert.Contains(t, target.Assumes(), "stays, and stands for election again at once")
	}
}

// TestReplicas: without a flag as many replicas count as a target's file says, up to what a forecast takes.
func TestReplicas(t *testing.T) {
	for _, test := range []struct {
		file  int
		said  bool
		count int
		words string
	}{
		{0, false, 2, "2 replicas"}, {1, false, 1, "1 replica, as the file says"}, {3, true, 2, "2 replicas"},
		{30, false, 20, "20 replicas, where the file says 30: a forecast takes no more"},
	} {
		s := &Site{Behaviour: &behaviour.Behaviour{}, Replicas: 2, ReplicasSaid: test.said}
		j := &gate.Judgement{}
		j.Replicas = test.file
		target := s.target(j)
		assert.Equal(t, test.count, target.Question.Replicas)
		assert.Equal(t, test.words, target.replicasWords())
	}
}
