package gate

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/few"
	"interregnum/plan"
	"interregnum/scenarios"
)

// judgeScenario judges the candidates of a scenario by its file, in environment e.
func judgeScenario(t *testing.T, s *scenarios.Scenario, e Environment) *Report {
	var written bytes.Buffer
	require.NoError(t, s.WriteYAML(&written))
	return judgeText(t, written.String(), e)
}

// verdictOf returns the verdict of judgeScenario. It looks for no changes that would make the candidates safe.
func verdictOf(t *testing.T, s *scenarios.Scenario, e Environment) Verdict {
	var written bytes.Buffer
	require.NoError(t, s.WriteYAML(&written))
	return judgeFiles(unchanged, []string{"-"}, &written, &Unsaid{Profile: machine.ClientGo}, e).Verdict()
}

// judgeText judges what is in a file with that text, in environment e.
func judgeText(t *testing.T, text string, e Environment) *Report {
	path := filepath.Join(t.TempDir(), "scenario.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return JudgeFiles([]string{path}, nil, &Unsaid{Profile: machine.ClientGo}, e)
}

// environmentOf returns the default environment with these numbers, given as name and value in turn, from flags.
func environmentOf(t *testing.T, numbers ...string) Environment {
	e := DefaultEnvironment()
	for i := 0; i < len(numbers); i += 2 {
		require.NoError(t, e.Set(numbers[i], numbers[i+1], "--"+numbers[i]))
	}
	return e
}

// TestScenarioClient: all of a scenario's client counts: its limiter, the other traffic of it, the time to connect. The verdict says so.
func TestScenarioClient(t *testing.T) {
	const short = "leaseDuration: 15s, renewDeadline: 9s, retryPeriod: 1s, requestTimeout: 2s"
	for _, c := range []struct {
		settings, client string
		numbers          []string
		verdict          Verdict
		words            string
	}{
		{short, "client-go", nil, Safe, "5 requests a second, bursts of 10 (the file), no other traffic"},
		{short, "{other: [{at: 4s, count: 60}]}", nil, Unsafe, "other traffic up to 0 a second, bursts of 60 (the file)"},
		{short, "{other: [{at: 4s, count: 10}]}", []string{"other-burst", "60"}, Unsafe, "bursts of 60 (the environment, which allows more than the file)"},
		{short, "{other: [{at: 4s, count: 60}]}", []string{"other-qps", "1"}, Unsafe, "up to 1 a second, bursts of 60 (the file and the environment)"},
		{short, "{other: [{at: 4s, every: 1s, count: 2}, {at: 9s, every: 2s}]}", nil, Unsafe, "up to 2.5 a second, bursts of 3 (the file)"},
		{short, "{other: [{at: 4s, every: 10ms, until: 4495ms}]}", nil, Unsafe, "up to 0 a second, bursts of 50 (the file)"},
		{short, "{other: [{at: 4s, every: 300ms, until: 10s}]}", nil, Unsafe, "up to 3.3333333333333335 a second, bursts of 1 (the file)"},
		{short, "{other: [{at: 4s, every: 300ms, until: 10s}]}", []string{"reruns", "true"}, Unsafe, "up to 0 a second, bursts of 21 (the file)"},
		{short, "{other: [{at: 4s, every: 1s, drawn: true}]}", []string{"other-burst", "1"}, Safe, "bursts of 1 (the environment; in the file it is drawn)"},
		{short, "{other: [{at: 4s, count: 60}], protocol: http/1.1}", nil, Unsafe, "5 requests a second, bursts of 10 (the file), other traffic up to 0 a second"},
		{"leaseDuration: 20s", "{kind: controller-runtime, dial: 4s}", []string{"max-round-trip", "200ms"}, Unsafe, "up to 4s to connect"},
		{"leaseDuration: 20s", "controller-runtime", []string{"max-round-trip", "200ms"}, Safe, "no limit of requests (the file), no Retry-After"},
		{short, "{kind: controller-runtime, dial: 4s, protocol: http/1.1}", []string{"max-round-trip", "200ms"}, Unsafe, "up to 4s to connect"},
		{short, "{kind: controller-runtime, protocol: http/1.1}", []string{"max-round-trip", "200ms"}, Safe, "no limit of requests (the file)"},
		{short + ", profile: strict", "{other: [{at: 4s, count: 60}], dial: 4s}", nil, Safe, "5 requests a second, bursts of 10 (the file)"},
		{"profile: client-go-next, leaseDuration: 15s", "{other: [{at: 4s, count: 60}]}", nil, Unsafe, "bursts of 60 (the file)"},
	} {
		r := judgeText(t, "name: s\nhorizon: 60s\ndefaults: {"+short+"}\ncandidates: [{id: a, client: "+c.client+
			", "+c.settings+"}]\n", environmentOf(t, c.numbers...))
		require.Len(t, r.Targets, 1, "%s: %v", c.client, r.Problems)
		assert.Equal(t, c.verdict, r.Targets[0].Verdict, "%s %s", c.client, c.settings)
		assert.Contains(t, r.Targets[0].Assumes(), c.words, c.client)
	}
	drawn := judgeText(t, "name: s\nhorizon: 60s\ncandidates: [{id: a, client: {other: [{at: 1s, every: 1s, drawn: true}]}}]\n", DefaultEnvironment())
	require.Len(t, drawn.Problems, 1)
	assert.Contains(t, drawn.Problems[0].Text, "want otherQPS and otherBurst of the environment")
}

// TestScenariosAsTheirFaults: no shipped scenario whose candidates have a client overlaps, if the gate finds these safe where all that the
// scenario's faults do is possible. The same is so with leases that are longer, with which some are safe.
func TestScenariosAsTheirFaults(t *testing.T) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	safe := 0
	longer := func(s *scenarios.Scenario) *scenarios.Scenario {
		s.Candidates = slices.Clone(s.Candidates)
		for i := range s.Candidates {
			s.Candidates[i].LeaseDuration *= 50
		}
		return s
	}
	for i := range 2 * len(all) {
		s := all[i/2]
		if s.Candidates[0].Client == nil {
			continue
		}
		if i%2 == 1 {
			s = longer(s)
		}
		e, bounded := surroundings(t, s)
		if !bounded {
			continue
		}
		r := judgeScenario(t, s, e)
		if assert.NotEmpty(t, r.Targets, s.Name); r.Verdict() == Safe {
			safe++
			assert.Zero(t, workedAtOnce(t, s), s.Name)
		}
	}
	assert.GreaterOrEqual(t, safe, 3)
}

