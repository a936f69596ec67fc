package electiontest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"interregnum/internal/private"
	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/reports/finding"
	"interregnum/reports/page"
	"interregnum/reports/text"
)

// conclude fails the test where the result is not as expected, and leaves the reports where they are wanted. The last
// line of a failure is the command that shows it again.
func (o *outcome) conclude(t *testing.T, dir string) {
	t.Helper()
	if o.result.AsExpected {
		if o.blind = o.unshown(); o.blind != "" {
			o.result.AsExpected = false
		}
	}
	fine := o.result.AsExpected
	command := o.command(t.Name())
	if testing.Verbose() || !fine {
		t.Log(o.text(command))
		if o.left != "" {
			t.Logf("these goroutines had not ended when the run was over, which is no failure by itself:\n%s", o.left)
		}
	}
	if fine && dir == "" {
		return
	}
	files, err := o.keep(t, dir, command)
	switch {
	case err != nil:
		t.Errorf("electiontest: the reports of %s could not be written: %v", o.result.Scenario, err)
	case !fine || testing.Verbose():
		t.Logf("reports: %s", files)
	}
	if !fine {
		t.Fatalf("%s; to show it again:\n%s", o.problem(), command)
	}
}

// problem says in a line what is not as expected.
func (o *outcome) problem() string {
	said := "scenario " + o.result.Scenario
	if o.blind != "" {
		return strings.Join(append([]string{said + ": " + o.blind}, o.remarks...), "; ")
	}
	var names []string
	for i := range o.result.Properties {
		if p := &o.result.Properties[i]; !o.scenario.Fulfils(p) {
			names = append(names, fmt.Sprintf("%s is %s", p.Name, p.Verdict))
		}
	}
	return strings.Join(append([]string{said + " is not as expected: " + strings.Join(names, ", ")}, o.remarks...), "; ")
}

// text is what simulate run prints of a scenario.
func (o *outcome) text(command string) string {
	var b bytes.Buffer
	run := &reports.Run{Scenario: o.scenario, Result: o.result, Command: command}
	err := text.Run(&b, run, reports.DefaultWidth)
	b.WriteByte('\n')
	timeline := reports.NewTimeline(o.header, o.scenario.Faults)
	for i := range o.events {
		timeline.Observe(&o.events[i])
	}
	if err := errors.Join(err, text.Timeline(&b, timeline, o.result, reports.DefaultWidth)); err != nil {
		fmt.Fprintln(&b, err)
	}
	return b.String()
}

// keep writes the scenario, and the reports of its run: text, result, trace and page. Only their owner may read them. It
// returns their paths but for the extension.
func (o *outcome) keep(t testing.TB, dir, command string) (string, error) {
	name := o.result.Scenario
	if dir == "" {
		dir = os.TempDir()
		name = temporary(t.Name()) + "-" + name
		if f := flag.Lookup("test.artifacts"); f != nil && f.Value.String() == "true" {
			dir, name = t.ArtifactDir(), o.result.Scenario
		}
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	base := filepath.Join(dir, name)
	html := page.New(o.scenario)
	for i := range o.events {
		html.Observe(&o.events[i])
	}
	run := &reports.Run{Scenario: o.scenario, Result: o.result, Command: command}
	return base + ".{yaml,txt,json,jsonl,html}", errors.Join(
		write(base+".yaml", o.given.WriteYAML),
		write(base+".txt", func(w io.Writer) error {
			_, err := io.WriteString(w, o.text(command))
			return err
		}),
		write(base+".json", func(w io.Writer) error { return finding.JSON(w, o.result) }),
		write(base+".jsonl", o.trace),
		write(base+".html", func(w io.Writer) error { return html.HTML(w, run, command) }),
	)
}

// trace writes the events of the run as a trace file.
func (o *outcome) trace(w io.Writer) error {
	out := trace.NewWriter(w, o.header)
	for i := range o.events {
		out.Observe(&o.events[i])
	}
	return out.Flush()
}

// write makes a file of what content writes, which only its owner may read. Where content fails there is no file.
func write(path string, content func(io.Writer) error) error {
	var b bytes.Buffer
	if err := content(&b); err != nil {
		return err
	}
	return private.WriteFile(path, b.Bytes())
}

// temporary is the name, in the directory for temporary files, of what a test leaves: the same each time, and another one
// for a package elsewhere, as in another checkout, whatever it is called.
func temporary(test string) string {
	dir, _ := os.Getwd() // go test runs a package's tests in its directory
	place := crc32.ChecksumIEEE([]byte(dir))
	return fmt.Sprintf("electiontest-%s-%08x-%s", fileName(packagePath()), place, fileName(test))
}

// fileName makes a text fit for a file's name: each character but letters, digits and dashes becomes _.
func fileName(test string) string {
	return regexp.MustCompile(`[^a-zA-Z0-9-]`).ReplaceAllString(test, "_")
}

// command is the command line that runs the test again, with the same seed.
func (o *outcome) command(test string) string {
	return fmt.Sprintf("%s -electiontest.seed=%d", o.rerun(test), o.result.Seed)
}

// rerun is the command line that runs the test again, without a seed.
func (o *outcome) rerun(test string) string {
	parts := strings.Split(test, "/")
	for i := range parts {
		parts[i] = "^" + regexp.QuoteMeta(parts[i]) + "$"
	}
	pattern := strings.ReplaceAll(strings.Join(parts, "/"), "'", `'\''`)
	return fmt.Sprintf("go test -count=1 -run '%s' %s", pattern, packagePath())
}

// packagePath is the import path of the package under test.
func packagePath() string {
	info, _ := debug.ReadBuildInfo()
	return pathOf(info)
}

// pathOf is the import path of the package that a test program was built of; . where that is not known.
func pathOf(info *debug.BuildInfo) string {
	if info == nil || info.Path == "" || strings.HasPrefix(info.Path, "command-line-arguments") { // go test x_test.go
		return "."
	}
	return strings.TrimSuffix(info.Path, ".test") // a package main has no such end
}
