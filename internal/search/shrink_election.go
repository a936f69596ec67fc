package search

import (
	"slices"

	"interregnum/scenarios"
)

// entries returns how many of the candidates, from the i-th on, belong to one process: one for each of its elections.
func entries(s *scenarios.Scenario, i int) int {
	n := 1
	for i+n < len(s.Candidates) && s.Candidates[i+n].ID == s.Candidates[i].ID {
		n++
	}
	return n
}

// withoutElections leaves out one election, with the faults that were about it alone and who took part in no other. The
// last one that is left has no name.
func (k *shrinker) withoutElections() {
	for i := 0; i < len(k.best.Elections); {
		s := clone(k.best)
		if len(s.Elections) > 1 {
			withoutElection(s, i)
		}
		if len(s.Elections) == 1 {
			unnamed(s)
		}
		if !k.try(s) {
			i++
		}
	}
}

// withoutElection leaves out the i-th election, with its candidates, with faults that are about it alone, and with processes that take part in no
// other.
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

// unnamed takes the name from the one election that is left.
func unnamed(s *scenarios.Scenario) {
	s.Elections = nil
	for i := range s.Candidates {
		s.Candidates[i].Election = ""
	}
	for i := range s.Faults {
		s.Faults[i].Election = ""
	}
}
