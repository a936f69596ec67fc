package main

import (
	"cmp"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// anywhere is the ways of a worker that all systems can handle.
var anywhere = []string{"", electorproc.Stubborn, electorproc.Nested}

// TestCommandEnds: elector ends with the command's status, and the command gets the token and no password.
func TestCommandEnds(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]int{
		"exit 0": 0, "exit 7": 7, "kill -KILL $$": 137, "no-such-program-4711": 127,
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			p := spawn(t, nil, quick(t.TempDir(), "--exec", command)...)
			require.Equal(t, want, p.End(t))
		})
	}
	t.Run("environment", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		args := quick(dir, "--exec", `echo "$`+tokenVariable+` ($`+lockVariable+`)"`)
		var tokens []int
		for range 2 {
			p := spawn(t, []string{lockVariable + "=" + strings.TrimPrefix(args[0], "--lock=")}, args[1:]...)
			require.Equal(t, 0, p.End(t))
			var token int
			_, err := fmt.Sscanf(p.Out.String(), "%d ()\n", &token)
			require.NoError(t, err, p.Out.String())
			tokens = append(tokens, token)
		}
		require.Greater(t, tokens[1], tokens[0])
	})
	t.Run("secrets", func(t *testing.T) {
		t.Parallel()
		env := []string{"PGPASSWORD=cret1", "PGSSLPASSWORD=cret2"}
		p := spawn(t, env, quick(t.TempDir(), "--exec", `echo "($PGPASSWORD,$PGSSLPASSWORD)"`)...)
		require.Equal(t, 0, p.End(t))
		require.Equal(t, "(cret1,cret2)\n", p.Out.String(), "the lock is not in PostgreSQL: they are the command's")
	})
	t.Run("quiet", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		p := spawn(t, nil, quick(dir, "--wait=0s", "--exec=true")...)
		require.Equal(t, 0, p.End(t))
		require.Empty(t, p.Err.String()+p.Out.String(), "nothing for cron to send")
		p = spawn(t, nil, quick(dir, "--wait=0s", "--log-level=info", "--exec=true")...)
		require.Equal(t, 0, p.End(t))
		require.Contains(t, p.Err.String(), `"msg":"Leading"`)
	})
	t.Run("cannot start", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		script := filepath.Join(dir, "script")
		require.NoError(t, os.WriteFile(script, []byte("#!/no/such/interpreter\n"), 0o700))
		p := spawn(t, nil, quick(dir, "--", script)...)
		require.Equal(t, exitFailed, p.End(t))
		require.Contains(t, p.Err.String(), "elector: the command could not be started: fork/exec "+script+
			": no such file or directory")
	})
	t.Run("what it has started dies with it", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		p := spawn(t, nil, quick(dir, "--exec", os.Args[0]+" worker "+dir+
			" stubborn >/dev/null 2>&1 & until test -s "+dir+"/log; do sleep 0.02; done")...)
		require.Equal(t, 0, p.End(t))
		require.Contains(t, electorproc.LogOf(dir), "start")
		electorproc.Eventually(t, "dead", func() bool { return electorproc.Alone(t, dir) })
	})
}

// TestRestart: the command runs again, in a new term.
func TestRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	spawn(t, nil, quick(dir, "--restart", "--exec", `echo "$`+tokenVariable+`" >>`+dir+`/log; exit 3`)...)
	electorproc.Eventually(t, "two terms", func() bool { return strings.Count(electorproc.LogOf(dir), "\n") >= 2 })
	lines := strings.Fields(electorproc.LogOf(dir))
	require.Greater(t, lines[1], lines[0])
}

// TestStop: on SIGTERM the command gets SIGTERM, and where it is stubborn SIGKILL; the lock is free at once.
func TestStop(t *testing.T) {
	t.Parallel()
	for _, how := range append(anywhere, kept...) {
		t.Run("a command that is "+how, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := spawn(t, nil, quick(dir, electorproc.Work(dir, how)...)...)
			electorproc.Eventually(t, "start", func() bool { return strings.Contains(electorproc.LogOf(dir), "start") })
			require.NoError(t, p.Process.Signal(syscall.SIGTERM))
			require.Equal(t, exitDone, p.End(t))
			require.True(t, electorproc.Alone(t, dir))
			if how != electorproc.Daemon { // That is killed when the command has ended, which may be before it has looked.
				require.Contains(t, electorproc.LogOf(dir), "term")
			}
			next := spawn(t, nil, quick(dir, "--wait=0s", "--exec=exit 5")...)
			require.Equal(t, 5, next.End(t), "the lock is free")
		})
	}
}

