package scenariotest

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/few"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

var (
	strictRuns  = flag.Int("strict.runs", few.Else(450, 3000), "how many random scenarios strict must hold in")
	departRuns  = flag.Int("depart.runs", few.Of(3000), "how many random scenarios look for each departure from strict")
	strictFirst = flag.Int("strict.first", 0, "the seed of the first of them")
)

// tellingRuns is how many random scenarios of an environment must have shown what it allows. In fewer, that something
// did not happen says nothing of the generator.
const tellingRuns = 3000

var usual = machine.Timings{
	LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
}

// environments are those in which strict must hold: no process is frozen, work that drains ends within the window, and
// clocks drift no further than LeaseDuration / RenewDeadline allows.
func environments(p machine.Profile) map[string]Environment {
	return map[string]Environment{
		"any timings": {Profile: p},
		"drains":      {Profile: p, Timings: usual, MaxDrain: 5 * time.Second},
		"drift":       {Profile: p, Timings: usual, MaxDriftPPM: 190_000},
	}
}

// frozen are environments in which processes freeze, and work may go on for longer than the window: there only what a
// fencing token protects must hold, and the lock itself.
func frozen(p machine.Profile) map[string]Environment {
	all := make(map[string]Environment)
	for name, e := range environments(p) {
		e.Freezes = true
		all["frozen, "+name] = e
	}
	all["frozen, anything"] = Environment{Profile: p, Freezes: true, MaxDrain: 10 * time.Second, MaxDriftPPM: 400_000}
	return all
}

// expiring are environments of locks that expire by themselves. Nobody deletes them, a key's service counts in monotonic
// time, and nobody sets a database's clock.
func expiring(p machine.Profile) map[string]Environment {
	all := make(map[string]Environment)
	for kind, locks := range map[string]plan.Lock{"kv-ttl": plan.KVTTL, "sql-ttl": plan.SQLTTL} {
		for name, e := range environments(p) {
			e.Locks, e.Now = []plan.Lock{locks}, plan.DatabaseNow
			all[kind+", "+name] = e
		}
		all[kind+", frozen"] = Environment{
			Profile: p, Locks: []plan.Lock{locks}, Now: plan.DatabaseNow, Freezes: true, MaxDrain: 10 * time.Second, MaxDriftPPM: 400_000,
		}
	}
	all["sql-ttl, whole seconds"] = Environment{
		Profile: p, Timings: usual, MaxDrain: 4 * time.Second,
		Locks: []plan.Lock{plan.SQLTTL}, Now: plan.DatabaseNow, Precision: time.Second,
	}
	return all
}

// elections are environments in which each process takes part in several.
func elections(p machine.Profile) map[string]Environment {
	return map[string]Environment{
		"elections":         {Profile: p, Elections: true},
		"elections, drains": {Profile: p, Timings: usual, MaxDrain: 5 * time.Second, Elections: true},
		"elections, frozen": {Profile: p, Freezes: true, MaxDrain: 10 * time.Second, MaxDriftPPM: 400_000, Elections: true},
		"elections, kv-ttl": {Profile: p, Locks: []plan.Lock{plan.KVTTL}, MaxDriftPPM: 190_000, Timings: usual, Elections: true},
	}
}

// runsOf returns in how many scenarios of an environment strict must hold: a sixth of all where candidates have clients.
func runsOf(e Environment) int {
	if e.Clients {
		return *strictRuns / 6
	}
	return *strictRuns
}

// clients are environments in which candidates have clients.
func clients(p machine.Profile) map[string]Environment {
	return map[string]Environment{
		"clients":            {Profile: p, Timings: usual, MaxDrain: 5 * time.Second, Clients: true},
		"clients, frozen":    {Profile: p, Freezes: true, MaxDrain: 10 * time.Second, MaxDriftPPM: 400_000, Clients: true},
		"clients, elections": {Profile: p, Elections: true, Clients: true},
	}
}

// TestStrictHoldsInRandom: whatever the network, the clocks, crashes and restarts do, no two candidates with the strict
// profile lead or work at once, and the window between two of them is kept. Where processes freeze too, a resource that
// checks tokens accepts no write of an old leader after one of its successor.
func TestStrictHoldsInRandom(t *testing.T) {
	all := environments(machine.Strict)
	maps.Copy(all, frozen(machine.Strict))
	maps.Copy(all, expiring(machine.Strict))
	maps.Copy(all, elections(machine.Strict))
	maps.Copy(all, clients(machine.Strict))
	var campaign Campaign
	for name, e := range all {
		t.Run(name, func(t *testing.T) {
			campaign.In(e)
			terms, resource := holds(t, &campaign, e)
			t.Logf("%d terms, %+v", terms, resource)
			if *strictRuns < tellingRuns {
				return
			}
			assert.Greater(t, terms, runsOf(e), "hardly anybody ever led")
			if e.Freezes {
				assert.Positive(t, resource.Conflicting, "blind: no token was ever needed")
			}
		})
	}
	t.Log(campaign.String())
	if *strictRuns < tellingRuns {
		t.Logf("fewer than %d runs in each environment: too few to judge what they have shown", tellingRuns)
		return
	}
	assert.NoError(t, campaign.Blind())
}

