package check

import (
	"slices"

	"interregnum/internal/trace"
)

// overlapFold is single-belief and single-work: at no instant is something on for two candidates. What one
// candidate has on more than once, as with work that drains while the next term begins, counts once.
type overlapFold struct {
	header *trace.Header
	// turned are the kinds of event that may turn it on or off.
	turned trace.KindSet
	// on are the candidates for which it is on, in ascending order, as the roster has them.
	on *[]int32
	// at is the instant of the last event.
	at int64
	// open is the violation in progress, with who has been part of it.
	open       bool
	from       int64
	members    []int32
	violations []Violation
}

// newBeliefFold returns single-belief.
func newBeliefFold() fold { return &overlapFold{turned: beliefKinds} }

// newWorkFold returns single-work.
func newWorkFold() fold { return &overlapFold{turned: workKinds} }

func (f *overlapFold) reset(h *trace.Header, r *trace.Roster) {
	*f = overlapFold{header: h, turned: f.turned, on: &r.Workers, members: f.members[:0]}
	if f.turned == beliefKinds {
		f.on = &r.Believers
	}
}

var (
	beliefKinds = trace.KindsOf(trace.BeliefBegan, trace.BeliefEnded)
	workKinds   = trace.KindsOf(trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded)
)

func (f *overlapFold) wants() trace.KindSet { return f.turned }

// observe takes in an event that may turn it on or off. The first one of an instant settles the instant before.
func (f *overlapFold) observe(e *trace.Event) {
	if e.At != f.at {
		f.settle()
		f.at = e.At
	}
}

// settle judges the state that all events of the instant f.at have led to: a violation begins or goes on where it is
// on for two candidates, and else ends. What was on for no time at all leaves no mark.
func (f *overlapFold) settle() {
	on := *f.on
	if len(on) == 0 || on[0] == on[len(on)-1] {
		f.close(f.at)
		return
	}
	if !f.open {
		f.open, f.from, f.members = true, f.at, f.members[:0]
	}
	for _, c := range on {
		if !slices.Contains(f.members, c) {
			f.members = append(f.members, c)
		}
	}
}

// close ends the violation in progress, if there is one. One that has lasted no time, as at the horizon, is none.
func (f *overlapFold) close(at int64) {
	if f.open && at > f.from {
		slices.Sort(f.members)
		f.violations = append(f.violations, newViolation(f.header, f.from, at, f.members...))
	}
	f.open = false
}

// verdict settles the last instant, and ends a violation that has lasted until the horizon.
func (f *overlapFold) verdict(horizonNs int64) Property {
	f.settle()
	f.close(horizonNs)
	return verdict(f.violations)
}
