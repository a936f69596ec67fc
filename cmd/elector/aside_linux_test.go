package main

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// TestNobodyReadsTheLog: a log that nobody reads keeps elector neither from leading nor from ending.
func TestNobodyReadsTheLog(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes want real time")
	}
	for _, full := range []string{"from the start", "later"} {
		t.Run(full, func(t *testing.T) {
			t.Parallel()
			unread, log, err := os.Pipe()
			require.NoError(t, err)
			defer unread.Close()
			defer log.Close()
			if full == "from the start" {
				fill(t, log)
			}
			dir := t.TempDir()
			cmd := exec.Command(os.Args[0], quick(dir, append([]string{"--log-level=debug"}, electorproc.Work(dir)...)...)...)
			cmd.Env, cmd.Stderr = append(os.Environ(), mainVariable+"=1"), log
			require.NoError(t, cmd.Start())
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			electorproc.Eventually(t, "start", func() bool { return strings.Contains(electorproc.LogOf(dir), "start") })
			if full == "later" {
				fill(t, log)
				time.Sleep(time.Second) // some lines wait
			}
			require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
			select {
			case err := <-ended:
				assert.NoError(t, err)
			case <-time.After(20 * time.Second):
				t.Error("elector has not ended")
			}
			assert.True(t, electorproc.Alone(t, dir))
		})
	}
}

// fill writes to a pipe until it takes nothing more.
func fill(t *testing.T, pipe *os.File) {
	t.Helper()
	raw, err := pipe.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(fd uintptr) {
		require.NoError(t, syscall.SetNonblock(int(fd), true))
		for err == nil {
			_, err = syscall.Write(int(fd), make([]byte, 1))
		}
		require.ErrorIs(t, err, syscall.EAGAIN)
		require.NoError(t, syscall.SetNonblock(int(fd), false))
	}))
}
