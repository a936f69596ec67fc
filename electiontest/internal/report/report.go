// Package report writes what there is to see of a run of the code under test: as text, and as files.
package report

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"interregnum/electiontest/internal/outcome"
	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/reports/finding"
	"interregnum/reports/page"
	"interregnum/reports/text"
)

// Text returns the result and the timeline of a run, as simulate run prints them. command is the command line that runs it
// again, "" for none. An error of the printer is added to the text.
func Text(o *outcome.Outcome, command string) string {
	var b bytes.Buffer
	run := &reports.Run{Scenario: o.Scenario, Result: o.Result, Command: command}
	err := text.Run(&b, run, reports.DefaultWidth)
	b.WriteByte('\n')
	timeline := reports.NewTimeline(o.Header, o.Scenario.Faults)
	for i := range o.Events {
		timeline.Observe(&o.Events[i])
	}
	if err := errors.Join(err, text.Timeline(&b, timeline, o.Result, reports.DefaultWidth)); err != nil {
		fmt.Fprintln(&b, err)
	}
	return b.String()
}

// Files writes the scenario and the reports of its run (text, result, trace, page), which only their owner may read. If dir is
// "", they go to the test's artifact directory under go test -artifacts, else to the directory for temporary files; otherwise
// it makes dir if need be. It returns their paths as one text, with all extensions in braces. If some cannot be written, it
// still writes the others, and returns the errors.
func Files(t testing.TB, o *outcome.Outcome, dir, command string) (string, error) {
	name := o.Result.Scenario
	if dir == "" {
		dir = os.TempDir()
		name = Temporary(t.Name()) + "-" + name
		if f := flag.Lookup("test.artifacts"); f != nil && f.Value.String() == "true" {
			dir, name = t.ArtifactDir(), o.Result.Scenario
		}
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	base := filepath.Join(dir, name)
	html := page.New(o.Scenario)
	for i := range o.Events {
		html.Observe(&o.Events[i])
	}
	run := &reports.Run{Scenario: o.Scenario, Result: o.Result, Command: command}
	return base + ".{yaml,txt,json,jsonl,html}", errors.Join(
		WriteFile(base+".yaml", o.Given.WriteYAML),
		WriteFile(base+".txt", func(w io.Writer) error {
			_, err := io.WriteString(w, Text(o, command))
			return err
		}),
		WriteFile(base+".json", func(w io.Writer) error { return finding.JSON(w, o.Result) }),
		WriteFile(base+".jsonl", func(w io.Writer) error { return Trace(w, o) }),
		WriteFile(base+".html", func(w io.Writer) error { return html.HTML(w, run, command) }),
	)
}

// Trace writes the run's events to w as a trace file.
func Trace(w io.Writer, o *outcome.Outcome) error {
	out := trace.NewWriter(w, o.Header)
	for i := range o.Events {
		out.Observe(&o.Events[i])
	}
	return out.Flush()
}
