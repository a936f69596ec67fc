package search

import (
	"math"

	"interregnum/internal/trace"
)

// handovers observes how the work of an election passes from one candidate to the next.
type handovers struct {
	miss      nearMiss
	vacancies failovers
}

// renew resets h for an election that is about to begin, whose roster is r, and returns it. If h is nil it returns a
// new observer.
func (h *handovers) renew(_ *trace.Header, r *trace.Roster) *handovers {
	if h == nil {
		h = &handovers{}
	}
	*h = handovers{
		miss:      nearMiss{shortest: NoMargin, last: -1},
		vacancies: failovers{roster: r, vacant: -1, lengths: h.vacancies.lengths[:0]},
	}
	return h
}

// handoverKinds are starts and ends of work, and crashes.
var handoverKinds = trace.KindsOf(trace.WorkStarted, trace.WorkEnded, trace.Crashed)

// Wants returns the kinds of event that start or end work, and crashes. It implements trace.Selective.
func (h *handovers) Wants() trace.KindSet { return handoverKinds }

// Observe updates the margin and the failovers by an event.
func (h *handovers) Observe(e *trace.Event) {
	h.miss.observe(e)
	h.vacancies.observe(e)
}

// NoMargin stands for the margin of runs in which nobody took over.
const NoMargin = math.MaxInt64

// nearMiss finds the shortest time between two candidates' work.
type nearMiss struct {
	// last is the candidate whose work ended last, and ended is when it did.
	last     int32
	ended    int64
	shortest int64
}

// observe updates m.shortest, the shortest time from the end of one candidate's work to the start of another's, in nanoseconds of
// true time, by an event.
func (m *nearMiss) observe(e *trace.Event) {
	switch {
	case e.Kind == trace.WorkEnded:
		m.last, m.ended = e.Candidate, e.At
	case e.Kind == trace.WorkStarted && m.last >= 0 && m.last != e.Candidate:
		m.shortest = min(m.shortest, e.At-m.ended)
	}
}

// failovers finds how long nobody worked after a leader had crashed.
type failovers struct {
	roster *trace.Roster
	// vacant is since when nobody has worked because of a crash, -1 where somebody works or nobody has crashed.
	vacant  int64
	lengths []int64
}

// observe adds the time from the crash of the only leader to the start of the next one's work, in nanoseconds of true time, to
// f.lengths, once that work starts. From the crash until then it keeps the time of the crash in f.vacant.
func (f *failovers) observe(e *trace.Event) {
	switch e.Kind {
	case trace.WorkEnded:
		if w := f.roster.Work(e); w != nil && w.Crashed && len(f.roster.Works) == 1 {
			f.vacant = e.At
		}
	case trace.WorkStarted:
		if f.vacant >= 0 {
			f.lengths = append(f.lengths, e.At-f.vacant)
			f.vacant = -1
		}
	}
}
