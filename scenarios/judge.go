package scenarios

import (
	"maps"
	"slices"

	"interregnum/internal/check"
	"interregnum/internal/trace"
)

// Judge makes a Result from the events of a run, whether it is simulated or of a real program.
type Judge struct {
	scenario *Scenario
	brief    bool
	suite    *check.Suite
	history  history
	voids    voidFold
}

// NewJudge returns a judge for a run of that scenario. Properties that are judged only on request are judged if s.Expect names
// them. If brief is set the Result has no terms and no writes.
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

// Sinks returns the sinks that must receive the run's events, in order. All are trace.Selective, a type of one of the
// packages below internal.
func (j *Judge) Sinks() []trace.Sink {
	sinks := append(make([]trace.Sink, 0, 4), j.suite, &j.voids)
	if !j.brief {
		sinks = append(sinks, &j.history)
	}
	return sinks
}

// Result returns the result of the run, with the given statistics and hash of the trace. It is called once, after the last
// event.
func (j *Judge) Result(stats Stats, traceHash string) *Result {
	s := j.scenario
	r := &Result{
		Scenario:   s.Name,
		Seed:       s.Seed,
		TraceHash:  traceHash,
		Stats:      stats,
		Terms:      j.history.terms,
		Writes:     j.history.writes,
		Held:       j.history.held,
		Properties: j.suite.Properties(int64(s.Horizon)),
		Void:       slices.Clip(j.voids.void),
	}
	if !j.brief {
		r.Terms, r.Writes = nonNil(r.Terms), nonNil(r.Writes)
	}
	if resource := j.suite.Resource(); resource.Writes > 0 {
		r.Resource = &resource
	}
	for i := range s.Faults { // a run never comes to what is at its horizon, or later
		if f := &s.Faults[i]; f.At >= s.Horizon {
			r.Void = append(r.Void, VoidFault{AtNs: int64(f.At), Fault: i, Kind: string(f.Kind)})
		}
	}
	r.AsExpected, r.Expect = s.asExpected(r.Properties), maps.Clone(s.Expect)
	if r.Expect == nil {
		r.Expect = map[string]Expectation{}
	}
	return r
}

// nonNil returns s, or an empty slice if s is nil, since JSON leaves out a nil one.
func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
