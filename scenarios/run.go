package scenarios

import (
	"interregnum/internal/check"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
)

// Options are what a run may leave out or add.
type Options struct {
	// Brief leaves Terms and Writes out of the result.
	Brief bool
	// Sinks see every event as it happens.
	Sinks []trace.Sink
}

// Run simulates a scenario and judges it. The error is that of a plan that is not valid, or a
// *sim.StandstillError.
func Run(s *Scenario, o Options) (*Result, error) {
	header := s.Header()
	suite := check.NewSuite(header)
	sinks := []trace.Sink{suite}
	var h history
	h.header = header
	if !o.Brief {
		sinks = append(sinks, &h)
	}
	voids := voidFold{faults: s.Faults}
	sinks = append(append(sinks, &voids), o.Sinks...)
	stats, err := sim.Run(&s.Plan, sinks...)
	if err != nil {
		return nil, err
	}
	r := &Result{
		Scenario:   s.Name,
		Seed:       s.Seed,
		TraceHash:  stats.TraceHash,
		Stats:      Stats{Events: stats.Events, StoreOps: stats.StoreOps, VirtualNs: int64(s.Horizon)},
		Terms:      h.terms,
		Writes:     h.writes,
		Properties: suite.Properties(int64(s.Horizon)),
		Void:       voids.void,
	}
	if !o.Brief {
		r.Terms, r.Writes = nonNil(r.Terms), nonNil(r.Writes)
	}
	if resource := suite.Resource(); resource.Writes > 0 {
		r.Resource = &resource
	}
	r.AsExpected = s.asExpected(r.Properties)
	return r, nil
}

// Header is what consumers of the run's events need to know beforehand.
func (s *Scenario) Header() *trace.Header {
	h := sim.Header(&s.Plan)
	h.Scenario = s.Name
	return h
}

// asExpected: what is not named is expected to be held; where the claim is one of the future, and the run ended too early
// to tell, that is no failure.
func (s *Scenario) asExpected(properties []check.Property) bool {
	for _, p := range properties {
		switch want := s.Expect[p.Name]; want {
		case ExpectAny:
		case "":
			if p.Verdict != check.Held && p.Kind == check.Always || p.Verdict == check.Violated {
				return false
			}
		default:
			if p.Verdict != check.Verdict(want) {
				return false
			}
		}
	}
	return true
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
