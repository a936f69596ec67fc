package electorproc

import (
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Elector says how to start the candidates of an election: the program, and the environment and arguments that all of them get.
type Elector struct {
	Program   string
	Env, Args []string
	// Secrets must not be in any log.
	Secrets []string
}

// Start starts a candidate with further arguments, and kills it at the end of the test.
func (e Elector) Start(t *testing.T, args ...string) *Process {
	t.Helper()
	return Start(t, e.Program, e.Env, append(slices.Clone(e.Args), args...)...)
}

// signals has the signal for each thing that may happen to a leader.
var signals = map[string]syscall.Signal{
	"killed": syscall.SIGKILL, "frozen": syscall.SIGSTOP, "terminated": syscall.SIGTERM,
}

// Takeover tests what follows when a leader is killed, frozen or told to end, for a command that behaves in each of the ways: a
// subtest for each combination. The command, and all that it has started, must be dead before another candidate's command runs.
// Tokens must grow, and no log may contain a secret. Each subtest calls elector, which returns the candidates of an election of
// its own.
func Takeover(t *testing.T, elector func(t *testing.T) Elector, ways ...string) {
	for _, name := range slices.Sorted(maps.Keys(signals)) {
		for _, how := range ways {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				takeover(t, elector(t), signals[name], how)
			})
		}
	}
}

// takeover tests what follows when a leader gets the signal, for a command that behaves as how says: the command ends before
// another candidate's begins, the token grows, and no log contains a secret. A leader that gets SIGTERM must end with status 0,
// without an error in its log.
func takeover(t *testing.T, e Elector, signal syscall.Signal, how string) {
	dir := t.TempDir()
	p := e.Start(t, append([]string{"--id=first", "--log-level=debug"}, Work(dir, how)...)...)
	Eventually(t, "start", func() bool { return len(Tokens(t, dir)) == 1 })
	other := e.Start(t, append([]string{"--id=second", "--log-level=debug"}, Work(dir)...)...)
	require.NoError(t, p.Process.Signal(signal))
	since := time.Now()
	if signal == syscall.SIGTERM {
		require.Zero(t, p.End(t))
		require.True(t, Alone(t, dir) || len(Tokens(t, dir)) == 2)
	}
	Eventually(t, "dead", func() bool { return Alone(t, dir) || len(Tokens(t, dir)) == 2 })
	t.Logf("the command has ended after %v", time.Since(since).Round(time.Millisecond))
	Eventually(t, "takeover", func() bool { return len(Tokens(t, dir)) == 2 })
	require.NotContains(t, LogOf(dir), "OVERLAP")
	tokens := Tokens(t, dir)
	require.Greater(t, tokens[1], tokens[0])
	require.NoError(t, other.Process.Signal(syscall.SIGTERM))
	require.Zero(t, other.End(t))
	if signal == syscall.SIGTERM {
		require.Empty(t, failures(p.Err.String()+other.Err.String()), "nothing has gone wrong")
	}
	for _, secret := range e.Secrets {
		for _, text := range []string{p.Out.String(), p.Err.String(), other.Out.String(), other.Err.String()} {
			require.NotContains(t, text, secret)
		}
	}
}

// failures returns the lines of a log that are errors, but for requests that had no answer in time: a busy machine has these, too.
func failures(log string) (all []string) {
	for line := range strings.Lines(log) {
		if strings.Contains(line, `"level":"ERROR"`) && !strings.Contains(line, `"err":"no answer within `) {
			all = append(all, line)
		}
	}
	return all
}
