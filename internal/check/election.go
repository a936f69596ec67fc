package check

import (
	"cmp"
	"slices"

	"interregnum/internal/trace"
)

// electionSuite judges one of several elections as if there were no other.
type electionSuite struct {
	name  string
	run   *trace.Projection
	suite *Suite
}

func newElectionSuites(h *trace.Header) *Suite {
	s := &Suite{elections: make([]electionSuite, len(h.Elections))}
	for i, run := range h.Project() {
		s.elections[i] = electionSuite{name: h.Elections[i], run: run, suite: NewSuite(run.Header)}
	}
	return s
}

// observeElections passes an event on to the suite of the election that it is about, or to the suites of all.
func (s *Suite) observeElections(e *trace.Event) {
	own := s.elections
	if i := own[0].run.Of(e); i >= 0 {
		own = own[i : i+1]
	}
	for i := range own {
		own[i].suite.Observe(own[i].run.Event(e))
	}
}

// mergedProperties returns one verdict for each property, the worst of all elections, with the violations of all in order of time.
func (s *Suite) mergedProperties(horizonNs int64) []Property {
	var all []Property
	for i := range s.elections {
		own := s.elections[i].suite.Properties(horizonNs)
		for j := range own {
			for v := range own[j].Violations {
				own[j].Violations[v].Election = s.elections[i].name
			}
		}
		if i == 0 {
			all = own
			continue
		}
		for j := range all {
			all[j].merge(&own[j])
		}
	}
	return all
}

// merge adds the verdict that another election gave the same property: the worse of the two verdicts counts.
func (p *Property) merge(q *Property) {
	if q.Verdict.worse(p.Verdict) {
		p.Verdict = q.Verdict
	}
	p.OverlapNs = max(p.OverlapNs, q.OverlapNs)
	p.Violations = append(p.Violations, q.Violations...)
	slices.SortStableFunc(p.Violations, func(a, b Violation) int { return cmp.Compare(a.FromNs, b.FromNs) })
}

// worse tells whether v is a worse verdict than the other; inconclusive is between held and violated.
func (v Verdict) worse(than Verdict) bool {
	rank := []Verdict{Held, Inconclusive, Violated}
	return slices.Index(rank, v) > slices.Index(rank, than)
}

// electionCoverage is the coverage of one of several elections.
type electionCoverage struct {
	run      *trace.Projection
	coverage *Coverage
}

// observeElections passes an event of a candidate on to the coverage of its election.
func (c *Coverage) observeElections(e *trace.Event) {
	own := &c.elections[c.elections[0].run.Of(e)]
	own.coverage.Observe(own.run.Event(e))
}
