package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/reports"
)

// TestTableWithin: no line is longer than asked for, and no word is broken.
func TestTableWithin(t *testing.T) {
	split := lateAck("a", "b").run()
	split.Result.AsExpected = true
	calm := lateAck("a", "b").run()
	calm.Scenario.Name = "coordinated-candidate-behind"
	var natural strings.Builder
	runs := []reports.Run{*split, *calm}
	require.NoError(t, Table(&natural, runs, Unlimited))
	words := strings.Fields(natural.String())
	slices.Sort(words)
	for _, width := range []int{200, 100, 80, 70} {
		var b strings.Builder
		require.NoError(t, Table(&b, runs, width))
		for line := range strings.Lines(b.String()) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), width, line)
		}
		got := strings.Fields(b.String())
		slices.Sort(got)
		assert.Equal(t, words, got, width)
	}
	var b strings.Builder
	require.NoError(t, Table(&b, runs, 76))
	assert.Equal(t, `scenario                      verdict         overlap
late-ack                      single-belief,  3.944s   as expected
                              single-work,
                              safety-window
coordinated-candidate-behind  single-belief,  3.944s   NOT AS EXPECTED
                              single-work,
                              safety-window

2 scenarios, 1 NOT as expected
`, b.String())
	b.Reset()
	require.NoError(t, Table(&b, runs, 40))
	assert.Equal(t, `scenario late-ack
  verdict single-belief, single-work,
  safety-window; overlap 3.944s; as
  expected
scenario coordinated-candidate-behind
  verdict single-belief, single-work,
  safety-window; overlap 3.944s; NOT AS
  EXPECTED

2 scenarios, 1 NOT as expected
`, b.String())
}
