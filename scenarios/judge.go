package scenarios

import (
	"maps"
	"slices"

	"interregnum/internal/check"
	"interregnum/internal/trace"
)

// Judge makes a Result of a run's events, of a simulated run or of another one.
type Judge struct {
	scenario *Scenario
	brief    bool
	suite    *check.Suite
	history  history
	voids    voidFold
}

// NewJudge returns the judge of a run of that scenario. Where it is brief the Result has no terms and no writes.
func NewJudge(s *Scenario, brief bool) *Judge {
	header := s.Header()
	return &Judge{
		scenario: s,
		brief:    brief,
		suite:    check.NewSuite(header, slices.Collect(maps.Keys(s.Expect))...),
		history:  history{header: header, objects: len(header.Objects()) > 0},
		voids:    voidFold{faults: s.Faults},
	}
}

// Sinks are what must see the events, in order, for the packages below internal and electiontest. All are trace.Selective.
func (j *Judge) Sinks() []trace.Sink {
	sinks := append(make([]trace.Sink, 0, 4), j.suite, &j.voids)
	if !j.brief {
		sinks = append(sinks, &j.history)
	}
	return sinks
}

// Result is what has become of the run, once its events are over.
func (j *Judge) Result(stats Stats, traceHash string) *Result {
	s := j.scenario
	r := &Result{
		Scenario:   s.Name,
		Seed:       s.Seed,
		TraceHash:  traceHash,
		Stats:      stats,
		Terms:      j.history.terms,
		Writes:     j.history.writes,
		Properties: j.suite.Properties(int64(s.Horizon)),
		Void:       j.voids.void,
	}
	if !j.brief {
		r.Terms, r.Writes = nonNil(r.Terms), nonNil(r.Writes)
	}
	if resource := j.suite.Resource(); resource.Writes > 0 {
		r.Resource = &resource
	}
	r.AsExpected = s.asExpected(r.Properties)
	return r
}
