package text

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var paint = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestPaint: colours change nothing but the colours, and an overlap is painted wherever it is marked.
func TestPaint(t *testing.T) {
	plain, color := lateAck("a", "b"), lateAck("a", "b")
	color.timeline.Color = true
	var p, c strings.Builder
	require.NoError(t, Timeline(&p, plain.timeline, plain.run().Result, 100))
	require.NoError(t, Timeline(&c, color.timeline, color.run().Result, 100))
	assert.Equal(t, p.String(), paint.ReplaceAllString(c.String(), ""))
	assert.NotContains(t, p.String(), "\x1b")
	rows, _, _ := strings.Cut(c.String(), "X two at once")
	for run := range strings.FieldsFuncSeq(rows, func(r rune) bool { return r == ' ' || r == '\n' }) {
		if strings.Contains(run, "X") {
			assert.Contains(t, run, overlapPaint+"X")
		}
	}
	for line := range strings.Lines(c.String()) {
		if strings.Contains(line, "\x1b") {
			assert.True(t, strings.LastIndex(line, noPaint) > strings.LastIndex(line, "\x1b[1"), "a line ends without colour: %q", line)
		}
	}
}
