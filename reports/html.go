package reports

import (
	"io"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// Page gathers, from a run's events, what its HTML page shows. It is a trace.Sink; use NewPage.
type Page struct {
	*Timeline
	scenario *scenarios.Scenario
	requests requestLog
	notes    noteLog
	clocks   []clockLine
	versions [][]versions
	// working is how many candidates work in each election, by the terms that each has.
	terms   []int32
	working map[string]int
	// gutter is where the plot of the page begins.
	gutter float64
}

// versions are those of the object in which the record named one holder: one for each stretch.
type versions struct{ first, last uint64 }

// NewPage returns the page of a run of the scenario that is about to begin.
func NewPage(s *scenarios.Scenario) *Page {
	h := s.Header()
	p := &Page{Timeline: NewTimeline(h, s.Faults), scenario: s, terms: make([]int32, len(h.Candidates)), working: map[string]int{}}
	p.versions = make([][]versions, len(p.records))
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
		if p.terms[e.Candidate]++; p.terms[e.Candidate] == 1 {
			p.working[p.electionOf(e)]++
		}
		if p.working[p.electionOf(e)] > 1 {
			p.requests.treasure()
		}
	case trace.WorkEnded:
		if p.terms[e.Candidate]--; p.terms[e.Candidate] == 0 {
			p.working[p.electionOf(e)]--
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
	i := p.recordIndex(e)
	v := &p.versions[i]
	if len(p.records[i].stretches) > len(*v) {
		*v = append(*v, versions{first: e.Version})
	}
	(*v)[len(*v)-1].last = e.Version
}

// HTML writes the page: one file that needs nothing else. Command reproduces the run, which must have a result.
func (p *Page) HTML(w io.Writer, r *Run, command string) error {
	v := view{
		Result:  r.Result,
		About:   words.Visible(r.Scenario.About, words.MaxText),
		Command: words.Visible(command, words.MaxText),
		assets:  pageAssets(),
	}
	v.Split = len(violationsOf(r.Result, check.SingleWork)) > 0
	v.Headline = words.Visible(headline(r.Result), words.MaxText)
	v.describe(r)
	p.requests.finish(len(p.candidates))
	p.notes.thin()
	v.Chart = p.chart(r.Result)
	v.Data = p.data()
	v.Notes = p.rows()
	v.Omitted = p.omitted(v.Chart)
	return pageTemplate().Execute(w, &v)
}
