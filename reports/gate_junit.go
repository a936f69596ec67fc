package reports

import (
	"encoding/xml"
	"io"
	"strings"

	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
)

type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	File    string       `xml:"file,attr,omitempty"`
	Line    int          `xml:"line,attr,omitempty"`
	Failure *junitDetail `xml:"failure"`
	Error   *junitDetail `xml:"error"`
	Skipped *junitDetail `xml:"skipped"`
	Out     string       `xml:"system-out,omitempty"`
}

type junitDetail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// GateJUnit writes a test case for each target, bad input and note: unsafe and refused ones have failed.
func GateJUnit(w io.Writer, r *gate.Report) error {
	s := junitSuite{Name: "simulate gate"}
	for _, n := range r.Environment.Numbers() {
		s.Properties = append(s.Properties, junitProperty{n.Name, n.Value + " (" + n.Source + ")"})
	}
	for _, j := range r.Targets {
		c := placedCase(j.Position)
		text := strings.Join(anySheet.gateBody(j), "\n")
		if j.Verdict == gate.Safe || j.Accepted != "" {
			c.Out = text
		} else {
			s.Failures++
			c.Failure = &junitDetail{verdictWords(j), string(j.Verdict), text}
		}
		s.Cases = append(s.Cases, c)
	}
	for _, p := range r.Problems {
		s.Errors++
		c := placedCase(p.Position)
		c.Error = &junitDetail{p.Text, "bad input", p.Error()}
		s.Cases = append(s.Cases, c)
	}
	for _, n := range r.Notes {
		s.Skipped++
		c := placedCase(n.Position)
		c.Skipped = &junitDetail{Message: n.Text}
		s.Cases = append(s.Cases, c)
	}
	s.Tests = len(s.Cases)
	out, err := xml.MarshalIndent(junitSuites{
		Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Skipped: s.Skipped, Suite: s,
	}, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(out)+"\n")
	return err
}

// placedCase returns an empty test case with the name, file and line of a position.
func placedCase(p files.Position) junitCase {
	return junitCase{Name: p.Name(), Class: "simulate.gate", File: p.File, Line: p.Line}
}
