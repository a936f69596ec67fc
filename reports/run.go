// Package reports has what all forms of output show: runs, searches and comparisons, who did what when, and the words for
// it. It knows nothing of the simulator but its events and results. The forms are in packages below: text, page, perfetto,
// and finding for JSON, JUnit, Markdown and SARIF.
//
// A program that runs scenarios by itself makes a Run of each result, and gives it to a form. NewTimeline, page.New and
// perfetto.New take a scenario's Header, or the scenario, and are Sinks of its run. The gate's verdicts and a search's
// numbers are made by packages below internal: their reports are for the commands of this module.
package reports

import (
	"fmt"

	"interregnum/internal/check"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// The smallest width of a picture in columns, and its width without a terminal.
const (
	MinWidth     = 40
	DefaultWidth = 100
)

// Run is a scenario and the result of running it.
type Run struct {
	Scenario *scenarios.Scenario
	// Result is nil if the run itself failed, with Err.
	Result *scenarios.Result
	Err    error
	// Command is the shell command that repeats the run.
	Command string
	// Unsaid tells that nobody knows what the scenario expects: Scenario.Expect has any for each property of the run.
	Unsaid bool
}

// Fine tells whether the run succeeded and all verdicts are as the scenario expects.
func (r *Run) Fine() bool { return r.Result != nil && r.Result.AsExpected }

// Overlap returns the longest time, in nanoseconds, for which two candidates worked at once; 0 if they never did.
func (r *Run) Overlap() int64 { return PropertyOf(r.Result, check.SingleWork).OverlapNs }

// Expected returns the verdict that the scenario expects of a property: held if the scenario does not name the property.
func (r *Run) Expected(property string) scenarios.Expectation {
	if want, ok := r.Scenario.Expect[property]; ok {
		return want
	}
	return scenarios.ExpectHeld
}

// Fulfilment returns a few words on whether a property's verdict is as the scenario expects; "" if nobody knows.
func (r *Run) Fulfilment(p *check.Property) string {
	switch want := r.Expected(p.Name); {
	case r.Unsaid && want == scenarios.ExpectAny:
		return ""
	case r.Unsaid:
		return "NOT AS EXPECTED: what was expected is not saved"
	case want == scenarios.ExpectAny:
		return "any verdict will do"
	case check.Verdict(want) == p.Verdict:
		return "as expected"
	case r.Scenario.Fulfils(p):
		return "inconclusive will do"
	default:
		return fmt.Sprintf("NOT AS EXPECTED: want %s", want)
	}
}

// Line returns the cells of the run in a table of runs. overlap is the longest time for which two candidates worked at once: "-"
// if they never did, and "" if the run itself failed.
func (r *Run) Line() (name, verdict, overlap, expected string) {
	if r.Result == nil {
		return r.Scenario.Name, "none: the run failed", "", "FAILED"
	}
	overlap, expected = "-", "NOT AS EXPECTED"
	if ns := r.Overlap(); ns > 0 {
		overlap = words.Duration(ns)
	}
	if r.Fine() {
		expected = "as expected"
	}
	return r.Scenario.Name, verdictOf(r.Result), overlap, expected
}

// Count returns a few words on how many scenarios were run, and how many of them were not as expected.
func Count(runs []Run) string {
	failed := 0
	for i := range runs {
		if !runs[i].Fine() {
			failed++
		}
	}
	switch {
	case len(runs) == 1 && failed == 0:
		return "1 scenario, as expected"
	case len(runs) == 1:
		return "1 scenario, NOT as expected"
	case failed > 0:
		return fmt.Sprintf("%s scenarios, %s NOT as expected", words.Count(len(runs)), words.Count(failed))
	}
	return fmt.Sprintf("%s scenarios, all as expected", words.Count(len(runs)))
}
