package witness

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/calibrate"
)

// TestRuns: the runs show what there is to conclude: terms, overlaps, losses, and logs of all sorts.
func TestRuns(t *testing.T) {
	terms, overlaps, lines, requests := 0, 0, 0, 0
	for seed := range uint64(300) {
		r, err := Simulate(seed)
		require.NoError(t, err)
		truth := r.Truth()
		logs := NewLogs(r, DrawHabits(r))
		e := logs.Evidence()
		terms += len(truth.Terms)
		overlaps += min(1, truth.Overlaps())
		lines += len(e.Sayings)
		requests += len(e.Requests)
	}
	t.Logf("%d terms, %d runs with overlaps, %d lines, %d requests", terms, overlaps, lines, requests)
	assert.Greater(t, terms, 300)
	assert.Greater(t, overlaps, 10)
	assert.Greater(t, lines, 1000)
	assert.Greater(t, requests, 3000)
}

// TestSame: the same seed makes the same logs.
func TestSame(t *testing.T) {
	for seed := range uint64(20) {
		var files [2][]File
		for i := range files {
			r, err := Simulate(seed)
			require.NoError(t, err)
			files[i] = NewLogs(r, DrawHabits(r)).Files()
		}
		assert.Equal(t, files[0], files[1])
	}
}

// TestAudit: another reader of audit logs finds the same requests in the text, and at most the last line broken.
func TestAudit(t *testing.T) {
	for seed := range uint64(100) {
		r, err := Simulate(seed)
		require.NoError(t, err)
		l := NewLogs(r, DrawHabits(r))
		for _, f := range l.Files() {
			if f.Name != "audit.log" {
				continue
			}
			a := &calibrate.Audit{Filter: calibrate.Filter{Resource: l.Lock().Resource, Namespace: namespace, Name: lockName}}
			require.NoError(t, a.Read(f.Name, strings.NewReader(f.Text)))
			assert.LessOrEqual(t, a.Broken, int64(1))
			assert.Equal(t, int64(len(l.Audit)), a.Lines)
			assert.Zero(t, a.OtherRequests+a.Filtered)
		}
	}
}
