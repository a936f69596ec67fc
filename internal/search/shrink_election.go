package search

import (
	"slices"

	"interregnum/scenarios"
)

// withoutElection removes the i-th election from s, with its candidates, with faults that are about it alone, and
// with processes that take part in no other.
func withoutElection(s *scenarios.Scenario, i int) {
	name := s.Elections[i]
	s.Elections = slices.Delete(slices.Clone(s.Elections), i, i+1)
	var gone []string
	for j := range s.Candidates {
		gone = append(gone, s.Candidates[j].ID)
	}
	s.Candidates = slices.DeleteFunc(s.Candidates, func(c scenarios.Candidate) bool { return c.Election == name })
	gone = slices.DeleteFunc(gone, func(id string) bool {
		return slices.ContainsFunc(s.Candidates, func(c scenarios.Candidate) bool { return c.ID == id })
	})
	s.Faults = slices.DeleteFunc(s.Faults, func(f scenarios.Fault) bool { return f.Election == name })
	without(s, gone...)
}

// unnamed makes the one election that is left in s one without a name.
func unnamed(s *scenarios.Scenario) {
	s.Elections = nil
	for i := range s.Candidates {
		s.Candidates[i].Election = ""
	}
	for i := range s.Faults {
		s.Faults[i].Election = ""
	}
}

// without removes the processes gone from the faults of s, and also the faults that were on them alone.
func without(s *scenarios.Scenario, gone ...string) {
	s.Faults = slices.DeleteFunc(s.Faults, func(f scenarios.Fault) bool {
		return len(f.On) > 0 && !slices.ContainsFunc(f.On, func(id string) bool { return !slices.Contains(gone, id) })
	})
	for i := range s.Faults {
		f := &s.Faults[i]
		f.On = slices.DeleteFunc(f.On, func(id string) bool { return slices.Contains(gone, id) })
	}
}
