// Package side makes the two sides of a comparison of runs: it runs scenarios, or reads traces.
package side

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/check"
	"interregnum/internal/explain"
	"interregnum/internal/phrase"
	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/reports/finding"
	"interregnum/reports/text"
	"interregnum/scenarios"
)

// maxCompared is how many events of a run are kept, which take some hundred megabytes.
const maxCompared = 2_000_000

// eventKeeper keeps the events of a run, at most maxCompared.
type eventKeeper struct {
	events []trace.Event
	full   bool
}

// Observe appends a copy of the event to k.events. If there are maxCompared already, it appends nothing, and sets k.full.
func (k *eventKeeper) Observe(e *trace.Event) {
	if k.full = len(k.events) == maxCompared; !k.full {
		k.events = append(k.events, *e)
	}
}

// checkSize returns an error if the run had more than maxCompared events, so that k does not have all.
func (k *eventKeeper) checkSize() error {
	if k.full {
		return fmt.Errorf("more than %d events: too many to compare", maxCompared)
	}
	return nil
}

// Run runs a scenario, and returns the run with its events. name is the run's name in the comparison. noShortcut is NoShortcut of
// scenarios.Options. The error says that the run failed, or that it has too many events to compare; in the latter case the Side is
// returned too, with the first events, unless so many were to be expected that nothing was run.
func Run(name string, s *scenarios.Scenario, noShortcut bool) (*reports.Side, error) {
	if n := input.Renewals(s); n > input.MaxRenewals {
		return nil, fmt.Errorf("%s: some %d renewals: too many to compare", name, n)
	}
	side := &reports.Side{Name: name, Header: s.Header(), Timeline: reports.NewTimeline(s.Header(), s.Faults)}
	var kept eventKeeper
	r, err := scenarios.Run(s, scenarios.Options{
		Explain: true, Sinks: []trace.Sink{&kept, side.Timeline}, NoShortcut: noShortcut,
	})
	if err != nil {
		return nil, &exit.Error{Code: exit.HarnessFailed, Text: fmt.Sprintf("%s: %v", name, err)}
	}
	side.Result, side.Events = r, kept.events
	return side, kept.checkSize()
}

// Read returns the run in the trace file that an argument names. If the argument names a scenario, it runs that. It returns an
// error for a file of results, which has no events.
func Read(stdin io.Reader, arg string) (*reports.Side, error) {
	f, err := os.Open(arg)
	if err == nil {
		defer f.Close()
		in := bufio.NewReader(f)
		switch first := input.FirstKeys(in); {
		case first["schema"]:
			side, err := OfTrace(arg, in)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", arg, err)
			}
			return side, nil
		case first["traceHash"]:
			return nil, fmt.Errorf("%s: is a result, which has no events; want a trace (simulate run --trace) or a scenario", arg)
		}
	}
	s, err := input.Scenario(stdin, arg)
	if err != nil {
		return nil, err
	}
	return Run(arg, s, false)
}

// OfTrace reads a trace, judges its events as those of a run, and returns the run with them. name is the run's name in the
// comparison. If the trace has too many events to compare, it returns an error, and the Side too, with the first events.
func OfTrace(name string, in io.Reader) (*reports.Side, error) {
	r, err := trace.NewReader(in)
	if err != nil {
		return nil, err
	}
	h := reports.Legible(r.Header())
	side := &reports.Side{Name: name, Header: h, Timeline: reports.NewTimeline(h, nil)}
	var kept eventKeeper
	suite, fold, hash := check.NewSuite(h), explain.NewFold(h), trace.NewHash()
	sinks := []trace.Sink{&kept, side.Timeline, suite, fold}
	for {
		var e trace.Event
		if err := r.Next(&e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		hash.Observe(&e)
		e.Holder = phrase.OneLine(e.Holder) // in a file it can be any text
		for _, s := range sinks {
			s.Observe(&e)
		}
	}
	side.Events = kept.events
	side.Result = &scenarios.Result{
		Scenario: h.Scenario, Seed: h.Seed, TraceHash: hash.Sum().String(),
		Properties: suite.Properties(int64(h.Horizon)),
	}
	scenarios.Attach(side.Result.Properties, fold.Explanations(int64(h.Horizon)))
	return side, kept.checkSize()
}

// Writer writes the comparison of two runs. Text has at most width columns.
type Writer = func(w io.Writer, a, b *reports.Side, width int) error

// Forms are the forms of output of a comparison.
var Forms = cliflag.Forms[Writer]{{Name: cliflag.Text, Write: writeText}, {Name: cliflag.JSON, Write: writeJSON}}

// writeText writes the comparison as text, with colours if w is a terminal that has them. It sets Color of both timelines.
func writeText(w io.Writer, a, b *reports.Side, width int) error {
	color := terminal.Of(w).Color
	a.Timeline.Color, b.Timeline.Color = color, color
	return text.Diff(w, a, b, width)
}

// writeJSON writes the comparison as one line of JSON.
func writeJSON(w io.Writer, a, b *reports.Side, _ int) error { return finding.DiffJSON(w, a, b) }
