package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/few"
	"interregnum/reports"
)

// openTerminal is a new pseudo-terminal of that many columns.
func openTerminal(t *testing.T, columns uint16) *os.File {
	slave, _ := openTerminals(t, columns)
	return slave
}

// openTerminals are both ends of one: what is written to the first is read from the second.
func openTerminals(t *testing.T, columns uint16) (slave, master *os.File) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { slave.Close() })
	require.NoError(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: columns}))
	return slave, master
}

// TestTerminal: text is as wide as the terminal, and coloured there alone.
func TestTerminal(t *testing.T) {
	screen := openTerminal(t, 130)
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	assert.Equal(t, terminal.Screen{Width: 130, Color: true}, terminal.Of(&stickyWriter{w: screen}))
	assert.Equal(t, 130, terminal.Of(screen).Columns())
	t.Setenv("TERM", "dumb")
	assert.False(t, terminal.Of(screen).Color)
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "1")
	assert.Equal(t, terminal.Screen{Width: 130}, terminal.Of(screen))

	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer file.Close()
	t.Setenv("NO_COLOR", "")
	for _, w := range []io.Writer{file, io.Discard} {
		assert.Equal(t, terminal.Screen{}, terminal.Of(w))
		assert.Equal(t, reports.DefaultWidth, terminal.Of(w).Columns())
	}
	assert.Equal(t, reports.MinWidth, terminal.Screen{Width: 20}.Columns())
	assert.Equal(t, 240, terminal.Screen{Width: 2000}.Columns())
}

// onTerminal is what a command line prints on a terminal of that many columns, without the commands and scenarios that are
// there to be copied.
func onTerminal(t *testing.T, columns uint16, line string) []string {
	screen, master := openTerminals(t, columns)
	printed := make(chan string)
	go func() {
		text, _ := io.ReadAll(master) // it ends with an error once the other end is closed
		printed <- string(text)
	}()
	execute(strings.Fields(line), strings.NewReader(""), screen, io.Discard)
	require.NoError(t, screen.Close())
	text, _, _ := strings.Cut(strings.ReplaceAll(<-printed, "\r\n", "\n"), "\n# seed")
	return slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "simulate ") })
}

// TestNarrowTerminal: no line is longer than the terminal is wide, which would break words.
func TestNarrowTerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	folder(t)
	require.NoError(t, os.WriteFile("results.jsonl", []byte(simulate("", "run", "--all", "-o", "json", "--brief").stdout), 0o666))
	manifest := `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaseDuration: 15s, renewDeadline: 14s, retryPeriod: 4s, leaderElect: true}
`
	require.NoError(t, os.WriteFile("a.yaml", []byte(manifest), 0o666))
	require.NoError(t, os.WriteFile("b.yaml", []byte(strings.ReplaceAll(manifest, "14s", "9s")), 0o666))
	timings := " --lease-duration 15s --renew-deadline 10s --retry-period 2s"
	widths := few.Else([]uint16{40, 80}, []uint16{40, 60, 80, 100, 200})
	if testing.Short() {
		widths = widths[:1] // the same goroutines as in the others
	}
	for _, columns := range widths {
		for _, line := range []string{"gate a.yaml b.yaml", "gate a.yaml b.yaml --explain", "gate --max-round-trip 2s" + timings,
			"gate --lock sql-ttl --max-clock-offset 20s" + timings, "gate --profile strict" + timings,
			"tune --max-round-trip 1s --tolerate-outage 5s", "tune --max-round-trip 20s --max-lease 10s", "tune --lock kv-ttl",
			"gate --lease-duration 2s --renew-deadline 1800ms --retry-period 500ms --release-on-cancel --max-round-trip 1s --drain 2s",
			"--help", "report --help", "run --all", "run h01-late-ack", "run h01-late-ack --against strict", "list", "version",
			"report results.jsonl", "report diff h01-late-ack h02-retry-on-top", "search --runs 64 --profile strict",
			"search --runs 64 " + searchDefault} {
			lines := onTerminal(t, columns, line)
			assert.NotEmpty(t, lines[0], line)
			for _, l := range lines {
				if len(strings.Fields(l)) == 1 {
					continue // a word that has no room
				}
				assert.LessOrEqual(t, utf8.RuneCountInString(l), int(columns), "%s at %d: %s", line, columns, l)
			}
		}
	}
}