// TestNoGrace: with --grace 0s a command that is stopped has no time at all.
func TestNoGrace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := spawn(t, nil, quick(dir, append([]string{"--grace=0s", "--lease-duration=20s", "--log-level=info"},
		electorproc.Work(dir, electorproc.Stubborn)...)...)...)
	electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
	since := time.Now()
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.Equal(t, exitDone, p.End(t))
	require.Contains(t, p.Err.String(), `"status":137`)
	require.Less(t, time.Since(since), 8*time.Second, "half of the window is 9 s")
}

// TestStopsStopped: a command that has been stopped as by a terminal's ^Z goes on, so that it can end by itself.
func TestStopsStopped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := spawn(t, nil, quick(dir, "--exec",
		"trap 'echo term >>"+dir+"/log; exit' TERM; echo start >>"+dir+"/log; kill -STOP $$; sleep 60")...)
	electorproc.Eventually(t, "start", func() bool { return strings.Contains(electorproc.LogOf(dir), "start") })
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.Equal(t, exitDone, p.End(t))
	require.Equal(t, "start\nterm\n", electorproc.LogOf(dir))
}

// TestHangup: a terminal that closes ends elector in good order, unless it was told to ignore that (nohup).
func TestHangup(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes want real time")
	}
	for name, trap := range map[string]string{"ends": "trap - HUP", "ignored": "trap '' HUP"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			caught := make(chan os.Signal, 1)
			signal.Notify(caught, syscall.SIGHUP) // no shell can trap what was ignored when it began, as where nohup runs the tests
			defer signal.Stop(caught)
			dir := t.TempDir()
			args := append([]string{"-c", trap + `; exec "$0" "$@"`, os.Args[0]}, quick(dir, electorproc.Work(dir)...)...)
			h := electorproc.Start(t, "/bin/sh", []string{mainVariable + "=1"}, args...)
			electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
			require.NoError(t, h.Process.Signal(syscall.SIGHUP))
			if name == "ignored" {
				require.Never(t, func() bool { return electorproc.Alone(t, dir) }, time.Second, 100*time.Millisecond)
				require.NoError(t, h.Process.Signal(syscall.SIGTERM))
			}
			require.Equal(t, exitDone, h.End(t))
			require.True(t, electorproc.Alone(t, dir))
		})
	}
}

// TestClosed: nothing depends on standard input, output and error being there.
func TestClosed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes want real time")
	}
	args := quick(t.TempDir(), "--exec", "cat; echo said; exit 9")
	p := electorproc.Start(t, "/bin/sh", []string{mainVariable + "=1"},
		append([]string{"-c", `exec "$0" "$@" <&- >&- 2>&-`, os.Args[0]}, args...)...)
	require.Equal(t, 9, p.End(t))
}

// TestReaderGone: whoever read elector's log has ended. That ends neither elector nor its command, and the status is the command's.
func TestReaderGone(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes want real time")
	}
	args := quick(t.TempDir(), "--log-level=info", "--exec", "trap >/dev/null; sleep 1; yes | head -n 1; exit 9")
	p := electorproc.Start(t, "/bin/sh", []string{mainVariable + "=1"},
		append([]string{"-c", `exec 3>&1; { "$0" "$@" 2>&1 >&3; echo status $? >&3; } | true`, os.Args[0]}, args...)...)
	require.Zero(t, p.End(t))
	require.Equal(t, "y\nstatus 9\n", p.Out.String())
}

// TestFiles: SQLite's files that cannot be used are refused at once, with a reason.
func TestFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "text"), []byte(strings.Repeat("no database\n", 999)), 0o600))
	for file, want := range map[string]string{
		"text":      "file is not a database (26); the file is ",
		"none/lock": "expected its folder to be there and to be one that can be written, " + dir + "/none: no such file or directory",
		".":         "it is a directory",
	} {
		p := spawn(t, nil, quick(dir, "--lock=sqlite://"+dir+"/"+file, "--exec=true")[1:]...)
		require.Equal(t, exitFailed, p.End(t))
		require.Contains(t, p.Err.String(), want)
		require.Contains(t, p.Err.String(), "; the file is "+dir+"/"+file)
	}
}

