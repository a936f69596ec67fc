package check

import (
	"slices"

	"interregnum/internal/trace"
)

// The properties' names.
const (
	SingleRecord = "single-record"
	SingleBelief = "single-belief"
	SingleWork   = "single-work"
	SafetyWindow = "safety-window"
	FencedWrites = "fenced-writes"
	Liveness     = "liveness"
	AllStand     = "all-stand"
	RolloutEnds  = "rollout-ends"
)

// row is a property: all that the rest of the project knows of it but its fold. docs/method/model.md has its claim.
type row struct {
	name string
	kind Kind
	// claim is the sentence that holds.
	claim string
	// asked tells that a run is judged by it only where somebody asks for it by name. Every run is judged by the others.
	asked bool
	// whole tells that the claim is about the run, and the same in each of its elections.
	whole bool
	// fold returns a fold that has yet to be reset. It is told of events of these kinds alone and, if a lock expires by
	// itself, of those in expiring.
	fold            func() fold
	kinds, expiring trace.KindSet
}

// newFold returns a fold of the type F that has yet to be reset.
func newFold[F any, P interface {
	*F
	fold
}]() fold {
	return P(new(F))
}

// fold judges one election of a run, whose roster shows how things stood just before each event.
type fold interface {
	// reset begins the judgement of a run. Of an earlier run only memory is kept.
	reset(*trace.Header, *trace.Roster)
	// observe updates the judgement by an event of a kind in its row.
	observe(*trace.Event)
	// verdict is asked for once, when the run has reached its horizon. Its name and kind are the row's.
	verdict(horizonNs int64) Property
}

// table has all properties, in the order in which they are reported.
var table = []row{
	{
		name: SingleRecord, kind: Always, fold: newFold[recordFold], kinds: recordKinds, expiring: expiringKinds,
		claim: "the lock never names a new holder without a compare-and-swap on the version it replaced",
	},
	{
		name: SingleBelief, kind: Always, fold: func() fold { return &overlapFold{belief: true} }, kinds: beliefKinds,
		claim: "at no instant do two candidates whose Run is in progress both answer yes to IsLeader()",
	},
	{
		name: SingleWork, kind: Always, fold: newFold[overlapFold], kinds: workKinds,
		claim: "at no instant does guarded work of two candidates run",
	},
	{
		name: SafetyWindow, kind: Always, fold: newFold[windowFold], kinds: windowKinds,
		claim: "from the end of a leader's work context to the start of another's work, at least " +
			"LeaseDuration − RenewDeadline passes",
	},
	{
		name: FencedWrites, kind: Always, fold: newFold[fenceFold], kinds: fenceKinds,
		claim: "a resource that takes only fencing tokens not below the highest it has seen accepts no write of the " +
			"old leader after it has accepted one of its successor",
	},
	{
		name: Liveness, kind: Eventually, fold: newFold[livenessFold], kinds: livenessKinds,
		claim: "once the last fault is over and the last candidate has started, a leader works within a bound",
	},
	{
		name: AllStand, kind: Eventually, fold: newFold[standFold], kinds: standKinds, asked: true,
		claim: "each candidate whose process lives asks for the lock again and again, within a bound, after a loss too",
	},
	{
		name: RolloutEnds, kind: Eventually, fold: newFold[rolloutFold], kinds: rolloutKinds, asked: true, whole: true,
		claim: "each rollout is over within its deadline",
	},
}

// Names returns the names of all properties, in the order in which they are reported.
func Names() (names []string) {
	for _, r := range table {
		names = append(names, r.name)
	}
	return names
}

// Asked tells whether a run is judged by the property of that name only where somebody asks for it.
func Asked(name string) bool {
	return slices.ContainsFunc(table, func(r row) bool { return r.name == name && r.asked })
}

// KeepAsked returns a map that has value for each property that expect names and by which a run is judged only on request. The
// values in expect do not count. The map is nil if there is no such property.
func KeepAsked[E any](expect map[string]E, value E) (kept map[string]E) {
	for name := range expect {
		if !Asked(name) {
			continue
		}
		if kept == nil {
			kept = map[string]E{}
		}
		kept[name] = value
	}
	return kept
}

// judging returns the rows by which a run is judged, in the given memory. It leaves out those that are judged only on
// request and that asked does not name.
func judging(rows []row, asked []string, memory []*row) (those []*row) {
	those = memory[:0]
	for i := range rows {
		if r := &rows[i]; !r.asked || slices.Contains(asked, r.name) {
			those = append(those, r)
		}
	}
	return those
}
