// Package page writes HTML pages of runs and searches. Each page is one file that needs nothing else.
//
// A Page is a Sink of scenarios.Options. The events that it receives have types of packages below internal.
package page

import (
	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/scenarios"
)

// Page collects, from a run's events, what the HTML page shows. It is a trace.Sink. New makes one.
type Page struct {
	*reports.Timeline
	requests requestLog
	notes    noteLog
	clocks   []clockLine
	versions [][]versions
	// width is the width of the chart that is drawn, and gutter where its plot begins.
	width, gutter float64
}

// versions are the first and the last version of the object in one stretch of its record.
type versions struct{ first, last uint64 }

// New returns an empty page for a run of the scenario.
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

// Observe records the event e in the timeline, and in the page's requests or, for any other kind of event, its notes. It also
// records versions of objects and changes of clocks, and keeps the requests around the start of an overlap. Events must come in
// order.
func (p *Page) Observe(e *trace.Event) {
	p.Timeline.Observe(e)
	switch e.Kind {
	case trace.Written, trace.Edited:
		p.addVersion(e)
	case trace.WorkStarted:
		if p.Working(e) > 1 {
			p.requests.keepAround()
		}
	case trace.ClockChanged:
		p.clocks[e.Candidate].change(e)
	}
	if !p.requests.observe(e) {
		p.notes.observe(e)
	}
}

// addVersion records in p.versions the object's version after the write e, for the last stretch of the record. The timeline
// must have observed the event before.
func (p *Page) addVersion(e *trace.Event) {
	i := p.RecordIndex(e)
	v := &p.versions[i]
	if len(p.Records[i].Stretches) > len(*v) {
		*v = append(*v, versions{first: e.Version})
	}
	(*v)[len(*v)-1].last = e.Version
}
