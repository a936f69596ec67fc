package electorproc

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// started matches the line that a worker logs when it starts. Its group is the fencing token.
var started = regexp.MustCompile(`(?m)^start (\d+) \d+$`)

// awaitStart returns when the log in the folder dir says that a worker has started, or after a minute in any case.
func awaitStart(dir string) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end) && !started.MatchString(LogOf(dir)); {
		time.Sleep(5 * time.Millisecond)
	}
}

// Build builds elector from source, the folder of cmd/elector, and returns the path of the program.
func Build(t *testing.T, source string) (program string) {
	program = filepath.Join(t.TempDir(), "elector")
	out, err := exec.Command("go", "build", "-C", source, "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}

// Process is an elector that was started as a process, with its output.
type Process struct {
	*exec.Cmd
	Out, Err Buffer
	ended    chan struct{}
}

// Buffer is a bytes.Buffer that several goroutines can use at once.
type Buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

// String returns what was written.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// Start starts elector, the file program, with additional environment variables, and kills it at the end of the test. If the
// test fails, it logs the end of what elector has written to standard error.
func Start(t *testing.T, program string, env []string, args ...string) *Process {
	t.Helper()
	return StartAs(t, nil, program, env, args...)
}

// StartAs starts elector as another user, with additional environment variables, and kills it at the end of the test. A nil
// user means this one. If the test fails, it logs the end of what elector has written to standard error.
func StartAs(t *testing.T, user *syscall.Credential, program string, env []string, args ...string) *Process {
	t.Helper()
	p := &Process{Cmd: exec.Command(program, args...), ended: make(chan struct{})}
	p.Env = append(os.Environ(), env...)
	p.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	p.Stdout, p.Stderr = &p.Out, &p.Err
	// What is left of a command must not keep Wait from returning.
	p.WaitDelay = time.Second
	require.NoError(t, p.Start())
	go func() {
		defer close(p.ended)
		_ = p.Wait()
	}()
	t.Cleanup(func() {
		_ = p.Process.Signal(syscall.SIGCONT)
		_ = p.Process.Kill()
		<-p.ended
		if t.Failed() {
			t.Logf("%v:\n%s", args, Tail(p.Err.String()))
		}
	})
	return p
}

// End waits until elector has ended, and returns its exit code. If that takes longer than 30 s, it ends the test as failed.
func (p *Process) End(t *testing.T) int {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(30 * time.Second):
		require.Fail(t, "elector has not ended", p.Err.String())
	}
	return p.ProcessState.ExitCode()
}

// Eventually waits until the function is returns true. If that takes longer than 20 s, it ends the test as failed, with the
// text what in the message.
func Eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	require.Eventually(t, is, 20*time.Second, 10*time.Millisecond, what)
}

// Tail returns the end of a log, 4000 bytes at most.
func Tail(text string) string { return strings.ToValidUTF8(text[max(0, len(text)-4000):], "") }
