package gate_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/gate"
	"interregnum/reports/finding"
	"interregnum/reports/text"
)

// terminal is text that a terminal shows and does not obey: none of the control characters but the ends of lines.
var terminal = regexp.MustCompile(`^[^\x00-\x09\x0b-\x1f\x7f\x{80}-\x{9f}]*$`)

// FuzzGate: whatever the manifests and the environment say, each is judged or told to be bad, in one line that names the file
// and its line; the gate itself never fails, and is done soon. An environment that is read reads back.
func FuzzGate(f *testing.F) {
	environment := []byte("maxRoundTrip: 2500ms\nmaxDriftPPM: 50\nmaxPause: 20s\ndrain: 1m30s\n")
	files, err := filepath.Glob("files/testdata/real/*.yaml")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(text, environment)
	}
	for _, text := range []string{
		"leaderElection: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}\n",
		"leaderElection: {leaseDuration: 8760h, renewDeadline: 1s, retryPeriod: 1ns}\n",
		"name: x\nhorizon: 1h\ncandidates: [{id: a, lock: sql-ttl, now: own, drain: 1m}, {id: b, profile: strict}]\n",
	} {
		f.Add([]byte(text), environment)
		f.Add([]byte(text), []byte("maxClockOffset: 1h\nmaxDriftPPM: 900000\nmaxRoundTrip: 0s\n"))
	}
	f.Fuzz(func(t *testing.T, manifest, environment []byte) {
		e, err := gate.ReadEnvironment("e.yaml", bytes.NewReader(environment))
		if err != nil {
			require.Regexp(t, `^e\.yaml(:[1-9][0-9]*)?: .+`, err.Error())
			require.Regexp(t, terminal, err.Error())
			return
		}
		again, err := gate.ReadEnvironment("e.yaml", strings.NewReader(written(&e)))
		require.NoError(t, err)
		require.Equal(t, e.Environment, again.Environment)
		begin := time.Now()
		r := gate.JudgeFiles([]string{"-"}, bytes.NewReader(manifest), &gate.Unsaid{Profile: machine.ClientGo}, e)
		require.Less(t, time.Since(begin), time.Minute, "environment %s", environment)
		require.Empty(t, r.Failures)
		for _, p := range r.Problems {
			require.Regexp(t, `^-(:[1-9][0-9]*)?: .+`, p.Error())
			require.Regexp(t, terminal, p.Error())
		}
		plain := func(w io.Writer, r *gate.Report) error { return text.Gate(w, r, text.Unlimited) }
		for _, form := range []func(io.Writer, *gate.Report) error{plain, finding.GateMarkdown, finding.GateJSON, finding.GateJUnit} {
			var b strings.Builder
			require.NoError(t, form(&b, r))
			for line := range strings.Lines(b.String()) {
				require.Regexp(t, terminal, strings.TrimSuffix(line, "\n"))
			}
		}
	})
}

// written is an environment as a file.
func written(e *gate.Environment) string {
	var b strings.Builder
	for _, n := range e.Numbers() {
		fmt.Fprintf(&b, "%s: %s\n", n.Name, n.Value)
	}
	return b.String()
}
