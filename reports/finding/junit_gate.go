package finding

import (
	"io"

	"interregnum/internal/forecast/outlook"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files"
	"interregnum/reports/text"
)

// GateJUnit writes a test case for each target, problem and note, and the environment as properties of the suite. Unsafe and refused
// targets are failures unless they are accepted, problems are errors, and notes are skipped tests.
func GateJUnit(w io.Writer, r *gate.Report) error {
	s := junitSuite{Name: "simulate gate", class: "simulate.gate"}
	for _, n := range r.Environment.Numbers() {
		s.Properties = append(s.Properties, junitProperty{n.Name, n.Value + " (" + n.Source + ")"})
	}
	for _, j := range r.Targets {
		s.judged(j.Position, j.Counts(), text.GateVerdict(j), string(j.Verdict), text.GateBody(j))
	}
	s.unjudged(r)
	return writeJUnit(w, "", s)
}

// ForecastJUnit writes a test case for each target, problem and note, and the behaviour as properties of the suite. A target is a
// failure if it is refused, or does not surely keep to the thresholds; problems are errors, and notes are skipped tests.
func ForecastJUnit(w io.Writer, r *outlook.Report) error {
	s := junitSuite{Name: "simulate forecast", class: "simulate.forecast"}
	for _, row := range text.BehaviourRows(r.Site.Behaviour) {
		s.Properties = append(s.Properties, junitProperty{row[0], row[1] + " (" + r.Site.From + ")"})
	}
	for _, t := range r.Targets {
		s.judged(t.Position, t.Fails(), text.ForecastHeadline(t), string(t.Verdict), text.ForecastBody(t, r.Options))
	}
	s.unjudged(r.Gate)
	return writeJUnit(w, "", s)
}

// judged adds the test case of a target. If fails is true, it is a failure with the message, the verdict and the body; otherwise
// the body is the output of the test.
func (s *junitSuite) judged(at files.Position, fails bool, message, verdict, body string) {
	c := placedCase(at)
	if fails {
		c.Failure = &junitDetail{message, verdict, body}
	} else {
		c.Out = body
	}
	s.add(c)
}

// unjudged adds a test case for each problem, which is an error, and for each note, which is a skipped test.
func (s *junitSuite) unjudged(r *gate.Report) {
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
}

// placedCase returns an empty test case with the name, file and line of a position.
func placedCase(p files.Position) junitCase {
	return junitCase{Name: p.Name(), File: p.File, Line: p.Line}
}
