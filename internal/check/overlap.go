package check

import (
	"slices"

	"interregnum/internal/trace"
)

// overlapFold is single-belief and single-work: at no instant is something on for two candidates. What one
// candidate has on more than once, as with work that drains while the next term begins, counts once.
type overlapFold struct {
	found
	// belief tells that it is belief, and not work.
	belief bool
	// on are the candidates for which it is on, in ascending order, as the roster has them.
	on *[]int32
	// at is the instant of the last event.
	at int64
	// open is the violation in progress, with who has been part of it.
	open    bool
	from    int64
	members []int32
}

// reset begins the judgement of a run, about belief or about work as f.belief says, which it keeps. It implements fold.
func (f *overlapFold) reset(h *trace.Header, r *trace.Roster) {
	*f = overlapFold{found: f.found.again(h), belief: f.belief, on: &r.Workers, members: f.members[:0]}
	if f.belief {
		f.on = &r.Believers
	}
}

var (
	beliefKinds = trace.KindsOf(trace.BeliefBegan, trace.BeliefEnded)
	workKinds   = trace.KindsOf(trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded)
)

// observe takes in an event by which a candidate's belief or work begins or ends. At the first event of an instant it judges
// how things stood since the instant before: the roster does not show this event yet.
func (f *overlapFold) observe(e *trace.Event) {
	if e.At != f.at {
		f.settle()
		f.at = e.At
	}
}

// settle judges the state after all events of the instant f.at. A violation begins or goes on if two candidates believe
// or work, and otherwise ends. What has lasted no time at all does not count.
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

// close ends the violation in progress, if there is one, at the instant at, in nanoseconds of true time. A violation that has
// lasted no time does not count.
func (f *overlapFold) close(at int64) {
	if f.open && at > f.from {
		slices.Sort(f.members)
		f.violate(f.from, at, f.members...)
	}
	f.open = false
}

// verdict settles the last instant, and ends a violation that has lasted until the horizon.
func (f *overlapFold) verdict(horizonNs int64) Property {
	f.settle()
	f.close(horizonNs)
	return f.found.verdict(horizonNs)
}