// holds runs random scenarios of an environment, none of which may be other than expected.
func holds(t *testing.T, campaign *Campaign, e Environment) (terms int, sum check.Resource) {
	random := Random(e)
	for seed := *strictFirst; seed < *strictFirst+runsOf(e); seed++ {
		s := random.Example(seed)
		s.Seed = uint64(seed)
		stream, transitions := check.NewStream(s.Header()), check.NewTransitions(s.Header())
		r, err := campaign.Run(s, scenarios.Options{Sinks: []trace.Sink{stream, transitions}})
		require.NoError(t, err)
		if !r.AsExpected || stream.Broken() != "" || transitions.Broken() != "" {
			_, report := unexpected(s, r)
			report += stream.Broken() + transitions.Broken()
			text, _ := s.MarshalJSON()
			t.Fatalf("seed %d:\n%s\n%s", seed, report, text)
		}
		terms += len(r.Terms)
		if r.Resource != nil {
			sum.Writes += r.Resource.Writes
			sum.Conflicting += r.Resource.Conflicting
			sum.Refused += r.Resource.Refused
		}
	}
	return terms, sum
}

// run runs a scenario and says what it broke, "" for nothing.
func run(t require.TestingT, s *scenarios.Scenario) (*scenarios.Result, string) {
	r, err := scenarios.Run(s, scenarios.Options{})
	require.NoError(t, err)
	for _, p := range r.Properties {
		if p.Verdict == check.Violated {
			return r, fmt.Sprintf("%s %+v", p.Name, p.Violations)
		}
	}
	return r, ""
}

// TestDeparturesAreFound takes back one of strict's differences from client-go at a time. Each must break something, in
// the scenarios that ship or in random ones, or strict's holding there would prove nothing of it.
func TestDeparturesAreFound(t *testing.T) {
	for _, d := range departures {
		t.Run(d.name, func(t *testing.T) {
			p := machine.Strict
			d.take(&p)
			found := inLibrary(t, p)
			if found == "" {
				found = inRandom(t, p)
			}
			t.Log(found)
			assert.Equal(t, d.covered == "", found != "", "%s: %s", d.covered, found)
		})
	}
}

// shipped returns the scenarios that ship, and one of them aimed at strict.
func shipped(t *testing.T) []*scenarios.Scenario {
	all, err := scenarios.Library()
	require.NoError(t, err)
	// The retry in disguise, where strict's next attempt, which follows a slow one at once, is cut off as well.
	aimed, err := scenarios.Named("h16-retry-in-disguise")
	require.NoError(t, err)
	aimed.Name += "-aimed"
	aimed.Faults[1].At = 25003500 * time.Microsecond
	// Locks on several objects are safe with no algorithm, and what a probe, another election or a rollout ends, or does not,
	// is none's doing.
	all = slices.DeleteFunc(all, func(s *scenarios.Scenario) bool {
		return len(s.Elections) > 0 || s.Expect[check.RolloutEnds] == scenarios.ExpectViolated || s.Candidates[0].LivenessProbe != nil || s.Candidates[0].Coordinated || slices.ContainsFunc(s.Candidates, func(c scenarios.Candidate) bool { return c.Lock != plan.Lease })
	})
	return append(all, aimed)
}

// inLibrary looks for what p breaks and strict does not.
func inLibrary(t *testing.T, p machine.Profile) string {
	for _, s := range shipped(t) {
		if s.Candidates[0].Client != nil && p.ReadsFirst() {
			continue // no client is simulated with such a profile
		}
		for i := range s.Candidates {
			s.Candidates[i].Profile = p
		}
		if _, broken := run(t, s); broken != "" && s.Name != "h10-frozen-process" {
			return s.Name + ": " + broken
		}
	}
	return ""
}

func inRandom(t *testing.T, p machine.Profile) string {
	for name, e := range environments(p) {
		random := Random(e)
		for seed := range *departRuns {
			s := random.Example(seed)
			s.Seed = uint64(seed)
			if _, broken := run(t, s); broken != "" {
				return fmt.Sprintf("%s, seed %d: %s", name, seed, broken)
			}
		}
	}
	return ""
}
