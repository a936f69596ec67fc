// Package coordinator runs the leader-election-controller of the API server, unmodified, with the library's LeaseCandidates and
// electors, on virtual time, and holds the simulated coordinator against it.
package coordinator

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

var (
	plans = flag.Int("coordinator.plans", 60, "how many plans to compare")
	first = flag.Int("coordinator.first", 1, "the seed of the first")
)

// write is a write of the Lease, or of the LeaseCandidate of that name.
type write struct {
	at      time.Duration
	object  string
	name    string
	seconds int64
}

// TestSame compares every write of the Lease and of all LeaseCandidates, to the nanosecond.
func TestSame(t *testing.T) {
	total, elections := 0, 0
	for seed := *first; seed < *first+*plans; seed++ {
		writes := compare(t, draw(uint64(seed)),
			fmt.Sprintf("plan %d (-run Same -coordinator.plans 1 -coordinator.first %[1]d)", seed))
		total += len(writes)
		for _, w := range writes {
			if w.seconds == 5 {
				elections++
			}
		}
	}
	require.NotZero(t, elections)
	t.Logf("%d plans, %d writes, %d of them elections: no difference", *plans, total, elections)
}

// TestShipped compares those scenarios that ship whose faults can be shown here. Answers take no time: a watch of the
// server has no delay.
func TestShipped(t *testing.T) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	shown := 0
	for _, s := range all {
		if s.Coordinator == nil || s.Name == "coordinated-same-second" || slices.ContainsFunc(s.Faults, unshown) {
			continue
		}
		shown++
		still := plan.Delay{Min: 2 * time.Millisecond, Max: 2 * time.Millisecond}
		way := plan.Delay{Min: 300 * time.Microsecond, Max: 300 * time.Microsecond}
		s.Network = plan.Network{Request: still}
		s.Coordinator.Request, s.Coordinator.Response = &way, nil
		compare(t, &s.Plan, s.Name)
	}
	require.NotZero(t, shown)
	t.Logf("%d scenarios: no difference", shown)
}

func unshown(f plan.Fault) bool {
	return f.Kind != plan.FaultCrash && f.Kind != plan.FaultRestart && f.Kind != plan.FaultError
}

// TestElectionLost: one failed request of the controller costs minutes. Clocks a little ahead stand for the delay of a
// watch: they make answers to a ping later than the controller's own.
func TestElectionLost(t *testing.T) {
	s, err := scenarios.Named("coordinated-election-lost")
	require.NoError(t, err)
	way := plan.Delay{Min: 300 * time.Microsecond, Max: 300 * time.Microsecond}
	s.Network = plan.Network{Request: way}
	s.Coordinator.Request, s.Coordinator.Response = &way, nil
	for i := range s.Candidates {
		s.Candidates[i].Clock.Offset = 5 * time.Millisecond
	}
	var last, longest time.Duration
	for _, w := range compare(t, &s.Plan, s.Name) {
		if w.object == "lease" {
			longest, last = max(longest, w.at-last), w.at
		}
	}
	t.Logf("no write of the Lease for %v", longest)
	require.Greater(t, longest, 4*time.Minute)
}

// TestRetriesAreNeverReset: what a candidate's failures to register have taught it to wait it waits when, much later, one
// answer to a ping fails.
func TestRetriesAreNeverReset(t *testing.T) {
	jitter := 0.5
	still := plan.Delay{Min: time.Millisecond, Max: time.Millisecond}
	model := plan.Candidate{
		Profile: machine.ClientGo, Lock: plan.Lease, Coordinated: true, BinaryVersion: "1.36", Jitter: &jitter,
		Timings: machine.Timings{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second},
	}
	first, second := model, model
	first.ID, second.ID, second.StartAt, second.EmulationVersion = "a", "b", 60*time.Second, "1.35"
	registers, answers := 10*time.Second, 61*time.Second
	plan := &plan.Plan{
		Horizon: 100 * time.Second, Network: plan.Network{Request: still}, Candidates: []plan.Candidate{first, second},
		Coordinator: &plan.Coordinator{Request: &still},
		Faults: []plan.Fault{
			{Kind: plan.FaultError, At: time.Millisecond, Until: &registers, On: []string{"a"}, Verb: machine.Create, Status: 500},
			{Kind: plan.FaultError, At: 59 * time.Second, Until: &answers, On: []string{"a"}, Verb: machine.Update, Status: 500},
		},
	}
	var registrations []time.Duration
	for _, w := range compare(t, plan, "retries") {
		if w.object == "candidate" && w.name == "a" {
			registrations = append(registrations, w.at)
		}
	}
	t.Log(registrations)
	require.Greater(t, registrations[0], registers)
	require.Greater(t, registrations[2]-registrations[1], 10*time.Second, "from the ping to its answer")
}

// TestSameSecond: two equal candidates that register in one second, and nothing goes wrong. The controller takes the lead
// from the one and gives it to the other again and again, since the order of its cache decides.
func TestSameSecond(t *testing.T) {
	s, err := scenarios.Named("coordinated-same-second")
	require.NoError(t, err)
	way := plan.Delay{Min: 300 * time.Microsecond, Max: 300 * time.Microsecond}
	s.Network = plan.Network{Request: way}
	s.Coordinator.Request = &way
	changes, holder := 0, ""
	for _, w := range runReal(t, &s.Plan) {
		if w.object == "lease" && w.name != holder {
			holder = w.name
			changes++
		}
	}
	t.Logf("%d holders in %v", changes, s.Horizon)
	require.Greater(t, changes, 2)
}

