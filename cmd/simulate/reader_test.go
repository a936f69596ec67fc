package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/exit"
)

// goneReader is standard output whose reader has closed it.
func goneReader(t *testing.T) *os.File {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	t.Cleanup(func() { w.Close() })
	return w
}

// everyCommandLine is a command line of each command that writes to standard output. RESULTS is a file of runs, SEARCH one of a search.
var everyCommandLine = []string{
	"--help", "--version", "help run", "version", "version -o json", "list", "list -o json", "completion bash", "completion zsh",
	"completion fish", "completion powershell", "__complete run h0",
	"run calm", "run calm -o json", "run calm -o junit", "run calm -o markdown", "run calm late-ack.yaml", "run unexpected.yaml",
	"run calm unexpected.yaml -o json", "run late-ack.yaml --against strict", "run --all", "run --all -o json",
	"gate --lease-duration 15s --renew-deadline 10s --retry-period 2s", "gate --lease-duration 15s --renew-deadline 10s --retry-period 2s -o json",
	"tune", "tune -o json", "shrink late-ack.yaml", "search --runs 64 --profile strict", "search --runs 64 -o json", "search --show 3",
	"explore --lease-duration 4s --renew-deadline 3s --retry-period 2s --faults 0", "explore --profile strict --faults 0 -o json",
	"report RESULTS", "report RESULTS -o json", "report SEARCH", "report diff calm late-ack.yaml", "report diff calm late-ack.yaml -o json",
	"report merge SEARCH", "calibrate AUDIT --force",
}

// TestReaderGone: whoever reads standard output may stop, as head does. Nothing has failed then, and nothing is known of what
// was not read: the exit code is that of a program that SIGPIPE ended, and no other.
func TestReaderGone(t *testing.T) {
	folder(t)
	audit, err := filepath.Abs("audit.log")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(audit, []byte(auditLog(2, 3)), 0o666))
	require.NoError(t, os.WriteFile("results.jsonl", []byte(simulate("", "run", "--all", "-o", "json", "--brief").stdout), 0o666))
	simulate("", "search", "--runs", "64", "--profile", "strict", "--resume", "search.jsonl")
	files := strings.NewReplacer("RESULTS", "results.jsonl", "SEARCH", "search.jsonl", "AUDIT", audit)
	for _, line := range everyCommandLine {
		args := strings.Fields(files.Replace(line))
		for _, out := range []io.Writer{goneReader(t), &closedAfter{room: 7}} {
			var stderr bytes.Buffer
			assert.Equal(t, exit.ReaderGone, execute(args, strings.NewReader(""), out, &stderr), line)
			assert.NotContains(t, stderr.String(), "pipe", line)
			assert.NotContains(t, stderr.String(), "standard output", line)
		}
	}
}

// closedAfter is a pipe whose reader goes away once it has read so many bytes.
type closedAfter struct{ room int }

func (c *closedAfter) Write(b []byte) (int, error) {
	if c.room -= len(b); c.room < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(b), nil
}

// TestReaderGoneKeepsFiles: what else a command was asked for is done.
func TestReaderGoneKeepsFiles(t *testing.T) {
	folder(t)
	require.NoError(t, os.Mkdir("found", 0o777))
	for line, files := range map[string][]string{
		"run calm -o json --trace t.jsonl --html t.html --perfetto t.json": {"t.jsonl", "t.html", "t.json"},
		"run calm --trace u.jsonl": {"u.jsonl"},
		"search --runs 640 --property single-work --html s.html --keep found " + searchDefault: {"s.html", "found/*.yaml"},
		"tune --plot p.svg": {"p.svg"},
	} {
		assert.Equal(t, exit.ReaderGone, execute(strings.Fields(line), strings.NewReader(""), goneReader(t), io.Discard), line)
		for _, file := range files {
			found, err := filepath.Glob(file)
			require.NoError(t, err)
			assert.NotEmpty(t, found, "%s: %s", line, file)
		}
	}
	left, err := filepath.Glob("*.tmp")
	require.NoError(t, err)
	assert.Empty(t, left)
}

// TestReaderGoneTells: another failure is told all the same.
func TestReaderGoneTells(t *testing.T) {
	folder(t)
	var stderr bytes.Buffer
	assert.Equal(t, exit.BadInput, execute([]string{"run", "missing.yaml"}, strings.NewReader(""), goneReader(t), &stderr))
	assert.Equal(t, "simulate: missing.yaml: no such file or directory\n", stderr.String())
}

// TestReaderGoneProcess does it with a process, which must not die of the signal before it has put its files in order.
func TestReaderGoneProcess(t *testing.T) {
	folder(t)
	c := exec.Command(os.Args[0], "run", "calm", "-o", "json", "--trace", "t.jsonl")
	c.Env = append(os.Environ(), "INTERREGNUM_TEST_MAIN=1")
	var stderr bytes.Buffer
	c.Stdout, c.Stderr = goneReader(t), &stderr
	var ended *exec.ExitError
	require.ErrorAs(t, c.Run(), &ended)
	assert.Equal(t, exit.ReaderGone, ended.ExitCode(), ended)
	assert.Empty(t, stderr.String())
	assert.FileExists(t, "t.jsonl")
}
