package witness

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
