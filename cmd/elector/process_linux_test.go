package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGuardKilled: without its guard a command dies too, and elector says so.
func TestGuardKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := spawn(t, nil, quick(dir, work(dir, "nested")...)...)
	eventually(t, "start", func() bool { return strings.Contains(logOf(dir), "start") })
	require.NoError(t, syscall.Kill(childOf(t, p.Process.Pid), syscall.SIGKILL))
	require.Equal(t, exitFailed, p.end(t))
	require.Contains(t, p.err.String(), "the guard of the command has ended without a report: signal: killed")
	eventually(t, "dead", func() bool { return aloneIn(t, dir) })
}

// childOf is the one child of a process.
func childOf(t *testing.T, pid int) (child int) {
	t.Helper()
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	require.NoError(t, err)
	for _, task := range tasks {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		require.NoError(t, err)
		if n, _ := fmt.Sscan(strings.TrimSpace(string(text)), &child); n == 1 {
			return child
		}
	}
	require.Fail(t, "no child")
	return 0
}
