package check

import (
	"slices"

	"interregnum/internal/trace"
)

// overlapFold is single-belief and single-work: at no instant is something on for two candidates. What one
// candidate has on more than once, as with work that drains while the next term begins, counts once.
type overlapFold struct {
	header     *trace.Header
	begin, end trace.Kind
	// on holds the candidates for which it is on, with their counts.
	on []count
	// at is the instant of the last event.
	at int64
	// open is the violation in progress, with who has been part of it.
	open       bool
	from       int64
	members    []int32
	violations []Violation
}

type count struct {
	candidate int32
	times     int
}

// newOverlapFold returns the fold for what events of the kind begin turn on for a candidate, and those of the kind end turn off.
func newOverlapFold(h *trace.Header, begin, end trace.Kind) overlapFold {
	return overlapFold{header: h, begin: begin, end: end}
}

// observe takes in an event. The first one of an instant settles the instant before.
func (f *overlapFold) observe(e *trace.Event) {
	if e.Kind != f.begin && e.Kind != f.end {
		return
	}
	if e.At != f.at {
		f.settle()
		f.at = e.At
	}
	if e.Kind == f.begin {
		f.add(e.Candidate)
	} else {
		f.remove(e.Candidate)
	}
}

// settle judges the state that all events of the instant f.at have led to: a violation begins or goes on where it is
// on for two candidates, and else ends. What was on for no time at all leaves no mark.
func (f *overlapFold) settle() {
	if len(f.on) < 2 {
		f.close(f.at)
		return
	}
	if !f.open {
		f.open, f.from, f.members = true, f.at, f.members[:0]
	}
	for _, c := range f.on {
		if !slices.Contains(f.members, c.candidate) {
			f.members = append(f.members, c.candidate)
		}
	}
}

// add notes that it is on for the candidate once more.
func (f *overlapFold) add(candidate int32) {
	for i := range f.on {
		if f.on[i].candidate == candidate {
			f.on[i].times++
			return
		}
	}
	f.on = append(f.on, count{candidate, 1})
}

// remove notes that it is on for the candidate once less.
func (f *overlapFold) remove(candidate int32) {
	for i := range f.on {
		if f.on[i].candidate != candidate {
			continue
		}
		if f.on[i].times--; f.on[i].times == 0 {
			f.on = slices.Delete(f.on, i, i+1)
		}
		return
	}
}

// close ends the violation in progress, if there is one. One that has lasted no time, as at the horizon, is none.
func (f *overlapFold) close(at int64) {
	if f.open && at > f.from {
		slices.Sort(f.members)
		f.violations = append(f.violations, Violation{
			FromNs: f.from, ToNs: at, Candidates: f.names(),
		})
	}
	f.open = false
}

// names returns the IDs of the candidates that were part of the violation in progress.
func (f *overlapFold) names() []string {
	names := make([]string, len(f.members))
	for i, m := range f.members {
		names[i] = f.header.Candidates[m].ID
	}
	return names
}

// finish settles the last instant, and ends a violation that has lasted until the horizon.
func (f *overlapFold) finish(horizonNs int64) {
	f.settle()
	f.close(horizonNs)
}
