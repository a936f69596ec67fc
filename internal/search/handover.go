package search

import (
	"math"

	"interregnum/internal/trace"
)

// handovers is a consumer of events that looks at how the work of an election goes from one candidate to the next.
type handovers struct {
	// run is what the run is to the election, nil where there is but one.
	run       *trace.Projection
	miss      nearMiss
	vacancies *failovers
}

// newHandovers has one for each election of a run.
func newHandovers(h *trace.Header) []*handovers {
	newOne := func(run *trace.Projection) *handovers {
		return &handovers{run: run, miss: nearMiss{shortest: NoMargin, last: -1}, vacancies: newFailovers()}
	}
	var all []*handovers
	for _, run := range h.Project() {
		all = append(all, newOne(run))
	}
	if all == nil {
		all = append(all, newOne(nil))
	}
	return all
}

var _ trace.Selective = (*handovers)(nil)

// Wants tells that it looks at work and crashes.
func (h *handovers) Wants(k trace.Kind) bool {
	return k == trace.WorkStarted || k == trace.WorkEnded || k == trace.Crashed
}

// Observe takes an event.
func (h *handovers) Observe(e *trace.Event) {
	if h.run != nil {
		if e = h.run.Event(e); e == nil {
			return
		}
	}
	h.miss.observe(e)
	h.vacancies.observe(e)
}

// NoMargin is the margin of what had no takeover.
const NoMargin = math.MaxInt64

// nearMiss finds the shortest time between two candidates' work.
type nearMiss struct {
	// last is whose work ended last, and ended when.
	last     int32
	ended    int64
	shortest int64
}

// observe takes in an event, and keeps the shortest time from the end of one candidate's work to the start of another's.
func (m *nearMiss) observe(e *trace.Event) {
	switch {
	case e.Kind == trace.WorkEnded:
		m.last, m.ended = e.Candidate, e.At
	case e.Kind == trace.WorkStarted && m.last >= 0 && m.last != e.Candidate:
		m.shortest = min(m.shortest, e.At-m.ended)
	}
}
