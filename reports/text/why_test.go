package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/reporttest"
	"interregnum/scenarios"
)

// TestWhy: the longest overlaps come first, and a text has no more than a few.
func TestWhy(t *testing.T) {
	s, err := scenarios.Named("h05-whole-seconds")
	require.NoError(t, err)
	r, err := scenarios.Run(s, scenarios.Options{Explain: true})
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, Why(&b, r, 80))
	reporttest.Golden(t, "why.txt", b.String())
	for line := range strings.Lines(b.String()) {
		assert.LessOrEqual(t, len([]rune(line)), 81, line)
	}
}
