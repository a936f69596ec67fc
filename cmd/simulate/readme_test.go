package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadme: README.md shows what the commands print that it names; "..." alone stands for lines that it leaves out.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	outputs := regexp.MustCompile("(?ms)^```text\n\\$ simulate (.*?)\n(.*?)^```$").FindAllStringSubmatch(string(readme), -1)
	require.Len(t, outputs, 2)
	for _, m := range outputs {
		var args []string
		for _, word := range strings.Fields(m[1]) {
			if files, _ := filepath.Glob(word); len(files) > 0 {
				args = append(args, files...)
				continue
			}
			args = append(args, word)
		}
		stdout := simulate("", args...).stdout
		for part := range strings.SplitSeq("\n"+m[2], "\n...\n") {
			_, after, there := strings.Cut("\n"+stdout, part)
			require.True(t, there, "README.md shows\n%s\nand that is not, or not there, in\n%s", part, stdout)
			stdout = after
		}
	}

	require.Contains(t, string(readme), "./cmd/simulate run --all\n")
	assert.Zero(t, simulate("", "run", "--all", "--brief").code)
	require.Contains(t, string(readme), "`simulate run h01-late-ack --html page.html`")
	page := filepath.Join(t.TempDir(), "page.html")
	assert.Zero(t, simulate("", "run", "h01-late-ack", "--html", page).code)
	assert.FileExists(t, page)
}