// surroundings returns an environment in which all that the scenario's network and faults do is possible; false if there is none.
func surroundings(t *testing.T, s *scenarios.Scenario) (Environment, bool) {
	trip := s.Network.Request.Max + s.Network.Response.Max
	e := environmentOf(t)
	longest := trip
	for _, f := range s.Faults {
		switch f.Kind {
		case plan.FaultDelay:
			for _, d := range []*plan.Delay{f.Request, f.Response} {
				if d != nil {
					longest = max(longest, trip+d.Max)
				}
			}
		case plan.FaultStall:
			require.NoError(t, e.Set("max-stall", "45s", "--max-stall"))
		case plan.FaultThrottle:
			require.NoError(t, e.Set("max-retry-after", f.RetryAfter.String(), "--max-retry-after"))
		case plan.FaultBrownout:
			if f.Factor == nil {
				return e, false
			}
			longest = max(longest, time.Duration(*f.Factor*float64(trip)))
		case plan.FaultPartition, plan.FaultLose, plan.FaultError:
		default:
			return e, false
		}
	}
	require.NoError(t, e.Set("max-round-trip", longest.String(), "--max-round-trip"))
	return e, true
}

// workedAtOnce runs the scenario, and returns how long two work at once.
func workedAtOnce(t *testing.T, s *scenarios.Scenario) time.Duration {
	result, err := scenarios.Run(s, scenarios.Options{Brief: true})
	require.NoError(t, err)
	return time.Duration(check.Named(result.Properties, check.SingleWork).OverlapNs)
}

