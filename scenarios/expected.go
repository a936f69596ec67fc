package scenarios

import (
	"interregnum/internal/check"
	"interregnum/internal/trace"
)

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

// Fulfils tells whether a property's verdict is as the scenario expects. A property that Expect does not name is expected to
// be held. If it does not claim that something holds at all times (check.Always), inconclusive is as expected too: the run
// does not show it, as where it ended too early, or a fault lasted to its end.
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
