package scenarios

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestSplitIsWhole puts the segments together again.
func TestSplitIsWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOf(rapid.SampledFrom([]string{
			"candidates:", "faults:  # so", "name: x", "- {id: a}", "  - id: b", "    drain: 3s", "", "# c",
			"---", "...", "\tx", "  x: y", "- - -", "-", " # d", "about: |",
		})).Draw(t, "lines")
		text := strings.Join(lines, "\n")
		segments := splitYAML([]byte(text), rapid.IntRange(0, 30).Draw(t, "chunk"))
		var whole strings.Builder
		for i, s := range segments {
			require.Equal(t, strings.Count(whole.String(), "\n"), s.line)
			require.False(t, s.list && i == 0)
			whole.Write(s.text)
		}
		require.Equal(t, text, whole.String())
	})
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want string
	}{
		{"", ""},
		{"name: x\ncandidates:\n- a\n- b\nseed: 1\n", "name: x\ncandidates:\n=- a\n=- b\n=seed: 1\n"},
		{
			"candidates:\n  # c\n  - a:\n    - b\n  - c\nfaults:\n- d",
			"candidates:\n  # c\n=  - a:\n    - b\n=  - c\n=faults:\n=- d",
		},
		// What is not regular stays whole, for the parser to judge.
		{"candidates:\n   - a\n  - b\n", "candidates:\n   - a\n  - b\n"},
		{"candidates:\n   - a\n  seed: 1\n", "candidates:\n   - a\n  seed: 1\n"},
		{"candidates:\n  a\n- b\n", "candidates:\n  a\n- b\n"},
		{"candidates: &x\n- a\n- b\n", "candidates: &x\n- a\n- b\n"},
		{"x:\n  candidates:\n  - a\n  - b\n", "x:\n  candidates:\n  - a\n  - b\n"},
	} {
		var parts []string
		for _, s := range splitYAML([]byte(c.text), 1) {
			parts = append(parts, string(s.text))
		}
		assert.Equal(t, c.want, strings.Join(parts, "="))
	}
}
