package scenariotest

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/mutants"
	"interregnum/internal/mutants/planted"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
)

var (
	huntMutants  = flag.Bool("mutants", false, "hunt the planted bugs, which make mutants compiles in")
	mutantRuns   = flag.Int("mutants.runs", 7000, "in how many random scenarios each must be found")
	controlTimes = flag.Int("mutants.control", 10, "how many times the runs that the slowest took must be silent without")
)

// hunt is what every mutant of a ground is run in: random scenarios of all environments by turns, the same for each.
type hunt struct {
	names []string
	all   map[string]func(seed int) *scenarios.Scenario
}

// newHunt is that of strict in environments.
func newHunt(environments ...map[string]Environment) *hunt {
	h := &hunt{all: map[string]func(int) *scenarios.Scenario{}}
	for _, some := range environments {
		for name, e := range some {
			h.all[name] = func(seed int) *scenarios.Scenario {
				s := Random(e).Example(seed)
				s.Seed = uint64(seed)
				return s
			}
		}
	}
	h.names = slices.Sorted(maps.Keys(h.all))
	return h
}

// newHunts are those of all grounds.
func newHunts() map[mutants.Ground]*hunt {
	objects := newHunt(map[string]Environment{
		// Several renewals within a second, and less than that to spare.
		"configmap": {Profile: machine.Strict, Locks: []plan.Lock{plan.ConfigMap}, Timings: machine.Timings{
			LeaseDuration: 2 * time.Second, RenewDeadline: 1700 * time.Millisecond, RetryPeriod: 200 * time.Millisecond,
		}},
		"endpoints": {Profile: machine.Strict, Locks: []plan.Lock{plan.Endpoints}, Timings: usual, MaxDrain: 5 * time.Second},
	})
	two := Random(Environment{Profile: machine.Strict, Locks: []plan.Lock{plan.ConfigMapsLeases, plan.EndpointsLeases}})
	objects.all["two objects"] = func(seed int) *scenarios.Scenario {
		s := two.Example(seed)
		s.Seed, s.Expect = uint64(seed), map[string]scenarios.Expectation{}
		// No profile is safe there.
		for _, property := range check.Names() {
			s.Expect[property] = scenarios.ExpectAny
		}
		return s
	}
	objects.names = slices.Sorted(maps.Keys(objects.all))
	return map[mutants.Ground]*hunt{
		mutants.Leases:    newHunt(environments(machine.Strict), frozen(machine.Strict)),
		mutants.Expiring:  newHunt(expiring(machine.Strict)),
		mutants.Elections: newHunt(elections(machine.Strict)),
		mutants.Objects:   objects,
		mutants.Coordinated: {
			names: []string{"coordinated"}, all: map[string]func(int) *scenarios.Scenario{"coordinated": coordinated},
		},
		mutants.Rollouts: {
			names: []string{"rollouts"}, all: map[string]func(int) *scenarios.Scenario{"rollouts": rolling(rollingOut["drains"])},
		},
	}
}

// prey are the scenarios that ship: with strict where that is safe, the others as they are.
type prey struct {
	strict, asShipped map[string]*scenarios.Scenario
}

func newPrey(t *testing.T) *prey {
	h := &prey{strict: map[string]*scenarios.Scenario{}, asShipped: map[string]*scenarios.Scenario{}}
	all, err := scenarios.Library()
	require.NoError(t, err)
	for _, s := range all {
		h.asShipped[s.Name] = s
	}
	for _, s := range slices.Concat(shipped(t), []*scenarios.Scenario{toTheNanosecond()}, mended(t)) {
		for i := range s.Candidates {
			s.Candidates[i].Profile = machine.Strict
		}
		s.Expect = map[string]scenarios.Expectation{check.RolloutEnds: s.Expect[check.RolloutEnds]}
		if s.Expect[check.RolloutEnds] == "" {
			s.Expect = nil
		}
		if s.Name == "h10-frozen-process" {
			s.Expect = Environment{Freezes: true}.expect()
		}
		h.strict[s.Name] = s
		delete(h.asShipped, s.Name)
	}
	behind := leftBehind()
	h.asShipped[behind.Name] = behind
	return h
}

// mended are what was found in strict, and does not happen any more.
func mended(t *testing.T) (all []*scenarios.Scenario) {
	for _, name := range []string{"rerun-after-another-took-over", "rerun-finds-the-lock-gone", "one-identity-twice-answer-lost",
		"lock-deleted-after-a-blank", "rerun-after-a-lost-release-finds-the-lock-gone"} {
		s, err := scenarios.ReadFile("../../testdata/regress/" + name + ".yaml")
		require.NoError(t, err)
		all = append(all, s)
	}
	return all
}

