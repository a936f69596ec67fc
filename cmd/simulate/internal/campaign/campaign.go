// Package campaign writes the results of a search, and keeps its failures in a folder.
package campaign

import (
	"fmt"
	"slices"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/check"
	"interregnum/internal/search"
	"interregnum/reports"
)

// maxShrunk is how many failures are shrunk.
const maxShrunk = 3

// New returns the results of a search. For each set of properties that runs violated together, in the order of Sorts, it shrinks
// the worst failure, at most maxShrunk in all. The small scenario violates single-work if the set has it, otherwise the first
// property of the set. New leaves out failures that cannot be shrunk.
func New(t *search.Target, s *search.Summary) *reports.Campaign {
	c := &reports.Campaign{Target: t, Summary: s}
	for _, sort := range c.Sorts() {
		if len(sort.Properties) == 0 || len(c.Found) == maxShrunk {
			continue
		}
		property := sort.Properties[0]
		if slices.Contains(sort.Properties, check.SingleWork) {
			property = check.SingleWork
		}
		whole, err := t.ScenarioOf(sort.Seed, sort.Corpus)
		if err != nil {
			continue // a results file that somebody has changed
		}
		small, err := search.Shrink(whole, property)
		if err == nil {
			failure := search.Failure{Seed: sort.Seed, Properties: sort.Properties, OverlapNs: sort.OverlapNs, Corpus: sort.Corpus}
			c.Found = append(c.Found, reports.Finding{Failure: failure, Small: small.Scenario})
		}
	}
	return c
}

// Outcome returns nil for a search with the verdict held, which has ended, was not blind, and in which nothing was violated.
// Otherwise it returns an error. Its code is exit.HarnessFailed if a run did not come to an end or the search is unfinished,
// otherwise exit.NotAsExpected.
func Outcome(s *search.Summary, c *reports.Campaign) error {
	for _, x := range s.Failures {
		if x.Error != "" {
			return &exit.Error{Code: exit.HarnessFailed, Text: fmt.Sprintf("seed %d: %s", x.Seed, x.Error)}
		}
	}
	switch c.Verdict() {
	case "held":
		return nil
	case "unfinished":
		return &exit.Error{Code: exit.HarnessFailed}
	}
	return &exit.Error{Code: exit.NotAsExpected}
}
