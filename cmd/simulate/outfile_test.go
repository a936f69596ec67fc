package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// TestOverwrite: no flag writes over a file that is read, or that another flag writes, and --force does not change that.
func TestOverwrite(t *testing.T) {
	const text = "left as it is\n"
	for _, args := range [][]string{
		{"investigate", "a", "--html", "a"},
		{"investigate", "b", "a", "--scenario", "./a"},
		{"investigate", "b", "--behaviour", "a", "--manifest", "a"},
		{"investigate", "b", "--html", "a", "--scenario", "a"},
		{"investigate", "b", "--html", "new", "--behaviour", "./new"},
		{"investigate", "--watch", "1s", "--kubeconfig", "a", "--html", "a"},
		{"forecast", "a", "--html", "a", "--p99", "20ms"},
		{"forecast", "b", "--html", "a", "--behaviour", "a"},
		{"forecast", "b", "--plot", "a.svg", "--html", "a.svg", "--p99", "20ms"},
		{"tune", "--plot", "a.svg", "--environment", "a.svg"},
		{"gate", "b", "--write-baseline", "a", "--environment", "a"},
		{"calibrate", "b", "--environment", "a", "--recording", "a"},
		{"calibrate", "--kubeconfig", "a", "--environment", "a"},
	} {
		folder(t)
		for _, name := range []string{"a", "b", "a.svg"} {
			require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		}
		got := simulate("", append(args, "--force")...)
		assert.Equal(t, exit.BadInput, got.code, args)
		assert.Regexp(t, `would overwrite|name the same file|want two files`, got.stderr, args)
		for _, name := range []string{"a", "b", "a.svg"} {
			kept, err := os.ReadFile(name)
			require.NoError(t, err)
			assert.Equal(t, text, string(kept), args)
		}
		assert.NoFileExists(t, "new")
	}
}

// TestFileIsNoStandardOutput: - is standard input elsewhere, and no file.
func TestFileIsNoStandardOutput(t *testing.T) {
	folder(t)
	got := simulate("", "run", "calm", "--trace", "-")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "--trace -: standard output is for the results")
	assert.NoFileExists(t, "-")
	require.NoError(t, os.Mkdir("d", 0o777))
	assert.Contains(t, simulate("", "run", "d").stderr, "d: is a directory; want a file")
}
