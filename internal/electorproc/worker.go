// Package electorproc runs cmd/elector in tests as real processes, with a command that shows whether it is alone.
package electorproc

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TokenVariable is the environment variable in which elector passes the fencing token.
const TokenVariable = "INTERREGNUM_FENCING_TOKEN"

// These are the ways in which a worker may behave. By default it ends on SIGTERM.
const (
	// Stubborn does not end on SIGTERM.
	Stubborn = "stubborn"
	// Nested has a stubborn child, which outlives it.
	Nested = "nested"
	// Daemon has a stubborn grandchild in a session of its own, whose parent has ended, and stays beside it until SIGTERM.
	Daemon = "daemon"
	// Daemonizes has such a grandchild, and ends at once.
	Daemonizes = "daemonizes"
)

// Main turns a test program into a worker if it was started with the arguments that Work returns; otherwise it does
// nothing. A TestMain calls it first.
func Main() {
	if len(os.Args) > 2 && os.Args[1] == "worker" {
		worker(os.Args[2], os.Args[3:])
		os.Exit(0)
	}
}

// Work returns the end of elector's command line: the command, which is a worker that logs in the folder dir and behaves
// in the ways given.
func Work(dir string, how ...string) []string {
	return append([]string{"--", os.Args[0], "worker", dir}, how...)
}

// worker is the command that elector runs. It writes to the log in the folder dir when it starts and when it is told to end, and
// holds a file lock while it lives. It ends when it is told to, except with Stubborn. If another worker holds that lock, it
// writes OVERLAP. If one of the ways in how has a child or grandchild, that process does all this in its place.
func worker(dir string, how []string) {
	orders := make(chan os.Signal, 1)
	signal.Notify(orders, syscall.SIGTERM)
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(err)
	child := exec.Command(os.Args[0], "worker", dir, Stubborn)
	switch {
	case slices.Contains(how, Nested):
		must(child.Run())
		return
	case slices.Contains(how, "forks"):
		must(child.Start())
		return
	case slices.Contains(how, Daemon), slices.Contains(how, Daemonizes):
		// Twice forked: the child leads a session, and leaves its own child behind in it.
		child.Args[len(child.Args)-1] = "forks"
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		must(child.Run())
		awaitStart(dir)
		if slices.Contains(how, Daemon) {
			<-orders
		}
		return
	}
	lock, err := os.OpenFile(filepath.Join(dir, "alone"), os.O_CREATE|os.O_RDWR, 0o600)
	must(err)
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		fmt.Fprintf(log, "OVERLAP %v\n", err)
	}
	fmt.Fprintf(log, "start %s %d\n", os.Getenv(TokenVariable), os.Getpid())
	for range orders {
		fmt.Fprintln(log, "term")
		if !slices.Contains(how, Stubborn) {
			return
		}
	}
}

// must panics with err if that is not nil.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// LogOf returns what the workers in a folder have logged.
func LogOf(dir string) string {
	text, _ := os.ReadFile(filepath.Join(dir, "log"))
	return string(text)
}

// Alone tells whether no worker in the folder lives: none of them holds the file lock.
func Alone(t *testing.T, dir string) bool {
	lock, err := os.OpenFile(filepath.Join(dir, "alone"), os.O_CREATE|os.O_RDWR, 0o600)
	require.NoError(t, err)
	defer lock.Close()
	return syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// Tokens returns the fencing tokens of the workers in a folder, in the order in which the workers started.
func Tokens(t *testing.T, dir string) (tokens []uint64) {
	for _, found := range started.FindAllStringSubmatch(LogOf(dir), -1) {
		token, err := strconv.ParseUint(found[1], 10, 64)
		require.NoError(t, err)
		tokens = append(tokens, token)
	}
	return tokens
}
