package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/internal/electorproc"
)

// anywhere is the ways of a worker that all systems can handle.
var anywhere = []string{"", electorproc.Stubborn, electorproc.Nested}

// TestCommandEnds: elector ends with the command's status, and the command gets the token and no password.
func TestCommandEnds(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]int{"exit 0": 0, "exit 7": 7, "kill -KILL $$": 137, "no-such-program-4711": 127} {
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
	t.Run("cannot start", func(t *testing.T) {
		t.Parallel()
		p := spawn(t, nil, quick(t.TempDir(), "--", "/no/such/program")...)
		require.Equal(t, exitFailed, p.End(t))
		require.Contains(t, p.Err.String(), "elector: the command could not be started: fork/exec /no/such/program: "+
			"no such file or directory")
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
			require.Contains(t, electorproc.LogOf(dir), "term")
			next := spawn(t, nil, quick(dir, "--wait=0s", "--exec=exit 5")...)
			require.Equal(t, 5, next.End(t), "the lock is free")
		})
	}
}

// TestWait: a lock that is taken. Who does not want to wait at all sees that at once, long before the renew deadline.
func TestWait(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	long := []string{"--lease-duration=3m", "--renew-deadline=2m"}
	spawn(t, nil, quick(dir, append(append(long, "--id=first"), electorproc.Work(dir)...)...)...)
	electorproc.Eventually(t, "start", func() bool { return strings.Contains(electorproc.LogOf(dir), "start") })
	for _, wait := range []string{"0s", "300ms"} {
		p := spawn(t, nil, quick(dir, append(long, "--wait", wait, "--exec=exit 5")...)...)
		require.Equal(t, exitNotLed, p.End(t))
		require.Contains(t, p.Err.String(), "elector: not leading within --wait "+wait+`: "first" holds the lock`)
	}
}

// TestTakeover: SQLite's.
func TestTakeover(t *testing.T) {
	t.Parallel()
	electorproc.Takeover(t, func(t *testing.T) electorproc.Elector {
		return electorproc.Elector{Program: os.Args[0], Env: []string{mainVariable + "=1"}, Args: quick(t.TempDir())}
	}, append(anywhere, kept...)...)
}

// TestThree: of three candidates on one host one works at a time, whatever dies. Tokens grow.
func TestThree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	electors := map[string]*electorproc.Process{}
	add := func(id string) {
		electors[id] = spawn(t, nil, quick(dir, append([]string{"--id", id}, electorproc.Work(dir, "stubborn")...)...)...)
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
