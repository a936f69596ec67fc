package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// TestFilesArePrivate: whatever a command writes only its owner may read, whatever the umask; so too where it takes the place
// of what others could.
func TestFilesArePrivate(t *testing.T) {
	dir := folder(t)
	given := filesBelow(t, dir)
	umask := syscall.Umask(0)
	t.Cleanup(func() { syscall.Umask(umask) })
	require.NoError(t, os.Mkdir("kept", 0o700))
	for _, open := range []string{"replaced.jsonl", "replaced.html"} {
		require.NoError(t, os.WriteFile(open, []byte("old"), 0o666))
	}
	searched := strings.Fields(searchDefault)
	for _, args := range [][]string{
		{"run", "calm", "--trace", "run.jsonl", "--html", "run.html", "--perfetto", "run.json"},
		{"run", "calm", "--trace", "replaced.jsonl", "--html", "replaced.html", "--force"},
		append([]string{"search", "--runs", "640", "--resume", "0.jsonl", "--keep", "kept", "--html", "search.html"}, searched...),
		{"report", "0.jsonl", "--html", "report.html"},
		{"report", "merge", "0.jsonl", "--out", "merged.jsonl"},
		{"gate", "--lease-duration", "15s", "--witness", "new/witnesses"},
		{"calibrate", "-", "--environment", "site.yaml"},
	} {
		got := simulate(auditLog(5), args...)
		require.LessOrEqual(t, got.code, exit.NotAsExpected, "%v: %s", args, got.stderr)
	}
	written := filesBelow(t, dir)
	for path, mode := range written {
		if _, there := given[path]; there {
			continue
		}
		want := fs.FileMode(0o600)
		if mode.IsDir() {
			want = fs.ModeDir | 0o700
		}
		assert.Equal(t, want, mode, path)
	}
	assert.GreaterOrEqual(t, len(written)-len(given), 14, "%v", written)
}

// filesBelow has the modes of what is in a folder.
func filesBelow(t *testing.T, dir string) map[string]fs.FileMode {
	found := map[string]fs.FileMode{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		found[path] = info.Mode()
		return err
	}))
	return found
}

// TestPlantedLink: what a link in a folder like /tmp points to is not replaced, nor is it written to.
func TestPlantedLink(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("mine", []byte("mine"), 0o600))
	require.NoError(t, os.Mkdir("shared", 0o700))
	require.NoError(t, os.Symlink("../mine", "shared/page.html"))
	plant := []string{"run", "healthy-failover", "--html", "shared/page.html", "--force"}
	require.NoError(t, os.Chmod("shared", fs.ModeSticky|0o777))
	got := simulate("", plant...)
	assert.Equal(t, exit.BadInput, got.code)
	assert.Contains(t, got.stderr, "--html shared/page.html: is a link in a folder in which all may write")
	resumed := simulate("", "search", "--runs", "64", "--resume", "shared/page.html")
	assert.NotZero(t, resumed.code)
	assert.Contains(t, resumed.stderr, "shared/page.html: is a link in a folder in which all may write")
	text, err := os.ReadFile("mine")
	require.NoError(t, err)
	assert.Equal(t, "mine", string(text))
	require.NoError(t, os.Chmod("shared", 0o700))
	assert.Zero(t, simulate("", plant...).code, "in a folder of one's own it is followed")
	text, err = os.ReadFile("mine")
	require.NoError(t, err)
	assert.NotEqual(t, "mine", string(text))
}
