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
	// Explain adds to each violation of single-work how it came about. If there is one, the scenario is run a second time.
	Explain bool
	// Sinks receive each event as it happens. A *reports.Timeline, a *page.Page and a *perfetto.Writer are sinks. The type
	// is in one of the packages below internal.
	Sinks []trace.Sink
}

// Run simulates a scenario and judges the run. The error is a *FieldError if the plan is not valid, or a *StandstillError.
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

// Header returns what sinks, such as those of package reports, need to know before the first event. The type is in
// one of the packages below internal.
func (s *Scenario) Header() *trace.Header {
	h := check.Header(&s.Plan)
	h.Scenario = s.Name
	return h
}

// asExpected tells whether all verdicts are as the scenario expects.
func (s *Scenario) asExpected(properties []check.Property) bool {
	for i := range properties {
		if !s.Fulfils(&properties[i]) {
			return false
		}
	}
	return true
}

// Fulfils tells whether a property's verdict is as the scenario expects. A property that Expect does not name is expected
// to be held. If it claims that something happens at some time, it may also be inconclusive: the run ended too early to tell.
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

// nonNil returns s, or an empty slice if s is nil, since JSON leaves out a nil one.
func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
