package outlook

import (
	"context"
	"fmt"

	"interregnum/internal/forecast"
	"interregnum/internal/gate/files"
)

// compare makes the forecasts of all targets of the gate together, and adds them to the report. Refused targets have none. If
// nothing is known in time, or a target cannot be simulated, it adds a problem in place of all targets; if ctx has ended, it adds
// neither.
func (m *Maker) compare(ctx context.Context, r *Report) {
	var taken []*Target
	var questions []*forecast.Question
	for _, j := range r.Gate.Targets {
		t := m.Site.target(j)
		r.Targets = append(r.Targets, t)
		if t.Verdict != Refused {
			taken, questions = append(taken, t), append(questions, &t.Question)
		}
	}
	if len(taken) == 0 {
		return
	}
	limited, cancel := m.limited(ctx, len(taken))
	defer cancel()
	progress, done := m.Start(taken[0].Position.Name())
	defer done()
	o := *m.Options
	o.Progress = progress
	c, err := m.Compare(limited, questions, &o)
	if c == nil {
		r.Targets = nil
		if ctx.Err() == nil {
			if limited.Err() != nil {
				err = fmt.Errorf("nothing is known after %v for each target; want more time", m.Limit)
			}
			r.Gate.Problems = append(r.Gate.Problems, files.Problem{Position: taken[0].Position, Text: err.Error()})
		}
		return
	}
	for i, t := range taken {
		t.Cut = err != nil
		t.judge(c.Forecasts[i])
		if i > 0 {
			t.Against = &c.Differences[i]
		}
	}
	weigh(taken, c.Between)
}

// First returns the target with which the others are compared; nil if no targets are compared.
func (r *Report) First() *Target {
	var first *Target
	for _, t := range r.Targets {
		switch {
		case t.Against != nil:
			return first
		case first == nil && t.Forecast != nil:
			first = t
		}
	}
	return nil
}

// Differences returns a difference as three figures, in the order in which reports show them: losses per month, seconds without a
// leader per month, and API requests per day.
func Differences(d *forecast.Difference) []Figure {
	return []Figure{Losses(d.Losses), Leaderless(d.Leaderless), Requests(d.Requests)}
}
