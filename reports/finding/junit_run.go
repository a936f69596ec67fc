package finding

import (
	"fmt"
	"io"
	"strings"

	"interregnum/internal/check"
	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/reports/text"
)

// JUnit writes a test suite for each run, with a test case for each property. A verdict that the scenario does not expect
// is a failure; a run that failed itself is an error.
func JUnit(w io.Writer, runs []reports.Run) error {
	suites := make([]junitSuite, len(runs))
	for i := range runs {
		suites[i] = runSuite(&runs[i])
	}
	return writeJUnit(w, "simulate run", suites...)
}

// runSuite returns the JUnit suite of a run: a test case for each property, or a single one with an error if the run
// itself failed.
func runSuite(r *reports.Run) junitSuite {
	s := junitSuite{Name: words.Visible(r.Scenario.Name, words.MaxName), Properties: []junitProperty{{"command", r.Command}}}
	if r.Result == nil {
		message := fmt.Sprint(r.Err)
		first, _, _ := strings.Cut(message, "\n")
		s.add(junitCase{Name: "run",
			Error: &junitDetail{words.Visible(first, words.MaxText), "harness", words.VisibleLines(message)}})
		return s
	}
	s.Properties = append(s.Properties, junitProperty{"seed", fmt.Sprint(r.Result.Seed)},
		junitProperty{"traceHash", r.Result.TraceHash})
	for i := range r.Result.Properties {
		s.add(propertyCase(r, &r.Result.Properties[i]))
	}
	return s
}

// propertyCase returns the test case of a property. It is a failure if the scenario does not expect the verdict. If the scenario
// does, it passes, and a verdict other than held is its output.
func propertyCase(r *reports.Run, p *check.Property) junitCase {
	c := junitCase{Name: p.Name}
	said := strings.TrimSpace(string(p.Verdict) + " " + reports.Extent(p))
	detail := said + "\n" + text.Violations(r.Result, p)
	if r.Scenario.Fulfils(p) {
		if p.Verdict != check.Held {
			c.Out = strings.TrimSpace(detail)
		}
		return c
	}
	c.Failure = &junitDetail{
		Message: fmt.Sprintf("%s: want %s", said, r.Expected(p.Name)),
		Type:    p.Name,
		Text:    detail + "\n" + r.Command,
	}
	return c
}
