package private

import (
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWriteFile: the mode is the same whatever the umask and whatever was there; what a link points to is left alone.
func TestWriteFile(t *testing.T) {
	t.Chdir(t.TempDir())
	umask := syscall.Umask(0)
	t.Cleanup(func() { syscall.Umask(umask) })
	require.NoError(t, os.WriteFile("open", []byte("old"), 0o666))
	require.NoError(t, os.WriteFile("target", []byte("target"), 0o666))
	require.NoError(t, os.Symlink("target", "link"))
	for _, path := range []string{"new", "open", "link"} {
		require.NoError(t, WriteFile(path, []byte("text")))
		info, err := os.Lstat(path)
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o600), info.Mode(), path)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, "text", string(text))
	}
	text, err := os.ReadFile("target")
	require.NoError(t, err)
	assert.Equal(t, "target", string(text))
	require.NoError(t, os.Mkdir("folder", 0o700))
	require.Error(t, WriteFile("folder", nil))
	require.Error(t, WriteFile("missing/file", nil))
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	assert.Len(t, left, 5, "nothing else is left")
}
