package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mainVariable makes this test program elector itself.
const mainVariable = "INTERREGNUM_TEST_MAIN"

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 2 && os.Args[1] == "worker":
		worker(os.Args[2], os.Args[3:])
	case len(os.Args) > 1 && os.Args[1] == guardName, os.Getenv(mainVariable) != "":
		main()
	default:
		os.Exit(m.Run())
	}
}

// worker is a command that shows whether it is alone: it holds a file lock while it lives, and says so where it does not
// get it. It ends on SIGTERM unless it is stubborn. A nested one has a child do all that.
func worker(dir string, how []string) {
	orders := make(chan os.Signal, 1)
	signal.Notify(orders, syscall.SIGTERM)
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	has := func(word string) bool { return strings.Contains(strings.Join(how, " "), word) }
	if has("nested") {
		child := exec.Command(os.Args[0], "worker", dir, "stubborn")
		if err := child.Run(); err != nil {
			os.Exit(1)
		}
		return
	}
	lock, err := os.OpenFile(filepath.Join(dir, "alone"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		panic(err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		fmt.Fprintf(log, "OVERLAP %v\n", err)
	}
	fmt.Fprintf(log, "start %s %d %d\n", os.Getenv(tokenVariable), os.Getpid(), now())
	for range orders {
		fmt.Fprintf(log, "term %d\n", now())
		if !has("stubborn") {
			return
		}
	}
}

// process is an elector that is a process of its own.
type process struct {
	*exec.Cmd
	out, err lockedBuffer
	ended    chan struct{}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func spawn(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...), ended: make(chan struct{})}
	p.Env = append(append(os.Environ(), mainVariable+"=1"), env...)
	p.Stdout, p.Stderr = &p.out, &p.err
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
			t.Logf("%v:\n%s", args, tail(p.err.String()))
		}
	})
	return p
}

// end waits for the exit code.
func (p *process) end(t *testing.T) int {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(30 * time.Second):
		require.Fail(t, "elector has not ended", p.err.String())
	}
	return p.ProcessState.ExitCode()
}

// quick is timings for tests, on a lock in dir.
func quick(dir string, more ...string) []string {
	return append([]string{
		"--lock=sqlite://" + filepath.Join(dir, "lock.db"), "--lease-duration=3s", "--renew-deadline=1800ms",
		"--retry-period=200ms", "--grace=500ms",
	}, more...)
}

func work(dir string, how ...string) []string {
	return append([]string{"--", os.Args[0], "worker", dir}, how...)
}

func logOf(dir string) string {
	text, _ := os.ReadFile(filepath.Join(dir, "log"))
	return string(text)
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	require.Eventually(t, is, 20*time.Second, 10*time.Millisecond, what)
}

// aloneIn is true where no worker of dir lives.
func aloneIn(t *testing.T, dir string) bool {
	lock, err := os.OpenFile(filepath.Join(dir, "alone"), os.O_CREATE|os.O_RDWR, 0o600)
	require.NoError(t, err)
	defer lock.Close()
	return syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// tell is a run inside of this process.
func tell(args ...string) (code int, stdout, stderr string) {
	var out, err lockedBuffer
	p := program{stdout: &out, stderr: &err, env: func(string) string { return "" }, kube: kubeConfig}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code = p.run(ctx, args)
	return code, out.String(), err.String()
}

// tail is the end of a log.
func tail(text string) string { return text[max(0, len(text)-4000):] }