// TestRandomClients: if two work at once in a random run, the gate does not find its candidates safe in an environment whose round
// trips are as long as the run's. Messages are lost and operations fail, and the clients have other traffic, and take time to connect.
func TestRandomClients(t *testing.T) {
	draw := rand.New(rand.NewPCG(17, 1))
	others, dials := 0, 0 // overlaps that only other traffic makes, or only the time to connect
	for range few.Of(40_000) {
		s := randomClients(draw)
		if workedAtOnce(t, s) == 0 {
			continue
		}
		e := environmentOf(t, "max-round-trip", "20ms")
		if verdictOf(t, s, e) == Safe {
			var text strings.Builder
			require.NoError(t, s.WriteYAML(&text))
			require.FailNow(t, "safe by the gate", text.String())
		}
		c := s.Candidates[0].Client
		had := *c
		if c.Other = nil; verdictOf(t, s, e) == Safe {
			others++
		}
		*c = had
		if c.Dial = 0; verdictOf(t, s, e) == Safe {
			dials++
		}
	}
	assert.GreaterOrEqual(t, others, 5)
	assert.GreaterOrEqual(t, dials, 2)
}

// randomClients draws a scenario of two candidates with a client, in which a loses messages at first, and then all.
func randomClients(draw *rand.Rand) *scenarios.Scenario {
	const s, ms = time.Second, time.Millisecond
	upTo := func(d time.Duration) time.Duration { return time.Duration(draw.Int64N(int64(d))) }
	one := func(n int) bool { return draw.IntN(n) == 0 }
	deadline := time.Duration(5+draw.IntN(3)) * s
	c := scenarios.Candidate{
		ID: "a", Profile: machine.ClientGo, Lock: plan.Lease, Clock: scenarios.Clock{Offset: upTo(s)},
		Timings:        machine.Timings{LeaseDuration: deadline + time.Duration(3+draw.IntN(3))*s, RenewDeadline: deadline, RetryPeriod: s},
		RequestTimeout: time.Duration(1+draw.IntN(2)) * s,
		Client:         &plan.Client{QPS: 5, Burst: 5 + draw.IntN(10), Retries: true},
	}
	losesAt := upTo(4 * s)
	switch draw.IntN(3) {
	case 0:
		c.LeaseDuration, c.RetryPeriod, c.RequestTimeout = deadline+5*s, 2*s, 2*s
		c.Client.HTTP1, c.Client.Dial = true, 2*s-upTo(200*ms)-50*ms
	case 1:
		c.Client.Other = []plan.Traffic{{At: losesAt + upTo(s), Count: 20 + draw.IntN(50)}}
	default:
		until := 20 * s
		c.Client.Other = []plan.Traffic{{At: losesAt + upTo(s), Every: s, Until: &until, Count: 1 + draw.IntN(4)}, {At: upTo(4 * s), Count: 20}}
	}
	b := c
	b.ID, b.StartAt, b.Client = "b", upTo(3*s), &plan.Client{QPS: 5, Burst: 10, Retries: true}
	b.Jitter = new(float64)
	window := func(kind plan.FaultKind, from, long time.Duration) scenarios.Fault {
		until := from + long
		return scenarios.Fault{Kind: kind, At: from, Until: &until, On: []string{"a"}}
	}
	lost := window(plan.FaultLose, losesAt, upTo(s)+ms)
	lost.Leg = plan.ResponseLeg
	failed := window(plan.FaultError, upTo(4*s), upTo(300*ms)+ms)
	failed.Status, failed.Applied = 500, one(2)
	leg := scenarios.Delay{Min: 10 * ms, Max: 10 * ms}
	return &scenarios.Scenario{Name: "random", Plan: scenarios.Plan{
		Seed: 1, Horizon: time.Minute, Network: scenarios.Network{Request: leg, Response: leg}, Candidates: []scenarios.Candidate{c, b},
		Faults: []scenarios.Fault{lost, failed, window(plan.FaultPartition, losesAt+2*s+upTo(12*s), time.Hour)},
	}}
}
