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
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

var (
	huntMutants  = flag.Bool("mutants", false, "hunt the planted bugs, which make mutants compiles in")
	mutantRuns   = flag.Int("mutants.runs", 7000, "in how many random scenarios each must be found")
	controlTimes = flag.Int("mutants.control", 10, "how many times the runs that the slowest took must be silent without")
)

// hunt is what every mutant is run in: random scenarios of strict in all environments by turns, the same for each.
type hunt struct {
	names   []string
	all     map[string]Environment
	shipped map[string]*scenarios.Scenario
	// expiring is the hunt for those that are of locks that expire by themselves.
	expiring *hunt
}

func newHunt(t *testing.T) *hunt {
	h := &hunt{all: environments(machine.Strict), shipped: make(map[string]*scenarios.Scenario)}
	maps.Copy(h.all, frozen(machine.Strict))
	h.expiring = &hunt{all: expiring(machine.Strict)}
	h.expiring.names = slices.Sorted(maps.Keys(h.expiring.all))
	h.names = slices.Sorted(maps.Keys(h.all))
	for _, s := range append(shipped(t), toTheNanosecond()) {
		for i := range s.Candidates {
			s.Candidates[i].Profile = machine.Strict
		}
		s.Expect = nil
		if s.Name == "h10-frozen-process" {
			s.Expect = Environment{Freezes: true}.expect()
		}
		h.shipped[s.Name] = s
	}
	return h
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
			ID: id, Profile: machine.Strict, Lock: sim.Lease, Timings: timings, Jitter: &never,
		})
	}
	s.Faults = []scenarios.Fault{{Kind: sim.FaultPartition, At: 2*timings.RetryPeriod + time.Millisecond, On: []string{"a"}}}
	return s
}

// scenario is the i-th of the hunt.
func (h *hunt) scenario(i int) *scenarios.Scenario {
	seed := i / len(h.names)
	s := Random(h.all[h.names[i%len(h.names)]]).Example(seed)
	s.Seed = uint64(seed)
	return s
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
	stream, transitions, calls, turns := check.NewStream(s.Header()), check.NewTransitions(s.Header()), newCalls(), newTurns()
	r, err := scenarios.Run(s, scenarios.Options{
		Brief: true, Sinks: []trace.Sink{stream, transitions, calls, turns},
	})
	if err != nil {
		return []string{"standstill"}
	}
	for _, p := range r.Properties {
		if p.Verdict == check.Violated && s.Expect[p.Name] == "" {
			by = append(by, p.Name)
		}
	}
	note := func(fine bool, name string) {
		if !fine {
			by = append(by, name)
		}
	}
	note(stream.Broken() == "", "stream")
	note(transitions.Broken() == "", "transitions")
	if !s.Candidates[0].Lock.Expires() {
		note(porcupine.CheckOperations(register, calls.operations()), "register")
	}
	note(s.Expect[check.SingleWork] != "" || porcupine.CheckOperations(mutex, turns.history), "mutex")
	return by
}

// TestMutants switches on one planted bug after the other and hunts it. With none switched on nothing may be found.
func TestMutants(t *testing.T) {
	if !*huntMutants {
		t.Skip("wants the planted bugs compiled in: make mutants")
	}
	h := newHunt(t)
	defer planted.Switch("")
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "MUTANT\tFOUND BY\tIN\tRUNS")
	most := 0
	all := mutants.All()
	for _, m := range all {
		planted.Switch(m.Name)
		k, found := h.find(w, m)
		assert.True(t, found, "mutant %s survives: %s", m.Name, m.About)
		most = max(most, k.run+1)
	}
	planted.Switch("")
	require.NoError(t, w.Flush())
	write(os.Stdout, table.String())
	control := *controlTimes * most
	k, found := h.first(control, "")
	require.False(t, found, "without a mutant: %s found in %s", k.by, h.place(k.run))
	k, found = h.expiring.first(control, "")
	require.False(t, found, "without a mutant: %s found in %s", k.by, h.expiring.place(k.run))
	for name, s := range h.shipped {
		assert.Empty(t, wrong(s), "without a mutant, in %s", name)
	}
	write(os.Stdout, fmt.Sprintf("%d mutants killed, in at most %d runs; without one, %d runs and all shipped scenarios are silent\n",
		len(all), most, control))
}

// find hunts a mutant and adds a row to the table.
func (h *hunt) find(w io.Writer, m mutants.Mutant) (kill, bool) {
	if m.Scenario != "" {
		by := wrong(h.shipped[m.Scenario])
		fmt.Fprintf(w, "%s\t%s\t%s\t1\n", m.Name, strings.Join(by, ", "), m.Scenario)
		return kill{by: by}, len(by) > 0
	}
	if m.Expires {
		h = h.expiring
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