// leftBehind has a, whose lock is on two objects, reach nobody while b takes one of them. From then on the other one names a
// and never changes.
func leftBehind() *scenarios.Scenario {
	s := &scenarios.Scenario{Name: "left-behind"}
	s.Horizon = 90 * time.Second
	until, rejoin, jitter := 45*time.Second, time.Second, 0.5
	for _, c := range []scenarios.Candidate{{ID: "a", Lock: plan.EndpointsLeases}, {ID: "b", Lock: plan.Lease, StartAt: time.Second}} {
		c.Profile, c.Timings, c.Jitter, c.Rejoin, c.RequestTimeout = machine.ClientGo, usual, &jitter, &rejoin, time.Second
		s.Candidates = append(s.Candidates, c)
	}
	s.Faults = []scenarios.Fault{{Kind: plan.FaultPartition, At: 20 * time.Second, Until: &until, On: []string{"a"}}}
	return s
}

// wrong lists what is wrong with the scenario of that name.
func (p *prey) wrong(name string) (by []string) {
	if s := p.strict[name]; s != nil {
		return wrong(s)
	}
	s := p.asShipped[name]
	r, err := scenarios.Run(s, scenarios.Options{Brief: true})
	if err != nil {
		return []string{"standstill"}
	}
	for i := range r.Properties {
		if !s.Fulfils(&r.Properties[i]) {
			by = append(by, r.Properties[i].Name)
		}
	}
	return by
}

// toTheNanosecond has b look at the record at the instant in which a has renewed it for the last time, and a nanosecond
// before it expires.
func toTheNanosecond() *scenarios.Scenario {
	s := &scenarios.Scenario{Name: "to-the-nanosecond"}
	s.Horizon = 30 * time.Second
	timings := machine.Timings{LeaseDuration: 7 * time.Second, RenewDeadline: 5 * time.Second}
	timings.RetryPeriod = (timings.LeaseDuration - 1) / 3
	never := 0.0
	for _, id := range []string{"a", "b"} {
		s.Candidates = append(s.Candidates, scenarios.Candidate{
			ID: id, Profile: machine.Strict, Lock: plan.Lease, Timings: timings, Jitter: &never,
		})
	}
	s.Faults = []scenarios.Fault{{Kind: plan.FaultPartition, At: 2*timings.RetryPeriod + time.Millisecond, On: []string{"a"}}}
	return s
}

// scenario is the i-th of the hunt.
func (h *hunt) scenario(i int) *scenarios.Scenario {
	return h.all[h.names[i%len(h.names)]](i / len(h.names))
}

// place says where the i-th run is found: make strict takes the same environments and seeds.
func (h *hunt) place(i int) string {
	return fmt.Sprintf("%s, seed %d", h.names[i%len(h.names)], i/len(h.names))
}

// kill is the first run in which a mutant was found, and by what.
type kill struct {
	run int
	by  []string
}

// first looks for the first of so many runs that something is wrong with and, where killer is not "", that this check
// says so.
func (h *hunt) first(runs int, killer string) (kill, bool) {
	const batch = 64
	for from := 0; from < runs; from += batch {
		found := make([][]string, min(batch, runs-from))
		parallel(len(found), func(i int) { found[i] = wrong(h.scenario(from + i)) })
		for i, by := range found {
			if len(by) > 0 && (killer == "" || slices.Contains(by, killer)) {
				return kill{from + i, by}, true
			}
		}
	}
	return kill{run: runs}, false
}

// parallel calls do with 0 to n-1, on every core.
func parallel(n int, do func(int)) {
	var wait sync.WaitGroup
	workers := min(n, runtime.GOMAXPROCS(0))
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	wait.Wait()
}

// wrong lists what is wrong with a run: properties, what the events and the record say of themselves, and the oracles.
func wrong(s *scenarios.Scenario) (by []string) {
	header := s.Header()
	stream, transitions := check.NewStream(header), check.NewTransitions(header)
	processes, order, leaders := newProcesses(s), newOrder(header), newLeaders(s)
	registers, mutexes := histories(header)
	sinks := slices.Concat([]trace.Sink{stream, transitions, processes, order, leaders}, registers.sinks, mutexes.sinks)
	r, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: sinks})
	if err != nil {
		return []string{"standstill"}
	}
	for i := range r.Properties {
		p := &r.Properties[i]
		if p.Verdict == check.Violated && s.Expect[p.Name] == "" || check.Asked(p.Name) && !s.Fulfils(p) {
			by = append(by, p.Name)
		}
	}
	note := func(fine bool, name string) {
		if !fine {
			by = append(by, name)
		}
	}
	note(stream.Broken() == "", "stream")
	counts := s.Coordinator == nil && len(header.Candidates[0].Objects) < 2 // a coordinator does not, and two records may differ
	note(!counts || transitions.Broken() == "", "transitions")
	processes.until(int64(s.Horizon))
	note(processes.broken == "", "process")
	note(!order.broken, "pair")
	note(s.Coordinator == nil || leaders.right(), "best")
	note(s.Candidates[0].Lock.Expires() || registers.linearizable(), "register")
	note(s.Expect[check.SingleWork] != "" || s.Coordinator != nil || mutexes.linearizable(), "mutex")
	return by
}

