package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"interregnum/internal/check"
	"interregnum/reports/internal/words"
)

// junitRuns is a JUnit file with a suite for each scenario.
type junitRuns struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

// JUnit writes a test suite for each run, with a test case for each property. One whose verdict is not what the scenario
// expects has failed; a run that failed itself is an error.
func JUnit(w io.Writer, runs []Run) error {
	all := junitRuns{Name: "simulate run"}
	for i := range runs {
		all.add(runSuite(&runs[i]))
	}
	return all.write(w)
}

// add adds a suite to the count.
func (j *junitRuns) add(s junitSuite) {
	j.Tests += s.Tests
	j.Failures += s.Failures
	j.Errors += s.Errors
	j.Suites = append(j.Suites, s)
}

func (j *junitRuns) write(w io.Writer) error {
	out, err := xml.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(out)+"\n")
	return err
}

// runSuite returns the JUnit suite of a run: a test case for each property, or a single one with an error if the run
// itself failed.
func runSuite(r *Run) junitSuite {
	name := words.Visible(r.Scenario.Name, words.MaxName)
	s := junitSuite{Name: name, Properties: []junitProperty{{"command", r.Command}}}
	if r.Result == nil {
		s.Tests, s.Errors = 1, 1
		text := fmt.Sprint(r.Err)
		first, _, _ := strings.Cut(text, "\n")
		s.Cases = []junitCase{{Name: "run", Class: name, Error: &junitDetail{words.Visible(first, words.MaxText), "harness", words.VisibleLines(text)}}}
		return s
	}
	s.Properties = append(s.Properties, junitProperty{"seed", fmt.Sprint(r.Result.Seed)},
		junitProperty{"traceHash", r.Result.TraceHash})
	for i := range r.Result.Properties {
		c := propertyCase(r, &r.Result.Properties[i])
		c.Class = name
		if c.Failure != nil {
			s.Failures++
		}
		s.Cases = append(s.Cases, c)
	}
	s.Tests = len(s.Cases)
	return s
}

// propertyCase returns the test case of a property; it has failed if the verdict is not one that the scenario expects.
func propertyCase(r *Run, p *check.Property) junitCase {
	c := junitCase{Name: p.Name}
	text := string(p.Verdict) + " " + extent(p)
	detail := strings.TrimSpace(text) + "\n" + strings.Join(propertyLines(r, p), "\n")
	if r.Scenario.Fulfils(p) {
		if p.Verdict != check.Held {
			c.Out = strings.TrimSpace(detail)
		}
		return c
	}
	c.Failure = &junitDetail{
		Message: fmt.Sprintf("%s: want %s", strings.TrimSpace(text), r.expected(p.Name)),
		Type:    p.Name,
		Text:    detail + "\n" + r.Command,
	}
	return c
}

// propertyLines are a property's violations and, of single-work, how they came about.
func propertyLines(r *Run, p *check.Property) []string {
	one := *r.Result
	one.Properties = []check.Property{*p}
	return section(violationLines(&one, DefaultWidth), whyLines(&one, DefaultWidth))
}
