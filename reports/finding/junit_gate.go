package finding

import (
	"io"

	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/reports/text"
)

// GateJUnit writes a test case for each target, problem and note. Unsafe and refused targets are failures unless they are
// accepted, problems are errors, and notes are skipped tests.
func GateJUnit(w io.Writer, r *gate.Report) error {
	s := junitSuite{Name: "simulate gate"}
	for _, n := range r.Environment.Numbers() {
		s.Properties = append(s.Properties, junitProperty{n.Name, n.Value + " (" + n.Source + ")"})
	}
	for _, j := range r.Targets {
		c := placedCase(j.Position)
		body := text.GateBody(j)
		if j.Counts() {
			c.Failure = &junitDetail{text.GateVerdict(j), string(j.Verdict), body}
		} else {
			c.Out = body
		}
		s.add(c)
	}
	for _, p := range r.Problems {
		c := placedCase(p.Position)
		c.Error = &junitDetail{p.Text, "bad input", p.Error()}
		s.add(c)
	}
	for _, n := range r.Notes {
		c := placedCase(n.Position)
		c.Skipped = &junitDetail{Message: n.Text}
		s.add(c)
	}
	return writeJUnit(w, "", s)
}

// placedCase returns an empty test case with the name, file and line of a position.
func placedCase(p files.Position) junitCase {
	return junitCase{Name: p.Name(), Class: "simulate.gate", File: p.File, Line: p.Line}
}