// TestWait: a lock that is taken. Who does not want to wait at all sees that at once, long before the renew deadline.
func TestWait(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	long := []string{"--lease-duration=3m", "--renew-deadline=2m"}
	spawn(t, nil, quick(dir, append(append(long, "--id=first"), electorproc.Work(dir)...)...)...)
	electorproc.Eventually(t, "start", func() bool { return strings.Contains(electorproc.LogOf(dir), "start") })
	for _, wait := range []string{"0s", "3s"} {
		p := spawn(t, nil, quick(dir, append(long, "--wait", wait, "--exec=exit 5")...)...)
		require.Equal(t, exitNotLed, p.End(t))
		require.Contains(t, p.Err.String(), "elector: not leading within --wait "+wait+`: "first" holds the lock`)
	}
	p := spawn(t, nil, quick(dir, append(long, "--id=first", "--wait=0s", "--exec=exit 5")...)...)
	require.Equal(t, exitNotLed, p.End(t), "another process of the same --id")
}

// TestTakeover: SQLite's.
func TestTakeover(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("real processes want real time")
	}
	electorproc.Takeover(t, func(t *testing.T) electorproc.Elector {
		return electorproc.Elector{Program: os.Args[0], Env: []string{mainVariable + "=1"}, Args: quick(t.TempDir())}
	}, append(anywhere, kept...)...)
}

// TestDurations: an elector that was told of a shorter lease waits for as long as the holder's lasts.
func TestDurations(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lock := quick(dir)[0]
	long := []string{lock, "--lease-duration=10s", "--renew-deadline=8s", "--retry-period=3s"}
	short := []string{lock, "--lease-duration=600ms", "--renew-deadline=400ms", "--retry-period=100ms"}
	first := spawn(t, nil, append(long, electorproc.Work(dir)...)...)
	electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
	other := spawn(t, nil, append(short, append([]string{"--wait=5s"}, electorproc.Work(dir)...)...)...)
	require.Equal(t, exitNotLed, other.End(t))
	require.NotContains(t, electorproc.LogOf(dir), "OVERLAP")
	require.Len(t, electorproc.Tokens(t, dir), 1)
	require.NoError(t, first.Process.Signal(syscall.SIGTERM))
	require.Zero(t, first.End(t))
}

// TestFrozen: an elector that is frozen for a moment goes on; one that stays frozen is killed, for it may have been in
// the middle of a write to SQLite's file, which keeps all others from it.
func TestFrozen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := spawn(t, nil, quick(dir, electorproc.Work(dir)...)...)
	electorproc.Eventually(t, "start", func() bool { return len(electorproc.Tokens(t, dir)) == 1 })
	require.NoError(t, p.Process.Signal(syscall.SIGSTOP))
	require.Never(t, func() bool { return electorproc.Alone(t, dir) }, 500*time.Millisecond, 100*time.Millisecond)
	require.NoError(t, p.Process.Signal(syscall.SIGCONT))
	require.Never(t, func() bool { return electorproc.Alone(t, dir) }, 3*time.Second, 100*time.Millisecond)
	require.NoError(t, p.Process.Signal(syscall.SIGSTOP))
	require.Equal(t, -1, p.End(t))
	require.Equal(t, "signal: killed", p.ProcessState.String())
	require.True(t, electorproc.Alone(t, dir))
}

// TestThree: of three candidates on one host one works at a time, whatever dies. Tokens grow.
func TestThree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	electors := map[string]*electorproc.Process{}
	add := func(id string) {
		electors[id] = spawn(t, nil, quick(dir, append([]string{"--log-level=info", "--id", id}, electorproc.Work(dir, "stubborn")...)...)...)
	}
	for _, id := range []string{"a", "b", "c"} {
		add(id)
	}
	for round := range 3 {
		var leader string
		electorproc.Eventually(t, "a leader", func() bool {
			if strings.Count(electorproc.LogOf(dir), "start") <= round {
				return false
			}
			for id, p := range electors {
				if strings.Contains(p.Err.String(), "Leading") {
					leader = id
					return true
				}
			}
			return false
		})
		require.NoError(t, electors[leader].Process.Kill())
		delete(electors, leader)
		add(leader + fmt.Sprint(round))
	}
	electorproc.Eventually(t, "a fourth leader", func() bool { return strings.Count(electorproc.LogOf(dir), "start") > 3 })
	require.NotContains(t, electorproc.LogOf(dir), "OVERLAP")
	tokens := electorproc.Tokens(t, dir)
	require.True(t, slices.IsSortedFunc(tokens, func(a, b uint64) int { return cmp.Compare(a, b+1) }), tokens)
}
