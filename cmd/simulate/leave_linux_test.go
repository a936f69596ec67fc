package main

import (
	"io"
	"os"
	"os/exec"

	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestInterruptedLeavesNothing: a command that a signal ends leaves no file that is not whole, and what was there before. It
// ends as by that signal, for the shell to see.
func TestInterruptedLeavesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	long := "name: long\nabout: it lasts\nhorizon: 1000h\ncandidates: [{id: a}, {id: b}]\n"
	require.NoError(t, os.WriteFile("long.yaml", []byte(long), 0o600))
	require.NoError(t, syscall.Mkfifo("log", 0o600))
	kept, err := os.OpenFile("log", os.O_RDWR, 0) // so that a reader waits
	require.NoError(t, err)
	defer kept.Close()
	for _, c := range []struct {
		signal syscall.Signal
		files  int
		args   string
	}{
		{syscall.SIGINT, 1, "run long.yaml --trace out --force"},
		{syscall.SIGTERM, 1, "run long.yaml --html out --force"},
		{syscall.SIGTERM, 3, "run long.yaml --html out --trace other --perfetto third --force"},
		{syscall.SIGHUP, 1, "run long.yaml --perfetto out --force"},
		{syscall.SIGINT, 1, "calibrate log --environment out --force"},
		{syscall.SIGHUP, 1, "search --profile=strict --for=10h --html=out --force"},
	} {
		require.NoError(t, os.WriteFile("out", []byte("before"), 0o600))
		temporary := func() []string {
			found, err := filepath.Glob("*.tmp")
			require.NoError(t, err)
			return found
		}
		begun := func() bool { return len(temporary()) == c.files }
		cmd := interrupting(t, begun, c.signal, io.Discard, io.Discard, strings.Fields(c.args)...)
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		assert.True(t, status.Signaled() && status.Signal() == c.signal, "%s: %v", c.args, cmd.ProcessState)
		require.Empty(t, temporary(), c.args)
		before, err := os.ReadFile("out")
		require.NoError(t, err)
		assert.Equal(t, "before", string(before), c.args)
	}
}

// TestIgnoredSignal: what was started to ignore a signal, as by nohup, still does.
func TestIgnoredSignal(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("short.yaml", []byte("name: short\nabout: x\nhorizon: 100h\ncandidates: [{id: a}]\n"), 0o600))
	shell := exec.Command("/bin/sh", "-c", `trap "" HUP; exec "$0" run short.yaml --trace out`, os.Args[0])
	shell.Env = append(os.Environ(), "INTERREGNUM_TEST_MAIN=1")
	require.NoError(t, shell.Start())
	for {
		if found, _ := filepath.Glob("*.tmp"); len(found) > 0 {
			break
		}
		runtime.Gosched()
	}
	require.NoError(t, shell.Process.Signal(syscall.SIGHUP))
	require.NoError(t, shell.Wait())
	assert.FileExists(t, "out")
}
