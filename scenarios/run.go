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
	// Explain adds to each violation of single-work how it came about. That takes a second run, where there is one.
	Explain bool
	// Sinks see every event as it happens. A *reports.Timeline, a *page.Page and a *perfetto.Writer are some; the
	// type is of one of the packages below internal.
	Sinks []trace.Sink
}

// Run simulates a scenario and judges it. The error is that of a plan that is not valid, or a
// *StandstillError.
func Run(s *Scenario, o Options) (*Result, error) {
	judge := NewJudge(s, o.Brief)
	stats, err := sim.Run(&s.Plan, append(judge.Sinks(), o.Sinks...)...)
	if err != nil {
		return nil, err
	}
	r := judge.Result(Stats{Events: stats.Events, StoreOps: stats.StoreOps, VirtualNs: int64(s.Horizon)}, stats.TraceHash.String())
	if o.Explain {
		err = s.explain(r.Properties)
	}
	return r, err
}

// Header is what consumers of the run's events need to know beforehand: those of package reports take it. Its type is of one of
// the packages below internal.
func (s *Scenario) Header() *trace.Header {
	h := check.Header(&s.Plan)
	h.Scenario = s.Name
	return h
}

func (s *Scenario) asExpected(properties []check.Property) bool {
	for i := range properties {
		if !s.Fulfils(&properties[i]) {
			return false
		}
	}
	return true
}

// Fulfils tells whether a verdict is as the scenario expects. A property that Expect does not name is expected to be
// held; where its claim is one of the future, and the run ended too early to tell, that is no failure.
func (s *Scenario) Fulfils(p *Property) bool {
	switch want := s.Expect[p.Name]; want {
	case ExpectAny:
		return true
	case "":
		return p.Verdict == check.Held || p.Kind != check.Always && p.Verdict == check.Inconclusive
	default:
		return p.Verdict == check.Verdict(want)
	}
}

// nonNil returns s, or an empty slice in place of nil, which JSON would leave out.
func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
