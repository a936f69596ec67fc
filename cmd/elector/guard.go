package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// stopSignals returns the signals that end elector: SIGTERM always, SIGINT and SIGHUP unless elector was started to ignore them,
// as by nohup.
func stopSignals() []os.Signal {
	return append(slices.DeleteFunc([]os.Signal{syscall.SIGINT, syscall.SIGHUP}, signal.Ignored), syscall.SIGTERM)
}

// guardName is the first argument of the process that stands between elector and the command. It outlives elector:
// whatever becomes of that, killed, frozen or cut off, the guard has stopped the command by the time that the lease
// may be another's. No flag could do: what follows -- is the command's.
const guardName = "guard-command"

// The guard's protocol. On its standard input it gets the instant of each renewal, 8 bytes, nanoseconds as of
// now; the end of the input means stop. On reportFD it writes lines: "group N" once the command runs,
// then "ended STATUS" or, where the guard has stopped it, "stopped STATUS"; or "failed WHY". With SQLite keptFD is an
// announcement's folder, which has to stay open until the command is dead.
const (
	frameBytes = 8
	reportFD   = 3
	keptFD     = 4
)

// now returns monotonic time in nanoseconds, the same in all processes of a host. It goes on while the host is
// suspended, as the lease does.
func now() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(clockID, &t); err != nil {
		panic(fmt.Sprintf("clock %d: %v", clockID, err)) // Without a clock nothing here can be promised.
	}
	return t.Nano()
}

// lookAtLeast is the longest time between two looks of the guard at the clock of now: timers stand still while the host is
// suspended.
const lookAtLeast = 100 * time.Millisecond

