package search

import (
	"slices"

	"interregnum/plan"
	"interregnum/scenarios"
)

// withoutElection removes the i-th election from s, with its candidates and with the faults that are about it alone. A process
// that took part in no other election is gone then, and without removes it from the other faults.
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

// without removes the processes gone from the faults of s, and also the faults that were on them alone. From a rollout it
// removes each candidate with its successor, if one of the two is gone.
func without(s *scenarios.Scenario, gone ...string) {
	for i := range s.Faults {
		if f := &s.Faults[i]; f.Kind == plan.FaultRollout {
			withoutPairs(f, gone)
		}
	}
	s.Faults = slices.DeleteFunc(s.Faults, func(f scenarios.Fault) bool {
		if f.Kind == plan.FaultRollout {
			return len(f.On) == 0
		}
		return len(f.On) > 0 && !slices.ContainsFunc(f.On, func(id string) bool { return !slices.Contains(gone, id) })
	})
	for i := range s.Faults {
		f := &s.Faults[i]
		f.On = slices.DeleteFunc(f.On, func(id string) bool { return slices.Contains(gone, id) })
	}
}

// withoutPairs removes from a rollout each candidate with its successor, if one of the two is gone.
func withoutPairs(f *scenarios.Fault, gone []string) {
	var on, to []string
	for i := range f.On {
		if !slices.Contains(gone, f.On[i]) && !slices.Contains(gone, f.To[i]) {
			on, to = append(on, f.On[i]), append(to, f.To[i])
		}
	}
	f.On, f.To = on, to
}
