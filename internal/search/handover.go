package search

import (
	"interregnum/internal/trace"
)

// handovers looks at how the work of an election goes from one candidate to the next.
type handovers struct {
	miss      nearMiss
	vacancies failovers
}

func newHandovers(_ *trace.Header, r *trace.Roster) *handovers {
	return &handovers{miss: nearMiss{shortest: NoMargin, last: -1}, vacancies: failovers{roster: r, vacant: -1}}
}

// Wants tells that it looks at work and crashes.
func (h *handovers) Wants(k trace.Kind) bool {
	return k == trace.WorkStarted || k == trace.WorkEnded || k == trace.Crashed
}

// Observe takes an event.
func (h *handovers) Observe(e *trace.Event) {
	h.miss.observe(e)
	h.vacancies.observe(e)
}

// failovers finds how long nobody worked after a leader had crashed.
type failovers struct {
	roster *trace.Roster
	// vacant is since when nobody has worked because of a crash, -1 if anybody has.
	vacant  int64
	lengths []int64
}

// observe takes in an event, and measures the time from the crash of the only leader to the start of the next one's work.
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
