package finding

import (
	"io"

	"interregnum/internal/forecast/outlook"
	"interregnum/internal/gate/files"
	"interregnum/reports/text"
)

// ForecastJUnit writes a test case for each target, problem and note. A target is a failure if it is refused, or does not surely
// keep to the thresholds; problems are errors, and notes are skipped tests.
func ForecastJUnit(w io.Writer, r *outlook.Report) error {
	s := junitSuite{Name: "simulate forecast"}
	for _, row := range text.BehaviourRows(r.Site.Behaviour) {
		s.Properties = append(s.Properties, junitProperty{row[0], row[1] + " (" + r.Site.From + ")"})
	}
	for _, t := range r.Targets {
		c := forecastCase(t.Position)
		body := text.ForecastBody(t, r.Options)
		if t.Fails() {
			c.Failure = &junitDetail{text.ForecastHeadline(t), string(t.Verdict), body}
		} else {
			c.Out = body
		}
		s.add(c)
	}
	for _, p := range r.Gate.Problems {
		c := forecastCase(p.Position)
		c.Error = &junitDetail{p.Text, "bad input", p.Error()}
		s.add(c)
	}
	for _, n := range r.Gate.Notes {
		c := forecastCase(n.Position)
		c.Skipped = &junitDetail{Message: n.Text}
		s.add(c)
	}
	return writeJUnit(w, "", s)
}

// forecastCase returns an empty test case with the name, file and line of a position.
func forecastCase(p files.Position) junitCase {
	c := placedCase(p)
	c.Class = "simulate.forecast"
	return c
}
