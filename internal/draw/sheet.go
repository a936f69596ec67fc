package draw

import (
	"strconv"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/reuse"
	"interregnum/plan"
)

// Sheet is a plan and the memory that it points to. Whoever draws many plans draws them on the same sheets: after the first
// ones no more memory is taken. The zero value is a sheet without a plan, ready for use. A sheet must not be copied.
type Sheet struct {
	Plan    plan.Plan
	drawing drawing

	// What the plan points to.
	durations reuse.Slab[time.Duration]
	fractions reuse.Slab[float64]
	drifts    reuse.Slab[int64]
	delays    reuse.Slab[plan.Delay]
	probes    reuse.Slab[plan.LivenessProbe]
	names     reuse.Slab[[1]string]
	clients   reuse.Slab[plan.Client]
	traffic   reuse.Slab[[mostTraffic]plan.Traffic]
	elections []string
	logs      logs

	// What is needed only while a plan is drawn.
	processes []plan.Candidate
	timings   []machine.Timings
	losses    []plan.OnLoss
	drains    []time.Duration
	allowed   []plan.FaultKind
	chosen    []plan.FaultKind
}

// reset empties the sheet and keeps its memory.
func (t *Sheet) reset() {
	t.Plan = plan.Plan{Candidates: t.Plan.Candidates[:0], Faults: t.Plan.Faults[:0]}
	t.durations.Reset()
	t.fractions.Reset()
	t.drifts.Reset()
	t.delays.Reset()
	t.probes.Reset()
	t.names.Reset()
	t.clients.Reset()
	t.traffic.Reset()
}

// on returns a list with that one name, of a candidate or a role, for a fault's On.
func (t *Sheet) on(name string) []string { return t.names.Put([1]string{name})[:] }

// fixed returns a delay of d that is not drawn, in the sheet's memory.
func (t *Sheet) fixed(d time.Duration) *plan.Delay { return t.delays.Put(plan.Delay{Min: d, Max: d}) }

// electionNames returns the names of n elections: e1, e2 …
func (t *Sheet) electionNames(n int) []string {
	for i := len(t.elections); i < n; i++ {
		t.elections = append(t.elections, "e"+strconv.Itoa(i+1))
	}
	return t.elections[:n:n]
}

// candidateID returns the name of the i-th candidate, from 0: a, b and so on to z, and then the characters after z.
func candidateID(i int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	if i < len(letters) {
		return letters[i : i+1]
	}
	return string(rune('a' + i))
}
