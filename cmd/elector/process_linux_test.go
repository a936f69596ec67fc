package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// kept is the ways in which a worker leaves its process group, and is found all the same.
var kept = []string{electorproc.Daemon}

// TestDaemonizes: a daemon does not outlive the command that has left it behind.
func TestDaemonizes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := spawn(t, nil, quick(dir, electorproc.Work(dir, electorproc.Daemonizes)...)...)
	require.Zero(t, p.End(t))
	require.Len(t, electorproc.Tokens(t, dir), 1)
	require.True(t, electorproc.Alone(t, dir))
}

// TestReaps: orphans of a command that goes on are reaped. Nobody else would do it in a container.
func TestReaps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := spawn(t, nil, quick(dir, "--exec",
		"for i in 1 2 3 4 5; do (setsid true &); done; echo $$ >"+dir+"/log; exec sleep 60")...)
	electorproc.Eventually(t, "start", func() bool { return electorproc.LogOf(dir) != "" })
	command := strings.TrimSpace(electorproc.LogOf(dir))
	electorproc.Eventually(t, "no other child of the guard", func() bool {
		return fmt.Sprint(childrenOf(t, childrenOf(t, p.Process.Pid)[0])) == "["+command+"]"
	})
}

// TestGuardKilled: without its guard a command dies too, with all that it has started, and elector says so.
func TestGuardKilled(t *testing.T) {
	t.Parallel()
	for _, how := range []string{electorproc.Nested, electorproc.Daemon} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := spawn(t, nil, quick(dir, electorproc.Work(dir, how)...)...)
			electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
			require.NoError(t, syscall.Kill(childrenOf(t, p.Process.Pid)[0], syscall.SIGKILL))
			require.Equal(t, exitFailed, p.End(t))
			require.Contains(t, p.Err.String(), "the guard of the command has ended without a report: signal: killed")
			require.True(t, electorproc.Alone(t, dir))
		})
	}
}

// TestGuardWoken: a guard that was frozen goes on when the lease is renewed, and when the term ends. It does its work
// where elector is frozen later.
func TestGuardWoken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := spawn(t, nil, quick(dir, electorproc.Work(dir, electorproc.Stubborn)...)...)
	electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
	guard := childrenOf(t, p.Process.Pid)[0]
	require.NoError(t, syscall.Kill(guard, syscall.SIGSTOP))
	electorproc.Eventually(t, "awake", func() bool { return stateOf(t, guard) == "S" })
	require.NoError(t, syscall.Kill(guard, syscall.SIGSTOP))
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.Equal(t, exitDone, p.End(t))
	require.True(t, electorproc.Alone(t, dir))
}

// stateOf is the state of a process, as proc_pid_stat(5) has it.
func stateOf(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(t, err)
	_, after, _ := strings.Cut(string(text), ") ")
	return after[:1]
}

// TestGuardFrozen: a guard that cannot do its work is killed in time, and the command with it.
func TestGuardFrozen(t *testing.T) {
	t.Parallel()
	for _, how := range []string{electorproc.Nested, electorproc.Daemon} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := spawn(t, nil, quick(dir, electorproc.Work(dir, how)...)...)
			electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
			guard, err := os.FindProcess(childrenOf(t, p.Process.Pid)[0])
			require.NoError(t, err)
			require.NoError(t, guard.Signal(syscall.SIGSTOP))
			go func() {
				for guard.Signal(syscall.SIGSTOP) == nil { // elector wakes it
					time.Sleep(time.Millisecond)
				}
			}()
			require.NoError(t, p.Process.Signal(syscall.SIGTERM))
			require.Equal(t, exitFailed, p.End(t))
			// Not by the system, which wakes orphans that are stopped: that is when elector has ended, too late.
			require.Contains(t, p.Err.String(), "the guard of the command has ended without a report: signal: killed")
			require.True(t, electorproc.Alone(t, dir))
		})
	}
}

// childrenOf is the children of a process, zombies too.
func childrenOf(t *testing.T, pid int) (children []int) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	require.NoError(t, err)
	for _, e := range entries {
		var child int
		if n, _ := fmt.Sscan(e.Name(), &child); n == 1 {
			if d, ok := describe(child); ok && d.parent == pid {
				children = append(children, child)
			}
		}
	}
	return children
}

// TestLateOrphan: a daemon whose parent ends only when it is told to gets SIGTERM too, and not SIGKILL alone: it says so. The command
// itself goes on until then, or until the grace is over, which a busy machine does not miss.
func TestLateOrphan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const command = `trap : TERM; daemon='trap "echo told >$0/told; exit" TERM; echo ready >$0/log; while :; do sleep 0.02; done'
		(trap "sleep 0.1; exit" TERM; setsid sh -c "$daemon" %[1]s & wait) & while [ ! -e %[1]s/told ]; do sleep 0.02; done`
	p := spawn(t, nil, quick(dir, "--lease-duration=60s", "--grace=50s", "--exec", fmt.Sprintf(command, dir))...)
	electorproc.Eventually(t, "start", func() bool { return electorproc.LogOf(dir) != "" })
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	p.End(t)
	require.FileExists(t, dir+"/told")
}

// TestForeignProc: where /proc shows another PID namespace than elector's, a daemon that the command leaves behind cannot be found. No
// command runs there.
func TestForeignProc(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes want real time")
	}
	namespace := []string{"--map-root-user", "--pid", "--kill-child"}
	if err := exec.Command("unshare", append(namespace, "true")...).Run(); err != nil {
		t.Skip("no PID namespaces here: ", err)
	}
	dir := t.TempDir()
	args := append(append(namespace, os.Args[0]), quick(dir, electorproc.Work(dir)...)...)
	p := electorproc.Start(t, "unshare", []string{mainVariable + "=1"}, args...)
	require.Equal(t, exitFailed, p.End(t))
	require.Contains(t, p.Err.String(), "expected the file system proc of this PID namespace on /proc")
	require.Empty(t, electorproc.LogOf(dir))
}

// TestHiddenProcess: with hidepid /proc does not show a process that cannot be traced, here one whose program its user may not read.
// It does not outlive the command that has left it behind.
func TestHiddenProcess(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes want real time")
	}
	hide := []string{"--mount", "--kill-child", "sh", "-c", `mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid 65531 --regid 65531 --clear-groups "$0" "$@"`}
	if err := exec.Command("unshare", append(hide, "true")...).Run(); err != nil {
		t.Skip("/proc cannot be mounted here: ", err)
	}
	dir, programs := openFolder(t), openFolder(t)
	program, hidden := filepath.Join(programs, "elector"), filepath.Join(programs, "hidden")
	copyOf(t, program, 0o755)
	copyOf(t, hidden, 0o711)
	require.NoError(t, os.Chown(settled(t, dir), 65531, 65531))
	args := append(append(hide, program), quick(dir, "--exec",
		"setsid "+hidden+" worker "+dir+" stubborn >/dev/null 2>&1 & until test -s "+dir+"/log; do sleep 0.02; done")...)
	p := electorproc.Start(t, "unshare", []string{mainVariable + "=1"}, args...)
	require.Zero(t, p.End(t))
	require.Len(t, electorproc.Tokens(t, dir), 1)
	require.True(t, electorproc.Alone(t, dir))
}

// settled returns the path of a lock's file in dir that elector has known for long.
func settled(t *testing.T, dir string) string {
	t.Helper()
	file := filepath.Join(dir, "lock.db")
	settle(file)
	return file
}
