package main

import (
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"interregnum/reports"
)

// openTerminal is a new pseudo-terminal of that many columns.
func openTerminal(t *testing.T, columns uint16) *os.File {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { slave.Close() })
	require.NoError(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: columns}))
	return slave
}

// TestTerminal: text is as wide as the terminal, and coloured there alone.
func TestTerminal(t *testing.T) {
	screen := openTerminal(t, 130)
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	assert.Equal(t, terminal{width: 130, color: true}, terminalOf(&stickyWriter{w: screen}))
	assert.Equal(t, 130, terminalOf(screen).columns())
	t.Setenv("TERM", "dumb")
	assert.False(t, terminalOf(screen).color)
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "1")
	assert.Equal(t, terminal{width: 130}, terminalOf(screen))

	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer file.Close()
	t.Setenv("NO_COLOR", "")
	for _, w := range []io.Writer{file, io.Discard} {
		assert.Equal(t, terminal{}, terminalOf(w))
		assert.Equal(t, reports.DefaultWidth, terminalOf(w).columns())
	}
	assert.Equal(t, reports.MinWidth, terminal{width: 20}.columns())
	assert.Equal(t, maxTerminalWidth, terminal{width: 2000}.columns())
}
