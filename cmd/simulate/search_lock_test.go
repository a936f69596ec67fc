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

// TestSearchLocks: on another lock, and in several elections, what was found is shown again by the command that is printed.
func TestSearchLocks(t *testing.T) {
	for _, flags := range []string{
		"--lock kv-ttl", "--lock configmapsleases --deletes --profile strict", "--elections 2", "--clients",
		"--lock sql-ttl --precision 1s --max-clock-offset 14s --profile strict", "--lock sql-ttl --now database --max-clock-offset 14s",
	} {
		args := append([]string{"search"}, strings.Fields(flags+" --property single-work --runs 640 "+searchDefault)...)
		ran := simulate("", args...)
		require.Equal(t, exit.NotAsExpected, ran.code, flags+ran.stderr)
		lines := strings.Split(strings.TrimSpace(ran.stdout), "\n")
		again, ok := strings.CutSuffix(lines[len(lines)-1], " | simulate run -")
		require.True(t, ok, lines[len(lines)-1])
		shown := simulate("", strings.Fields(again)[1:]...)
		require.Zero(t, shown.code, shown.stderr)
		replay := simulate(shown.stdout, "run", "-", "-o", "json")
		assert.Contains(t, replay.stdout, `"name":"single-work","kind":"always","verdict":"violated"`, flags)
	}
}

// TestSearchOfAnotherLock: neither a shard nor the results of another lock, or of another number of elections, is gone on
// with; the lock that a search has anyway may be said.
func TestSearchOfAnotherLock(t *testing.T) {
	dir := t.TempDir()
	search := func(file, flags string) ran {
		return simulate("", strings.Fields("search --profile strict --runs 128 --resume "+filepath.Join(dir, file)+" "+flags)...)
	}
	require.Zero(t, search("0", "--shard 0/2").code)
	plain, err := os.ReadFile(filepath.Join(dir, "0"))
	require.NoError(t, err)
	for i, flags := range []string{"--lock kv-ttl", "--lock sql-ttl", "--lock sql-ttl --now database", "--elections 2", "--lock configmap", "--clients"} {
		again := search("0", "--shard 0/2 "+flags)
		assert.Equal(t, exit.BadInput, again.code)
		assert.Contains(t, again.stderr, "want the results of this campaign, which begin with ")
		other := string(rune('1' + i))
		require.Zero(t, search(other, "--shard 1/2 "+flags).code)
		merged := simulate("", "report", "merge", filepath.Join(dir, "0"), filepath.Join(dir, other))
		assert.Equal(t, exit.BadInput, merged.code)
		assert.Contains(t, merged.stderr, "are of different campaigns: ")
	}
	require.Zero(t, search("0", "--shard 0/2 --lock lease --elections 1").code)
	same, err := os.ReadFile(filepath.Join(dir, "0"))
	require.NoError(t, err)
	assert.Equal(t, string(plain), string(same))
	require.Zero(t, search("kv", "--lock kv-ttl --elections 2").code)
	page := filepath.Join(dir, "x.html")
	told := simulate("", "report", filepath.Join(dir, "kv"), "--html", page)
	require.Zero(t, told.code, told.stderr)
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Contains(t, string(text), "simulate search --profile=strict --lock=kv-ttl --elections=2 --runs=128")
}

// TestKeepByLock: what is kept of one lock is not taken for known of another.
func TestKeepByLock(t *testing.T) {
	dir := t.TempDir()
	for _, lock := range []string{"lease", "configmap"} {
		args := strings.Fields("search --runs 640 --property single-work --lock " + lock + " --keep " + dir + " " + searchDefault)
		require.Equal(t, exit.NotAsExpected, simulate("", args...).code)
		assert.NotContains(t, simulate("", args...).stderr, "kept", "it is known by now")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	var names []string
	for _, file := range files {
		names = append(names, filepath.Base(file))
	}
	assert.Equal(t, []string{"client-go-configmap-single-work.yaml", "client-go-single-work.yaml"}, names)
}
