package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"interregnum/elector"
)

// tokenVariable is the environment variable of the command that has the fencing token.
const tokenVariable = "INTERREGNUM_FENCING_TOKEN"

// command runs the command of a term, under a guard.
type command struct {
	argv []string
	// hide is the names of the variables that the command does not get.
	hide         []string
	renew, grace time.Duration
	// window is the time from the end of the renewals to the end of the lease.
	window time.Duration
	// patience is after how long the guard kills an elector that is frozen; 0 for never.
	patience time.Duration
	// keep is what the guard keeps open as long as it lives.
	keep           []*os.File
	lease          *lease
	stdout, stderr *os.File
}

// verdict tells how a command ended.
type verdict struct {
	// status is an exit status as a shell has it. byItself: nobody has stopped it.
	status   int
	byItself bool
}

// run starts the command under its guard, waits until the command has ended, and returns how: by itself, or stopped by the guard,
// because ctx had ended or no renewal had come in time. It returns an error if the guard failed or the command could not be
// started; the command does not run then.
func (c *command) run(ctx context.Context) (verdict, error) {
	cmd, report, err := c.start(ctx)
	if err != nil {
		return verdict{}, fmt.Errorf("the guard of the command: %w", err)
	}
	told := make(chan heard, 1)
	go func() { told <- listen(report) }()
	var h heard
	select {
	case h = <-told:
	case <-ctx.Done():
		h = c.stop(cmd, told)
	}
	c.lease.detach() // The guard waits for it.
	err = cmd.Wait()
	if h.how == "" {
		// The guard was killed. On Linux the command is dead by now; what it has started may not be, and is this process's.
		if h.group > 0 {
			_ = syscall.Kill(-h.group, syscall.SIGKILL)
		}
		clearDescendants()
	}
	switch h.how {
	case "ended", "stopped":
		return verdict{h.status, h.how == "ended"}, nil
	case "failed":
		return verdict{}, errors.New("the command could not be started: " + h.text)
	}
	return verdict{}, fmt.Errorf("the guard of the command has ended without a report: %v", err)
}

// start starts the guard process, which starts the command, and attaches the lease to the guard. It returns the guard's process,
// and the end of a pipe from which the guard's report can be read. After an error no process runs.
func (c *command) start(ctx context.Context) (*exec.Cmd, *os.File, error) {
	self, err := ownExecutable()
	if err = errors.Join(err, adopt()); err != nil {
		return nil, nil, err
	}
	orders, in, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer orders.Close()
	report, out, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, nil, err
	}
	defer out.Close()
	args := []string{guardName, c.renew.String(), c.grace.String(), c.patience.String()}
	cmd := exec.Command(self, append(args, c.argv...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = orders, c.stdout, c.stderr
	cmd.ExtraFiles = append([]*os.File{out}, c.keep...)
	cmd.Env = environment(ctx, c.hide)
	// A terminal's signals are elector's to handle.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		in.Close()
		report.Close()
		return nil, nil, err
	}
	c.lease.attach(cmd.Process, in)
	return cmd, report, nil
}

// environment returns elector's own environment without the variables in hide. The variable of the fencing token
// (tokenVariable) has the token of ctx; if ctx has none, the variable is left out.
func environment(ctx context.Context, hide []string) []string {
	var env []string
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); name != tokenVariable && !slices.Contains(hide, name) {
			env = append(env, pair)
		}
	}
	if token, ok := elector.FencingToken(ctx); ok {
		env = append(env, fmt.Sprintf("%s=%d", tokenVariable, token))
	}
	return env
}

// stop tells the guard to stop the command, waits for its report on told, and returns the report. If none has come halfway
// between the end of the grace and the end of the window, it kills the guard, and returns what came until then.
func (c *command) stop(cmd *exec.Cmd, told <-chan heard) heard {
	c.lease.detach()
	late := time.NewTimer(c.grace + (c.window-c.grace)/2)
	defer late.Stop()
	select {
	case h := <-told:
		return h
	case <-late.C:
		_ = cmd.Process.Kill()
		return <-told
	}
}

// heard is a guard's report: the command's process group, how the command ended, and its status or the error. how is "" if the
// guard has not told.
type heard struct {
	group, status int
	how, text     string
}

// listen reads the guard's report until the pipe is closed, closes it, and returns the report.
func listen(report *os.File) (h heard) {
	defer report.Close()
	lines := bufio.NewScanner(report)
	for lines.Scan() {
		how, text, _ := strings.Cut(lines.Text(), " ")
		number, _ := strconv.Atoi(text)
		if how == "group" {
			h.group = number
			continue
		}
		h.how, h.text, h.status = how, text, number
	}
	return h
}
