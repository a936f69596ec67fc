package scenarios

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "write what came into the files that say what is expected")

// TestReadBad runs the files of testdata/bad: a scenario file, a line ----, the error; cases are apart by ====.
func TestReadBad(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/bad/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		cases := strings.Split(string(content), "====\n")
		for i, c := range cases {
			input, want, ok := strings.Cut(c, "----\n")
			require.True(t, ok, "%s: %s", file, c)
			_, err := readText(input)
			if *rewrite && err != nil {
				cases[i] = input + "----\n" + err.Error() + "\n"
				continue
			}
			if assert.Error(t, err, input) {
				assert.Equal(t, want, err.Error()+"\n", input)
				wellFormed(t, err)
			}
		}
		if *rewrite {
			require.NoError(t, os.WriteFile(file, []byte(strings.Join(cases, "====\n")), 0o600))
		}
	}
}

// wellFormed checks that an error is a *FileError of one line that begins with the file and, unless the file
// could not be read, the line.
func wellFormed(t require.TestingT, err error) {
	var e *FileError
	require.True(t, errors.As(err, &e), "%T", err)
	require.Equal(t, "x.yaml", e.File)
	require.Regexp(t, `^x\.yaml:[1-9][0-9]*: `, err.Error())
	require.NotContains(t, err.Error(), "\n")
	require.Less(t, len(err.Error()), 1000)
}

// TestReadHostile has files that would take the YAML library long, or much memory or stack.
func TestReadHostile(t *testing.T) {
	t.Parallel()
	const size = 256 << 10
	begin := "name: x\nhorizon: 60s\ncandidates:\n- {id: a}\n"
	fill := func(before, unit, after string) string {
		return before + strings.Repeat(unit, (size-len(before)-len(after))/len(unit)) + after
	}
	for name, text := range map[string]string{
		"brackets":        fill("", "[", ""),
		"braces":          fill("", "{", ""),
		"json brackets":   fill(`{"a":[`, "[", ""),
		"dashes":          fill("", "- ", ""),
		"empty entries":   fill("", "-\n", ""),
		"empty fields":    fill("", "a:\n", ""),
		"empty names":     fill("{", "a,", "}"),
		"fields":          numbered("a%: 1\n", size/11),
		"flow fields":     "{" + numbered("a%: 1,", size/11),
		"nested flow":     fill("[", "a:\n", "]"),
		"fields in a row": fill("", "a: ", ""),
		"anchors":         fill("", "&a\n", ""),
		"tags":            fill("", "!a\n", ""),
		"documents":       fill("", "---\na: 1\n", ""),
		"reserved":        fill("", "@", ""),
		"less than":       fill("a: ", "<", ""),
		"tabs":            fill("a: \"", "\tx", "\""),
		"blank lines":     fill("a: |\n  x\n", "\n", ""),
		"quotes":          fill("", "'", ""),
		"colons":          fill("", ":", ""),
		"long name":       strings.Repeat("k", size/2) + ": [" + strings.Repeat("a,", size/4) + "]",
		"long text":       fill("a: ", "x", ""),
		"comments":        fill("", "#\n", ""),
		"null faults":     fill(begin+"faults:\n", "-\n", ""),
		"alias bomb": begin + "faults:\n- {kind: pause, at: 1s, on: &on [" + strings.Repeat("a,", 50000) + "]}\n" +
			strings.Repeat("- {kind: pause, at: 1s, on: *on}\n", 1000),
	} {
		_, err := readText(text)
		if assert.Error(t, err, name) {
			wellFormed(t, err)
		}
	}
}
