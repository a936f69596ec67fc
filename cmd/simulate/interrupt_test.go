package main

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// interrupt starts a command line of simulate, and sends the signal s once begun says so.
func interrupt(t *testing.T, begun func() bool, s os.Signal, args ...string) ran {
	var stdout, stderr strings.Builder
	c := interrupting(t, begun, s, &stdout, &stderr, args...)
	return ran{c.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func interrupting(
	t *testing.T, begun func() bool, s os.Signal, stdout, stderr io.Writer, args ...string,
) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "INTERREGNUM_TEST_MAIN=1")
	c.Stdout, c.Stderr = stdout, stderr
	startHeeding(t, c, s)
	for !begun() {
		runtime.Gosched()
	}
	require.NoError(t, c.Process.Signal(s))
	_ = c.Wait() // its exit code is what counts
	return c
}

// startHeeding starts a command that does not ignore a signal, although this test may have been started to ignore it, as in the
// background of a shell without job control. A command inherits what is ignored, and not what is caught.
func startHeeding(t *testing.T, c *exec.Cmd, s os.Signal) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, s)
	defer signal.Stop(caught)
	require.NoError(t, c.Start())
}

// lastLine is what a program says last, behind "simulate: ".
func lastLine(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.TrimPrefix(lines[len(lines)-1], "simulate: ")
}

// TestSearchInterrupted: a search that was stopped says what is known and which command goes on, and is not taken for the whole.
func TestSearchInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	grown := func() bool { return sizeOf("r.jsonl") > 5000 }
	for _, c := range []struct {
		limit, done, again string
		signal             os.Signal
	}{
		{"--runs=100000000", `interrupted after \d+ of 100000000 runs; to go on:`, "--runs=100000000", os.Interrupt},
		{"--for=10h", `interrupted after \d+ runs, \d+s of 10h0m0s; to go on:`, ` --for=(9h59m\d+s|10h0m0s) `, syscall.SIGTERM},
	} {
		_ = os.Remove("r.jsonl")
		_ = os.Remove("page it.html")
		got := interrupt(t, grown, c.signal, "search", "--profile", "strict", c.limit, "--resume", "r.jsonl", "--html", "page it.html")
		assert.Equal(t, exit.HarnessFailed, got.code, got.stderr)
		assert.Regexp(t, c.done, got.stderr)
		assert.Regexp(t, `^\d+ runs, `, got.stdout)
		assert.Contains(t, got.stdout, "\ninterrupted: that is not the whole search\n")
		again := lastLine(got.stderr)
		assert.Regexp(t, c.again, again)
		for _, flag := range []string{"simulate search ", " --profile=strict", " --resume=r.jsonl", " --html='page it.html'", " --force"} {
			assert.Contains(t, again, flag)
		}
		assert.FileExists(t, "page it.html")
	}
}

// TestSearchInterruptedWithFailure: what is violated is violated, however early the search ended.
func TestSearchInterruptedWithFailure(t *testing.T) {
	t.Chdir(t.TempDir())
	grown := func() bool { return sizeOf("r.jsonl") > 9000 }
	got := interrupt(t, grown, os.Interrupt, append(strings.Fields("search --runs=100000000 --resume r.jsonl -o json"),
		strings.Fields(searchDefault)...)...)
	assert.Equal(t, exit.NotAsExpected, got.code, got.stderr)
	assert.Contains(t, got.stdout, `{"verdict":"violated",`)
	assert.Contains(t, got.stderr, "; to go on:\nsimulate: simulate search --")
	assert.Contains(t, lastLine(got.stderr), " --output=json")
}

// TestExploreInterrupted says so, and that there is nothing to go on with.
func TestExploreInterrupted(t *testing.T) {
	var told strings.Builder
	c := exec.Command(os.Args[0], "explore", "--faults=6", "--candidates=3", "--max-states=0", "--profile", "strict")
	c.Env = append(os.Environ(), "INTERREGNUM_TEST_MAIN="+often)
	var stdout strings.Builder
	c.Stdout = &stdout
	talk, err := c.StderrPipe()
	require.NoError(t, err)
	startHeeding(t, c, os.Interrupt)
	buffer := make([]byte, 4096)
	for err == nil {
		n := 0
		n, err = talk.Read(buffer)
		if told.Len() == 0 && n > 0 { // its first line of progress
			require.NoError(t, c.Process.Signal(os.Interrupt))
		}
		told.Write(buffer[:n])
	}
	_ = c.Wait()
	assert.Equal(t, exit.HarnessFailed, c.ProcessState.ExitCode())
	assert.Contains(t, stdout.String(), ": unfinished\n")
	assert.Regexp(t, `simulate: interrupted after \d+ states: not every schedule was tried, and nothing is proved; `, told.String())
	assert.Equal(t, "simulate explore --profile=strict --candidates=3 --faults=6 --max-states=0", lastLine(told.String()))
}

// TestRunInterrupted: what has run is shown, and is not taken for all.
func TestRunInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("long.yaml", []byte("name: long\nhorizon: 80000h\ncandidates: [{id: a}, {id: b}]\n"), 0o666))
	var stdout lockedBuffer
	shown := func() bool { return strings.Contains(stdout.String(), `"scenario":"healthy-failover"`) }
	var stderr strings.Builder
	c := interrupting(t, shown, os.Interrupt, &stdout, &stderr, "run", "healthy-failover", "long.yaml", "--brief", "-o", "json")
	assert.Equal(t, exit.HarnessFailed, c.ProcessState.ExitCode())
	assert.Equal(t, "interrupted after 1 of 2 scenarios: nothing is known of the rest", lastLine(stderr.String()))
}

// lockedBuffer is a buffer that one goroutine may read while another writes it.
type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
