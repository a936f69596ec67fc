// Package page writes HTML pages of runs and searches: each is one file that needs nothing else.
//
// A Page is a Sink of a run, which hands it the events; these are made by packages below internal.
package page

import (
	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/scenarios"
)

// Page gathers, from a run's events, what its HTML page shows. It is a trace.Sink; use New.
type Page struct {
	*reports.Timeline
	requests requestLog
	notes    noteLog
	clocks   []clockLine
	versions [][]versions
	// gutter is where the plot of the page begins.
	gutter float64
}

// versions are those of the object in which the record named one holder: one for each stretch.
type versions struct{ first, last uint64 }

// New returns the page of a run of the scenario that is about to begin.
func New(s *scenarios.Scenario) *Page {
	h := s.Header()
	p := &Page{Timeline: reports.NewTimeline(h, s.Faults)}
	p.versions = make([][]versions, len(p.Records))
	p.requests.init(int64(h.Horizon))
	p.clocks = make([]clockLine, len(h.Candidates))
	for i := range p.clocks {
		c := &h.Candidates[i]
		p.clocks[i].start(scenarios.Clock{Offset: c.Offset, DriftPPM: c.DriftPPM})
	}
	return p
}

// Observe takes in an event.
func (p *Page) Observe(e *trace.Event) {
	p.Timeline.Observe(e)
	switch e.Kind {
	case trace.Written, trace.Edited:
		p.wrote(e)
	case trace.WorkStarted:
		if p.Working(e) > 1 {
			p.requests.treasure()
		}
	case trace.ClockChanged:
		p.clocks[e.Candidate].change(e)
	}
	if !p.requests.observe(e) {
		p.notes.observe(e)
	}
}

// wrote adds the version that a write gave the object to the latest stretch of its record; the timeline must have seen
// the event before.
func (p *Page) wrote(e *trace.Event) {
	i := p.RecordIndex(e)
	v := &p.versions[i]
	if len(p.Records[i].Stretches) > len(*v) {
		*v = append(*v, versions{first: e.Version})
	}
	(*v)[len(*v)-1].last = e.Version
}
