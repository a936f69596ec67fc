package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/reports/page"
	"interregnum/reports/perfetto"
	"interregnum/reports/text"
	"interregnum/scenarios"
)

// TestElectionsInPictures: each candidate in each election has a row of its own, each election a record, and a process
// that ends by itself shows why.
func TestElectionsInPictures(t *testing.T) {
	s, err := scenarios.Named("elections-exit")
	require.NoError(t, err)
	timeline, html := reports.NewTimeline(s.Header(), s.Faults), page.New(s)
	var file bytes.Buffer
	events := perfetto.New(&file, s.Header(), s.Faults)
	r, err := scenarios.Run(s, scenarios.Options{Sinks: []trace.Sink{timeline, html, events}})
	require.NoError(t, err)
	require.NoError(t, events.Close())
	var picture, document bytes.Buffer
	require.NoError(t, text.Timeline(&picture, timeline, r, reports.DefaultWidth))
	require.NoError(t, html.HTML(&document, &reports.Run{Scenario: s, Result: r}, "simulate run elections-exit"))
	for _, want := range []string{"lease/main ", "lease/shard ", "A a/main ", "B a/shard ", "C b/main ", "D b/shard ", "^ exited",
		"error 503 in main"} {
		assert.Contains(t, picture.String(), want)
	}
	assert.Equal(t, 1, strings.Count(picture.String(), "error 503 in main"), "the other election is not touched")
	for _, want := range []string{"a/shard", "lease/shard record", "its process exits, since it lost an election"} {
		assert.Contains(t, document.String(), want)
	}
	for _, want := range []string{`"lock of shard"`, `"b/shard"`, `"exited"`} {
		assert.Contains(t, file.String(), want)
	}
}

// TestRolesInElections: the leader of one election need not be that of another, and a fault on its process is on both.
func TestRolesInElections(t *testing.T) {
	s, err := scenarios.Named("elections-timings")
	require.NoError(t, err)
	crash := scenarios.Fault{Kind: "crash", At: s.Faults[0].At * 3, On: []string{"leader"}, Election: "quick"}
	s.Faults = append(s.Faults, crash)
	timeline := reports.NewTimeline(s.Header(), s.Faults)
	_, err = scenarios.Run(s, scenarios.Options{Sinks: []trace.Sink{timeline}})
	require.NoError(t, err)
	last := timeline.Faults[len(timeline.Faults)-1]
	assert.Equal(t, []int32{2, 3}, last.On, "b leads quick, and a slow")
}

// TestEditInPictures: an edit shows in the record of its own election, and a holder that is no candidate as none. The
// last one, after which nobody writes, has a version too.
func TestEditInPictures(t *testing.T) {
	s, err := scenarios.Read(strings.NewReader(`name: edit
horizon: 40s
defaults: {jitter: 0.5}
elections: [{name: main}, {name: a-long-name-of-a-shard}]
candidates: [{id: a}, {id: b}]
faults: [{kind: edit, at: 26s, election: a-long-name-of-a-shard, holder: stranger}]
`), "edit.yaml")
	require.NoError(t, err)
	timeline, html := reports.NewTimeline(s.Header(), s.Faults), page.New(s)
	var file bytes.Buffer
	events := perfetto.New(&file, s.Header(), s.Faults)
	r, err := scenarios.Run(s, scenarios.Options{Sinks: []trace.Sink{timeline, html, events}})
	require.NoError(t, err)
	require.NoError(t, events.Close())
	var picture, document bytes.Buffer
	require.NoError(t, text.Timeline(&picture, timeline, r, reports.DefaultWidth))
	require.NoError(t, html.HTML(&document, &reports.Run{Scenario: s, Result: r}, "simulate run edit.yaml"))
	main, shard := timeline.Records[0].Stretches, timeline.Records[1].Stretches
	require.Len(t, main, 1)
	require.Len(t, shard, 2)
	assert.Equal(t, "stranger", shard[1].Holder)
	assert.Equal(t, trace.Nobody, shard[1].Candidate)
	assert.Contains(t, picture.String(), "? a holder without a row here")
	assert.Contains(t, picture.String(), "edit holder stranger in a-long-name-of-a-shard ^")
	assert.Contains(t, document.String(), "edit holder stranger in a-long-name-of-a-shard at 26s")
	assert.Contains(t, document.String(), "stranger holds the lease/a-long-name-of-a-shard")
	assert.Contains(t, file.String(), "held by stranger")
}
