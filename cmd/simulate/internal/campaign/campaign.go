// Package campaign shows what a search has found, and keeps it.
package campaign

import (
	"fmt"
	"slices"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/check"
	"interregnum/internal/search"
	"interregnum/reports"
)

// maxShrunk is how many failures are made small: one for each set of properties that is violated, at most.
const maxShrunk = 3

// New is the outcome of a search with its worst failures made small: one of each sort, those with the longest
// overlap first, maxShrunk in all.
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

// Outcome is the code that a search ends with, as an error.
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
