package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestCommandEnds: elector ends with the command's status, and the command gets the token and no password.
func TestCommandEnds(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]int{"exit 0": 0, "exit 7": 7, "kill -KILL $$": 137, "no-such-program-4711": 127} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			p := spawn(t, nil, quick(t.TempDir(), "--exec", command)...)
			require.Equal(t, want, p.end(t))
		})
	}
	t.Run("environment", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		args := quick(dir, "--exec", `echo "$`+tokenVariable+` ($`+lockVariable+`)"`)
		var tokens []int
		for range 2 {
			p := spawn(t, []string{lockVariable + "=" + strings.TrimPrefix(args[0], "--lock=")}, args[1:]...)
			require.Equal(t, 0, p.end(t))
			var token int
			_, err := fmt.Sscanf(p.out.String(), "%d ()\n", &token)
			require.NoError(t, err, p.out.String())
			tokens = append(tokens, token)
		}
		require.Greater(t, tokens[1], tokens[0])
	})
	t.Run("cannot start", func(t *testing.T) {
		t.Parallel()
		p := spawn(t, nil, quick(t.TempDir(), "--", "/no/such/program")...)
		require.Equal(t, exitFailed, p.end(t))
		require.Contains(t, p.err.String(), "elector: the command could not be started: fork/exec /no/such/program: "+
			"no such file or directory")
	})
	t.Run("what it has started dies with it", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		p := spawn(t, nil, quick(dir, "--exec", os.Args[0]+" worker "+dir+
			" stubborn >/dev/null 2>&1 & until test -s "+dir+"/log; do sleep 0.02; done")...)
		require.Equal(t, 0, p.end(t))
		require.Contains(t, logOf(dir), "start")
		eventually(t, "dead", func() bool { return aloneIn(t, dir) })
	})
}

// TestRestart: the command runs again, in a new term.
func TestRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	spawn(t, nil, quick(dir, "--restart", "--exec", `echo "$`+tokenVariable+`" >>`+dir+`/log; exit 3`)...)
	eventually(t, "two terms", func() bool { return strings.Count(logOf(dir), "\n") >= 2 })
	lines := strings.Fields(logOf(dir))
	require.Greater(t, lines[1], lines[0])
}

// TestStop: on SIGTERM the command gets SIGTERM, and where it is stubborn SIGKILL; the lock is free at once.
func TestStop(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"", "stubborn", "nested"} {
		t.Run("a command that is "+how, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := spawn(t, nil, quick(dir, work(dir, how)...)...)
			eventually(t, "start", func() bool { return strings.Contains(logOf(dir), "start") })
			require.NoError(t, p.Process.Signal(syscall.SIGTERM))
			require.Equal(t, exitDone, p.end(t))
			require.True(t, aloneIn(t, dir))
			require.Contains(t, logOf(dir), "term")
			next := spawn(t, nil, quick(dir, "--wait=0s", "--exec=exit 5")...)
			require.Equal(t, 5, next.end(t), "the lock is free")
		})
	}
}

// TestWait: a lock that is taken. Who does not want to wait at all sees that at once, long before the renew deadline.
func TestWait(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	long := []string{"--lease-duration=3m", "--renew-deadline=2m"}
	spawn(t, nil, quick(dir, append(append(long, "--id=first"), work(dir)...)...)...)
	eventually(t, "start", func() bool { return strings.Contains(logOf(dir), "start") })
	for _, wait := range []string{"0s", "300ms"} {
		p := spawn(t, nil, quick(dir, append(long, "--wait", wait, "--exec=exit 5")...)...)
		require.Equal(t, exitNotLed, p.end(t))
		require.Contains(t, p.err.String(), "elector: not leading within --wait "+wait+`: "first" holds the lock`)
	}
}

// TestOrphan: an elector that is killed or frozen leaves no command behind, not even a stubborn one's child, once
// renew deadline and grace have passed; before that no other candidate leads.
func TestOrphan(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "frozen": syscall.SIGSTOP} {
		for _, how := range []string{"", "stubborn", "nested"} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				p := spawn(t, nil, quick(dir, work(dir, how)...)...)
				eventually(t, "start", func() bool { return strings.Contains(logOf(dir), "start") })
				other := spawn(t, nil, quick(dir, work(dir)...)...)
				require.NoError(t, p.Process.Signal(s))
				since := time.Now()
				eventually(t, "dead", func() bool { return aloneIn(t, dir) })
				t.Logf("the command has ended after %v", time.Since(since).Round(time.Millisecond))
				eventually(t, "takeover", func() bool { return strings.Count(logOf(dir), "start") > 1 })
				require.NotContains(t, logOf(dir), "OVERLAP")
				require.NoError(t, other.Process.Signal(syscall.SIGTERM))
				require.Equal(t, exitDone, other.end(t))
			})
		}
	}
}

// TestThree: of three candidates on one host one works at a time, whatever dies. Tokens grow.
func TestThree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	electors := map[string]*process{}
	add := func(id string) {
		electors[id] = spawn(t, nil, quick(dir, append([]string{"--id", id}, work(dir, "stubborn")...)...)...)
	}
	for _, id := range []string{"a", "b", "c"} {
		add(id)
	}
	for round := range 3 {
		var leader string
		eventually(t, "a leader", func() bool {
			if strings.Count(logOf(dir), "start") <= round {
				return false
			}
			for id, p := range electors {
				if strings.Contains(p.err.String(), "Leading") {
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
	eventually(t, "a fourth leader", func() bool { return strings.Count(logOf(dir), "start") > 3 })
	require.NotContains(t, logOf(dir), "OVERLAP")
	var last int
	for line := range strings.Lines(logOf(dir)) {
		var token, pid, at int
		if n, _ := fmt.Sscanf(line, "start %d %d %d", &token, &pid, &at); n == 3 {
			require.Greater(t, token, last)
			last = token
		}
	}
}
