package text

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/reporttest"
	"interregnum/reports"
)

// TestInvestigationText: steps have times, an overlap has its length, and no two lines in turn are empty.
func TestInvestigationText(t *testing.T) {
	v := reporttest.Investigation(t, "")
	v.Outages = []reports.Outage{{From: time.Unix(0, 0), Until: time.Unix(1, 0)}}
	var b strings.Builder
	require.NoError(t, Investigation(&b, v, 200))
	assert.Regexp(t, `CERTAIN: \S+ and \S+ worked at once, for 25\.\d+s at least:`, b.String())
	assert.Contains(t, b.String(), "(manager-a.log:2, at 2026-03-01 12:00:00.026 to 2026-03-01 12:00:00.031)")
	assert.Contains(t, b.String(), "both certainly worked from 2026-03-01 12:00:24.")
	assert.NotContains(t, b.String(), "\n\n\n")
}

// TestCut: the table of locks has one line for each in 80 columns, without its last columns.
func TestCut(t *testing.T) {
	rows := [][]string{{"lock", "two at once", "losses", "changes", "longest gap", "holders", "slowest write", "conflicts"},
		{"shop/manager-with-a-name", "not known at 2", "2", "2", "16.439s", "2", "18.876ms", "1"}}
	lines := (&table{headed: true, rows: rows}).cut(80, 4).within(80)
	assert.Len(t, lines, 2)
	assert.NotContains(t, lines[0], "conflicts")
	assert.Contains(t, lines[0], "changes")
}