// compare returns what the real ones wrote.
func compare(t *testing.T, plan *plan.Plan, what string) []write {
	t.Helper()
	real, simulated := ordered(runReal(t, plan)), ordered(simulate(t, plan))
	for i := range max(len(real), len(simulated)) {
		if i < len(real) && i < len(simulated) && real[i] == simulated[i] {
			continue
		}
		text, err := json.Marshal(plan)
		require.NoError(t, err)
		t.Fatalf("%s: write %d:\n  real:      %v\n  simulated: %v\n%s", what, i,
			real[min(i, len(real)):min(i+4, len(real))], simulated[min(i, len(simulated)):min(i+4, len(simulated))], text)
	}
	return real
}

// ordered brings what was written at one instant into one order.
func ordered(writes []write) []write {
	slices.SortStableFunc(writes, func(a, b write) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		if a.object != b.object {
			return len(a.object) - len(b.object)
		}
		return int(a.name[0]) - int(b.name[0])
	})
	return writes
}

type gather struct{ writes []write }

func (g *gather) Observe(e *trace.Event) {
	switch e.Kind {
	case trace.Written:
		g.writes = append(g.writes, write{time.Duration(e.At), "lease", e.Holder, e.Amount})
	case trace.CandidacyWritten:
		g.writes = append(g.writes, write{time.Duration(e.At), "candidate", e.Holder, 0})
	}
}

func simulate(t *testing.T, plan *plan.Plan) []write {
	var g gather
	_, err := sim.Run(plan, &g)
	require.NoError(t, err)
	return g.writes
}

// draw makes a plan in which no two processes begin in one second: whom the controller then takes for the older one is
// left to the order of a map.
func draw(seed uint64) *plan.Plan {
	r := rand.New(rand.NewPCG(seed, 1))
	between := func(low, high time.Duration) time.Duration { return low + time.Duration(r.Int64N(int64(high-low))) }
	still := func(d time.Duration) plan.Delay { return plan.Delay{Min: d, Max: d} }
	p := &plan.Plan{Seed: seed, Horizon: between(60*time.Second, 240*time.Second)}
	p.Network = plan.Network{Request: still(between(0, 20*time.Millisecond) + 1)}
	way := still(between(0, 5*time.Millisecond) + 1)
	p.Coordinator = &plan.Coordinator{StartAt: between(0, 10*time.Second), Request: &way}
	jitter := r.Float64()
	seconds := r.Perm(40)
	for i := range 2 + r.IntN(3) {
		retry := between(300*time.Millisecond, 2500*time.Millisecond)
		deadline := between(retry*13/10+time.Second, retry*13/10+9*time.Second)
		c := plan.Candidate{
			ID: string(rune('a' + i)), Profile: machine.ClientGo, Lock: plan.Lease, Jitter: &jitter, Coordinated: true,
			StartAt: time.Duration(seconds[i])*time.Second + between(0, 800*time.Millisecond),
			Timings: machine.Timings{
				LeaseDuration: deadline + between(time.Second, 6*time.Second), RenewDeadline: deadline, RetryPeriod: retry,
			},
			BinaryVersion: fmt.Sprintf("1.%d", 35+r.IntN(2)),
		}
		c.EmulationVersion = fmt.Sprintf("1.%d", 34+r.IntN(2))
		if r.IntN(3) > 0 {
			rejoin := between(time.Millisecond, 10*time.Second)
			c.Rejoin = &rejoin
		}
		if r.IntN(4) == 0 {
			c.Clock.Offset = between(-8*time.Second, 20*time.Second)
		}
		p.Candidates = append(p.Candidates, c)
	}
	for range r.IntN(4) {
		p.Faults = append(p.Faults, fault(r, p, between))
	}
	return p
}

func fault(r *rand.Rand, p *plan.Plan, between func(low, high time.Duration) time.Duration) plan.Fault {
	f := plan.Fault{At: 50*time.Second + between(0, p.Horizon-50*time.Second), On: []string{plan.CoordinatorID}}
	on := p.Candidates[r.IntN(len(p.Candidates))].ID
	switch r.IntN(4) {
	case 0:
		f.Kind, f.On = plan.FaultCrash, []string{on}
	case 1:
		f.Kind, f.On = plan.FaultRestart, []string{on}
	case 2:
		f.Kind = plan.FaultRestart
	case 3:
		if r.IntN(2) == 0 { // early enough to meet a registration
			f.At = between(time.Second, 50*time.Second)
		}
		f.Kind, f.Status, f.Verb = plan.FaultError, 500, []machine.Verb{machine.Create, machine.Update}[r.IntN(2)]
		if r.IntN(2) == 0 {
			f.On = []string{on}
		}
		until := f.At + between(time.Second, 20*time.Second)
		f.Until = &until
	}
	return f
}
