package reports_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/reports/text"
	"interregnum/scenarios"
)

// ran returns what a run of a scenario file prints, with its timeline, at the default width.
func ran(t *testing.T, file string) string {
	s, err := scenarios.Read(strings.NewReader(file), "x.yaml")
	require.NoError(t, err)
	timeline := reports.NewTimeline(s.Header(), s.Faults)
	r, err := scenarios.Run(s, scenarios.Options{Sinks: []trace.Sink{timeline}})
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, text.Run(&b, &reports.Run{Scenario: s, Result: r}, text.Unlimited))
	require.NoError(t, text.Timeline(&b, timeline, r, reports.DefaultWidth))
	return b.String()
}

// TestVoidReasons: a fault without effect says what it lacked; so does what is not before the horizon.
func TestVoidReasons(t *testing.T) {
	got := ran(t, `
name: x
horizon: 40s
candidates: [{id: a}, {id: b, startAt: 50s}]
faults:
  - {kind: crash, at: 40s, on: [a]}
  - {kind: edit, at: 10s, holder: a}
  - {kind: cancel, at: 11s, on: [b]}
  - {kind: delete, at: 1ms}
`)
	for _, want := range []string{
		"no. 1 of the file (crash) did not take place: it is at 40s, and the run ends at 40s",
		"no. 2 of the file (edit) did nothing at 10s: there was no Lease to edit, or it had these values already",
		"no. 3 of the file (cancel) did nothing at 11s: it found nobody",
		"no. 4 of the file (delete) did nothing at 1ms: there was nothing to delete",
		"candidate b did not start: it would at 50s, and the run ends at 40s",
	} {
		assert.Contains(t, got, want)
	}
}

// TestHeadlineOfElections: leaders of two elections work at the same time, and that is no split brain.
func TestHeadlineOfElections(t *testing.T) {
	got := ran(t, `
name: x
horizon: 30s
elections: [{name: main}, {name: shard}]
candidates: [{id: a, elections: [main]}, {id: b, elections: [shard]}]
`)
	assert.Contains(t, got, "no split brain: at no instant do two candidates of one election work")
}

// TestSeamBetweenTerms: a term that ended in the column before the next one is not drawn as one with it.
func TestSeamBetweenTerms(t *testing.T) {
	s, err := scenarios.Named("probe-in-time")
	require.NoError(t, err)
	timeline := reports.NewTimeline(s.Header(), s.Faults)
	r, err := scenarios.Run(s, scenarios.Options{Sinks: []trace.Sink{timeline}})
	require.NoError(t, err)
	require.Len(t, r.Terms, 2)
	var b strings.Builder
	require.NoError(t, text.Timeline(&b, timeline, r, reports.DefaultWidth))
	assert.Contains(t, b.String(), "| ended and began again")
	assert.Regexp(t, `work +█+\|█+`, b.String())
}