// guard is the main function of the guard process, and returns its exit code. It waits for the first renewal and runs the command
// in args[3:]; it does not start the command if its input ends first, or if that renewal is already older than the renew deadline
// args[0]. It stops the command if no renewal has come within args[0], at the end of its input, and on a signal. args[1] is the grace from SIGTERM to
// SIGKILL. args[2] is how long elector has to take note of the report before the guard kills elector; 0 is for ever.
func guard(args []string) int {
	// The command is to die with the thread that has started it, if the system can do that: this one, until the end.
	runtime.LockOSThread()
	syscall.CloseOnExec(reportFD)
	syscall.CloseOnExec(keptFD)
	report := os.NewFile(reportFD, "report")
	say := func(format string, values ...any) { fmt.Fprintf(report, format+"\n", values...) }
	if len(args) < 4 {
		say("failed the guard wants a deadline, a grace, a patience and a command")
		return exitFailed
	}
	renew, err := time.ParseDuration(args[0])
	grace, err2 := time.ParseDuration(args[1])
	patience, err3 := time.ParseDuration(args[2])
	elector, err4 := os.FindProcess(os.Getppid())
	if err = errors.Join(err, err2, err3, err4, adopt()); err != nil {
		say("failed %v", err)
		return exitFailed
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, stopSignals()...)
	g := &warden{now: now, renew: renew, grace: grace, renewals: make(chan int64), signals: signals}
	go readRenewals(os.Stdin, g.renewals)
	sent, ok := <-g.renewals
	if !ok || now() >= sent+int64(renew) {
		say("stopped %d", 128+int(syscall.SIGTERM)) // Too late: it has not even started.
		return exitDone
	}
	g.stopAt = sent + int64(renew)
	cmd := exec.Command(args[3], args[4:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = ownGroup()
	if err := cmd.Start(); err != nil {
		say("failed %v", err)
		return exitFailed
	}
	g.group = cmd.Process.Pid
	say("group %d", g.group)
	g.watch()
	_ = cmd.Wait() // Its status is asked for below.
	clearDescendants()
	if patience > 0 {
		unclaim(keptFD)
	}
	how := "ended"
	if g.stopping {
		how = "stopped"
	}
	say("%s %d", how, statusOf(cmd.ProcessState))
	report.Close()
	if patience > 0 && g.renewals != nil {
		g.free(elector, patience)
	}
	return exitDone
}

// free waits until elector has taken note of the report, which it shows by closing the pipe. If that takes longer than patience,
// free kills elector. Such an elector is frozen, perhaps in the middle of a write to SQLite's file, and nobody else can write to
// that file until it is over.
func (g *warden) free(elector *os.Process, patience time.Duration) {
	over := time.After(patience)
	for {
		select {
		case _, ok := <-g.renewals:
			if !ok {
				return
			}
		case <-over:
			if os.Getppid() == elector.Pid {
				_ = elector.Kill()
			}
			return
		}
	}
}

// statusOf returns the exit status of a process as a shell has it: 128 + N if signal N has ended it.
func statusOf(state *os.ProcessState) int {
	if w, ok := state.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return state.ExitCode()
}

// readRenewals reads the instant of each renewal from the guard's input, in nanoseconds as the function now returns
// it, and sends it to the channel to. It closes the channel at the end of the input.
func readRenewals(from io.Reader, to chan<- int64) {
	defer close(to)
	var frame [frameBytes]byte
	for {
		if _, err := io.ReadFull(from, frame[:]); err != nil {
			return
		}
		to <- int64(binary.LittleEndian.Uint64(frame[:]))
	}
}

// warden watches over one command: it stops the command in time, and kills it if need be.
type warden struct {
	// now is the function of that name.
	now          func() int64
	renew, grace time.Duration
	renewals     chan int64
	signals      <-chan os.Signal
	group        int
	// stopAt is when the command is to stop unless there is a renewal; killAt when it is killed. Both are of now.
	stopAt, killAt int64
	stopping       bool
	// told are the orphans that were asked to end, by process id; see termOrphans.
	told map[int]string
}

// watch stops and kills the command when that is due. It returns when the command has ended, after it has killed what is left of
// the command's process group. Processes that have left the group can still live.
func (g *warden) watch() {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		awaitEnd(g.group)
	}()
	timer := time.NewTimer(0)
	for {
		select {
		case <-ended:
			// The command is a zombie until Wait: its number cannot be another group's.
			g.signal(syscall.SIGKILL)
			return
		case sent, ok := <-g.renewals:
			if !ok {
				g.renewals = nil
				g.stop()
			} else if !g.stopping {
				g.stopAt = max(g.stopAt, sent+int64(g.renew))
			}
		case <-g.signals:
			g.stop()
		case <-timer.C:
		}
		timer.Reset(g.pause(g.onTime()))
	}
}

// pause returns how long to wait before the next look: until the command is to be stopped or killed, lookAtLeast at most. If it was
// killed just now, that is 10 ms: a fork may have slipped through.
func (g *warden) pause(killed bool) time.Duration {
	next := g.stopAt
	switch {
	case killed:
		return 10 * time.Millisecond
	case g.stopping:
		next = g.killAt
	}
	return min(max(time.Duration(next-g.now()), 0), lookAtLeast)
}

// onTime stops the command if no renewal has come by stopAt. If the command still runs at killAt, it kills the command with all
// descendants, and returns true. In between it asks those to end that have become orphans since the last look.
func (g *warden) onTime() (killed bool) {
	switch t := g.now(); {
	case g.stopping && t >= g.killAt:
		g.signal(syscall.SIGKILL)
		killDescendants(g.group)
		return true
	case g.stopping:
		termOrphans(g.group, g.told)
	case t >= g.stopAt:
		g.stop()
	}
	return false
}

// stop asks the command and its orphans to end, by SIGTERM, and sets killAt, the time of SIGKILL: the grace after now, or after
// the deadline stopAt if that has passed already. If it has been called before, it does nothing.
func (g *warden) stop() {
	if g.stopping {
		return
	}
	g.stopping, g.told = true, map[int]string{}
	g.killAt = min(g.now(), g.stopAt) + int64(g.grace)
	g.signal(syscall.SIGTERM)
	g.signal(syscall.SIGCONT) // What is stopped would get SIGTERM only then.
	termOrphans(g.group, g.told)
}

// signal sends a signal to the command's process group. It ignores errors: perhaps nobody is left there.
func (g *warden) signal(s syscall.Signal) { _ = syscall.Kill(-g.group, s) } // Nobody there is fine.
