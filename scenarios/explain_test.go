package scenarios_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/check"
	"interregnum/scenarios"
)

// TestExplanations: what is said of each shipped scenario's split brain. A changed line is read against the trace
// before it is accepted: go test ./scenarios -run TestExplanations -update
func TestExplanations(t *testing.T) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	var got strings.Builder
	for _, s := range all {
		r, err := scenarios.Run(s, scenarios.Options{Explain: true})
		require.NoError(t, err)
		spell(&got, r)
	}
	file := filepath.Join("testdata", "explanations.txt")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got.String())
}

// TestExplainsLateStart: who hears of its lock when another has taken it is the one that should not work, although its work starts later.
func TestExplainsLateStart(t *testing.T) {
	s, err := scenarios.Read(strings.NewReader(`
name: late-start
horizon: 60s
candidates:
  - {id: a}
  - {id: b, startAt: 5s}
faults:
  - {kind: delay, at: 2500us, until: 1s, on: [a], response: 30s}
`), "late-start")
	require.NoError(t, err)
	r, err := scenarios.Run(s, scenarios.Options{Explain: true})
	require.NoError(t, err)
	var got strings.Builder
	spell(&got, r)
	assert.Regexp(t, `late-start: b and a, .*\n  a started at 30\.\d+s because it heard only then that it had taken the lock at 0\.\d+s, and b had taken it at \d+\.\d+s`, got.String())
}

// TestExplainsEdits: somebody who edits the holder is the reason for whoever takes the lock then. An edit that leaves the holder alone is none, and has
// the lease count anew.
func TestExplainsEdits(t *testing.T) {
	for edit, want := range map[string]string{
		`holder: ""`: `b took over at 10\.\d+s because somebody had edited the lock object at 10\.4s: it named nobody`,
		`holder: b`:  `b took over at 10\.\d+s because somebody had edited the lock object at 10\.4s: it named b`,
		`holder: c`: `(?s)b took over at 2\d\.\d+s because the last that looked new to it was somebody's edit at 10\.4s; .*` +
			`10\.4s +edited +somebody's edit is applied: the last that looks new to b`,
	} {
		s, err := scenarios.Read(strings.NewReader(`
name: edited
horizon: 60s
candidates:
  - {id: a, drain: 20s}
  - {id: b, startAt: 500ms}
faults:
  - {kind: partition, at: 10300ms, until: 20s, on: [a]}
  - {kind: edit, at: 10400ms, `+edit+`}
`), "edited")
		require.NoError(t, err)
		r, err := scenarios.Run(s, scenarios.Options{Explain: true})
		require.NoError(t, err)
		var got strings.Builder
		spell(&got, r)
		assert.Regexp(t, want, got.String(), edit)
	}
}

func spell(w *strings.Builder, r *scenarios.Result) {
	for _, p := range r.Properties {
		for _, v := range p.Violations {
			if p.Name != check.SingleWork {
				continue
			}
			for _, e := range v.Explanations {
				fmt.Fprintf(w, "%s: %s and %s, %v to %v\n  %s\n", r.Scenario, e.First, e.Second,
					time.Duration(e.FromNs), time.Duration(e.ToNs), e.Summary)
				for _, s := range e.Steps {
					fmt.Fprintf(w, "    %-14v %-2s %-15s %s\n", time.Duration(s.AtNs), s.Candidate, s.Event, s.Text)
				}
				if e.Sum != nil {
					fmt.Fprintf(w, "  %s\n", e.Sum.Text)
				}
				w.WriteString("\n")
			}
		}
	}
}
