package check

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestModel: docs/method/model.md has every property in order. Its text begins with the claim, and may go on.
func TestModel(t *testing.T) {
	const head = "| name | what it says |\n| --- | --- |\n"
	page, err := os.ReadFile("../../docs/method/model.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(page), head)
	require.True(t, found)
	text, _, _ := strings.Cut(rest, "\n\n")
	lines := strings.Split(text, "\n")
	require.Len(t, lines, len(table))
	for i, r := range table {
		assert.Regexp(t, `^\| `+r.name+` \| \Q`+r.claim+`\E(\.| \|)`, lines[i])
	}
}

// TestJudging: every run is judged by all properties, but for those that its scenario has to ask for.
func TestJudging(t *testing.T) {
	rows := func() []row { return []row{{name: "a"}, {name: "b", asked: true}, {name: "c", asked: true}} }
	for want, asked := range map[string][]string{"a": nil, "a ": {"a"}, "ac": {"c", "a"}} {
		got := ""
		for _, r := range judging(rows(), asked, nil) {
			got += r.name
		}
		assert.Equal(t, strings.TrimSpace(want), got)
	}
}
