package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

func TestHTMLFile(t *testing.T) {
	folder(t)
	got := simulate("", "run", "late-ack.yaml", "--html", "page.html", "-o", "json")
	require.Equal(t, exit.AsExpected, got.code, got.stderr)
	page, err := os.ReadFile("page.html")
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(page), "<!doctype html>"))
	assert.Contains(t, string(page), "simulate run late-ack.yaml --seed 1")

	got = simulate("", "run", "unexpected.yaml", "--html", "other.html", "--seed", "7", "-o", "json", "--brief")
	assert.Equal(t, exit.NotAsExpected, got.code, "a run that is not as expected is just what one wants to see")
	page, err = os.ReadFile("other.html")
	require.NoError(t, err)
	assert.Contains(t, string(page), "simulate run unexpected.yaml --seed 7")
}

// TestHTMLFileIsNotOverwritten unless that is asked for; an empty file holds nothing to lose.
func TestHTMLFileIsNotOverwritten(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("old.html", []byte("old"), 0o666))
	got := simulate("", "run", "calm", "--html", "old.html")
	assert.Equal(t, exit.BadInput, got.code)
	assert.Equal(t, "simulate: --html old.html: exists already; --force replaces it\n", got.stderr)
	assert.Empty(t, got.stdout, "nothing has run")
	assertHolds(t, "old.html", "old")

	got = simulate("", "run", "calm", "--html", "old.html", "--force")
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
	page, err := os.ReadFile("old.html")
	require.NoError(t, err)
	assert.Contains(t, string(page), "<!doctype html>")

	require.NoError(t, os.WriteFile("empty.html", nil, 0o666))
	got = simulate("", "run", "calm", "--html", "empty.html")
	assert.Equal(t, exit.AsExpected, got.code, got.stderr)
}

// TestHTMLFileFails: a clear error, the old file as it was, and nothing left behind.
func TestHTMLFileFails(t *testing.T) {
	dir := folder(t)
	require.NoError(t, os.WriteFile("old.html", []byte("old"), 0o666))
	require.NoError(t, os.Mkdir("closed", 0o555))
	for _, c := range []struct{ file, want string }{
		{"healthy-failover", "is a directory; want a file"},
		{"missing/page.html", "no such file or directory"},
		{"calm/page.html", "not a directory"},
		{"late-ack.yaml", "--html late-ack.yaml would overwrite the scenario"},
		{"closed/page.html", "permission denied"},
	} {
		if c.file == "closed/page.html" && os.Getuid() == 0 {
			continue // root may write everywhere
		}
		got := simulate("", "run", "./late-ack.yaml", "--html", c.file, "--force")
		assert.Equal(t, exit.BadInput, got.code, c.file)
		assert.Contains(t, got.stderr, c.want)
		assert.Equal(t, 1, strings.Count(got.stderr, "\n"), got.stderr)
	}
	got := simulate("", "run", "bad.yaml", "--html", "old.html", "--force")
	assert.Equal(t, exit.BadInput, got.code)
	assertHolds(t, "old.html", "old")
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestHTMLToFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	folder(t)
	got := simulate("", "run", "calm", "--html", "/dev/full")
	assert.Equal(t, exit.HarnessFailed, got.code)
	assert.Contains(t, got.stderr, "simulate: writing the page: ")
	assert.Contains(t, got.stderr, "no space left on device")
}

func TestHTMLUsage(t *testing.T) {
	folder(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--all", "--html", "x"}, "--html is of one run: want exactly one scenario"},
		{[]string{"calm", "late-ack.yaml", "--html", "x"}, "--html is of one run: want exactly one scenario"},
		{[]string{"calm", "--html", ""}, "--html: want FILE, got nothing"},
		{[]string{"calm", "--html", "x", "--trace", "x"}, "--trace and --html name the same file"},
		{[]string{"calm", "--html", "./x", "--trace", "y/../x"}, "--trace and --html name the same file"},
	} {
		got := simulate("", append([]string{"run"}, c.args...)...)
		assert.Equal(t, exit.BadInput, got.code)
		assert.Contains(t, got.stderr, c.want)
	}
}

func assertHolds(t *testing.T, file, want string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, want, string(data))
}
