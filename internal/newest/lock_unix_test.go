//go:build unix

package newest

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestOneBuildAtATime: nobody else gets the lock before it is given back.
func TestOneBuildAtATime(t *testing.T) {
	folder := t.TempDir()
	unlock, err := lockBuilds(folder)
	require.NoError(t, err)
	file, err := os.Open(folder)
	require.NoError(t, err)
	defer file.Close()
	other := func() error { return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
	assert.ErrorIs(t, other(), unix.EWOULDBLOCK)
	unlock()
	assert.NoError(t, other())
}
