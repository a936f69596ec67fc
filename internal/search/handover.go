package search

import (
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
