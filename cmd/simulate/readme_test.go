package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadme: README.md shows what the commands print that it names; "..." alone stands for lines that it leaves out.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	found := map[string][]string{}
	for _, m := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$").FindAllStringSubmatch(string(readme), -1) {
		found[m[1]] = append(found[m[1]], m[2])
	}
	prints := func(shown, stdout string) {
		for part := range strings.SplitSeq("\n"+shown, "\n...\n") {
			_, after, there := strings.Cut("\n"+stdout, part)
			require.True(t, there, "README.md shows\n%s\nand that is not, or not there, in\n%s", part, stdout)
			stdout = after
		}
	}

	outputs := found["text"]
	require.Len(t, outputs, 3)
	require.Contains(t, found["sh"][0], "./cmd/simulate run --all\n")
	prints(outputs[0], simulate("", "run", "--all").stdout)
	require.Contains(t, string(readme), "./cmd/simulate run h03-release-answer-lost`")
	prints(outputs[2], simulate("", "run", "h03-release-answer-lost").stdout)
	command, shown, _ := strings.Cut(outputs[1], "\n")
	words := strings.Fields(command)
	require.Equal(t, []string{"$", "simulate"}, words[:2])
	prints(shown, simulate("", words[2:]...).stdout)

	require.Len(t, found["yaml"], 1)
	split := simulate(found["yaml"][0], "run", "-")
	assert.Zero(t, split.code, split.stderr)
	assert.Contains(t, split.stdout, "SPLIT BRAIN")
}