// oracle is consumers of a run, and what says whether any model explains what they have seen.
type oracle struct {
	sinks  []trace.Sink
	checks []func() bool
}

func (o *oracle) linearizable() bool {
	return !slices.ContainsFunc(o.checks, func(check func() bool) bool { return !check() })
}

// histories are those of each object of each election, and of the work in each election.
func histories(h *trace.Header) (registers, mutexes *oracle) {
	registers, mutexes = &oracle{}, &oracle{}
	objects := h.Objects()
	if objects == nil {
		objects = []trace.Object{trace.Lease}
	}
	add := func(run *trace.Projection) {
		of := func(sink trace.Sink) trace.Sink {
			if run == nil {
				return sink
			}
			return &inElection{run, sink}
		}
		for _, o := range objects {
			calls := newCalls()
			calls.object = o
			registers.sinks = append(registers.sinks, of(calls))
			registers.checks = append(registers.checks, func() bool { return porcupine.CheckOperations(register, calls.operations()) })
		}
		turns := newTurns()
		mutexes.sinks = append(mutexes.sinks, of(turns))
		mutexes.checks = append(mutexes.checks, func() bool { return porcupine.CheckOperations(mutex, turns.history) })
	}
	runs := h.Project()
	for _, run := range runs {
		add(run)
	}
	if len(runs) == 0 {
		add(nil)
	}
	return registers, mutexes
}

// TestMutants switches on one planted bug after the other and hunts it. With none switched on nothing may be found.
func TestMutants(t *testing.T) {
	if !*huntMutants {
		t.Skip("wants the planted bugs compiled in: make mutants")
	}
	hunts, shipped := newHunts(), newPrey(t)
	defer planted.Switch("")
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "MUTANT\tFOUND BY\tIN\tRUNS")
	most := map[mutants.Ground]int{}
	all := slices.DeleteFunc(mutants.All(), func(m mutants.Mutant) bool { return hunts[m.Ground] == nil }) // hunted elsewhere
	for _, m := range all {
		planted.Switch(m.Name)
		k, found := find(hunts[m.Ground], shipped, w, m)
		assert.True(t, found, "mutant %s survives: %s", m.Name, m.About)
		most[m.Ground] = max(most[m.Ground], k.run+1)
	}
	planted.Switch("")
	require.NoError(t, w.Flush())
	write(os.Stdout, table.String())
	runs := 0
	for ground, h := range hunts {
		control := *controlTimes * most[ground]
		k, found := h.first(control, "")
		require.False(t, found, "without a mutant: %s found in %s", k.by, h.place(k.run))
		runs += control
	}
	for _, some := range []map[string]*scenarios.Scenario{shipped.strict, shipped.asShipped} {
		for name := range some {
			assert.Empty(t, shipped.wrong(name), "without a mutant, in %s", name)
		}
	}
	write(os.Stdout, fmt.Sprintf("%d mutants killed, in at most %d runs; without one, %d runs and all shipped scenarios are silent\n",
		len(all), slices.Max(slices.Collect(maps.Values(most))), runs))
}

// find hunts a mutant and adds a row to the table.
func find(h *hunt, shipped *prey, w io.Writer, m mutants.Mutant) (kill, bool) {
	if m.Scenario != "" {
		by := shipped.wrong(m.Scenario)
		fmt.Fprintf(w, "%s\t%s\t%s\t1\n", m.Name, strings.Join(by, ", "), m.Scenario)
		return kill{by: by}, len(by) > 0
	}
	k, found := h.first(*mutantRuns, m.Killer)
	if !found {
		fmt.Fprintf(w, "%s\tNOTHING\t\t%d\n", m.Name, k.run)
		return kill{}, false
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", m.Name, strings.Join(k.by, ", "), h.place(k.run), strconv.Itoa(k.run+1))
	return k, true
}

func write(w io.Writer, text string) { _, _ = io.WriteString(w, text) }
