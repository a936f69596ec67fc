package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// clockID: CLOCK_MONOTONIC stands still while the host is suspended.
const clockID = unix.CLOCK_BOOTTIME

// ownExecutable returns a path that starts this program again, even if its file has been replaced meanwhile. It returns an error
// if there is no /proc, or if /proc shows the processes of another PID namespace: descendants are not to be found there.
func ownExecutable() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Lstat(self); err != nil {
		return "", errors.New("expected the file system proc on /proc, as every container has it: " + err.Error())
	}
	if pid, err := os.Readlink("/proc/self"); err != nil || pid != strconv.Itoa(os.Getpid()) {
		return "", fmt.Errorf("expected the file system proc of this PID namespace on /proc: process %d is %q there", os.Getpid(), pid)
	}
	return self, nil
}

// ownGroup returns attributes that make a command the leader of a process group of its own, and have it killed when the
// guard dies.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// adopt makes this process the parent of orphans among its descendants, whatever process group or session they are in,
// so that none is lost (PR_SET_CHILD_SUBREAPER of prctl(2)).
func adopt() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// awaitEnd waits until the process of the command has ended. It leaves the process a zombie, so that Wait gets its exit status.
// It reaps orphans that end before, since nobody else would.
func awaitEnd(command int) {
	for {
		pid, err := waitAny()
		switch {
		case err == syscall.EINTR:
		case err != 0 || pid == command:
			return
		default:
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}

// waitAny waits until any child has ended, and returns its process id. It leaves the child a zombie, so that a later wait gets
// its exit status.
func waitAny() (pid int, err syscall.Errno) {
	const all, pidAt = 0, 8 + unsafe.Sizeof(uintptr(0)) // P_ALL of waitid(2); si_pid in siginfo_t
	var information [16]uint64                          // siginfo_t, 128 bytes
	_, _, err = syscall.Syscall6(syscall.SYS_WAITID, all, 0, uintptr(unsafe.Pointer(&information)),
		syscall.WEXITED|syscall.WNOWAIT, 0, 0)
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(&information), pidAt))), err
}

// descendant is a process that this one has started or adopted, or a descendant of such a process. See proc_pid_stat(5).
type descendant struct {
	pid, parent, group int
	// ended: it waits for its parent to reap it.
	ended bool
	// started is when, in ticks since the system was: pid and started are a process, a pid alone may be the next one's. It is
	// hidden if /proc does not tell.
	started string
}

// hidden is in place of the start of a process that /proc does not show to this user, though it may be this user's: see hidepid in
// proc(5).
const hidden = "hidden"

// descendants returns all processes below this one: those that live, and those that have ended but have not been reaped. Of those
// that /proc hides it returns the children of this process: the others become that when their parents have ended.
func descendants() (found []descendant) {
	entries, _ := os.ReadDir("/proc") // Was there when the guard was started.
	children := map[int][]descendant{}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if d, ok := describe(pid); ok {
				children[d.parent] = append(children[d.parent], d)
			}
		}
	}
	for _, pid := range ownChildren() {
		if _, ok := describe(pid); !ok {
			found = append(found, descendant{pid: pid, parent: os.Getpid(), started: hidden})
		}
	}
	for next := []int{os.Getpid()}; len(next) > 0; next = next[1:] {
		for _, d := range children[next[0]] {
			found = append(found, d)
			next = append(next, d.pid)
		}
	}
	return found
}

// ownChildren returns the process ids of this process's children, zombies too; none where the kernel does not list them
// (CONFIG_PROC_CHILDREN).
func ownChildren() (children []int) {
	threads, _ := os.ReadDir("/proc/self/task")
	for _, thread := range threads {
		text, _ := os.ReadFile("/proc/self/task/" + thread.Name() + "/children")
		for _, field := range strings.Fields(string(text)) {
			pid, _ := strconv.Atoi(field)
			children = append(children, pid)
		}
	}
	return children
}

// describe reads from /proc the parent, the process group, the state and the start time of the process with the id pid; ok is
// false if there is no such process.
func describe(pid int) (d descendant, ok bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	// The name, in parentheses, may hold anything.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if err != nil || len(fields) < 20 {
		return d, false
	}
	d = descendant{pid: pid, started: fields[19]}
	d.parent, _ = strconv.Atoi(fields[1])
	d.group, _ = strconv.Atoi(fields[2])
	// Of a process whose first thread has ended the others may live.
	threads, _ := strconv.Atoi(fields[17])
	d.ended = fields[0] == "X" || fields[0] == "Z" && threads < 2
	return d, true
}

// send sends a signal to this process. If the process is gone, and perhaps another one has its number, it sends nothing and
// returns os.ErrProcessDone.
func (d descendant) send(s syscall.Signal) error {
	handle, err := os.FindProcess(d.pid) // a pidfd
	if err != nil {
		return err
	}
	defer handle.Release()
	if !d.isThere() {
		return os.ErrProcessDone
	}
	return handle.Signal(s)
}

// isThere tells whether the number is still this process's.
func (d descendant) isThere() bool {
	if d.started == hidden {
		return slices.Contains(ownChildren(), d.pid)
	}
	again, ok := describe(d.pid)
	return ok && again.started == d.started
}

// termOrphans sends SIGTERM to the descendants that this process has adopted because their own parent ended, such as
// daemons. It leaves out those in group, the command's process group, which has had the signal already, and those in told, to
// which it adds the others: told has for each process id the start time of that process.
func termOrphans(group int, told map[int]string) {
	for _, d := range descendants() {
		if d.parent == os.Getpid() && d.group != group && d.pid != group && !d.ended && told[d.pid] != d.started {
			told[d.pid] = d.started
			_ = d.send(syscall.SIGTERM)
		}
	}
}

// killDescendants kills all descendants of this process, and reaps those that have ended. It leaves out the one whose process
// id is the argument but; 0 leaves out none. It returns true if it found any, so that another round is needed: meanwhile others
// perhaps were forked or orphaned. A process that it may not signal, such as another user's, does not count.
func killDescendants(but int) (again bool) {
	for _, d := range descendants() {
		if d.pid == but {
			continue
		}
		if !d.ended && !errors.Is(d.send(syscall.SIGKILL), syscall.EPERM) {
			again = true
		}
		if d.parent == os.Getpid() {
			reaped, _ := syscall.Wait4(d.pid, nil, syscall.WNOHANG, nil)
			again = again || reaped == d.pid
		}
	}
	return again
}

// clearDescendants kills and reaps all descendants, round after round. It returns when none is left except those that it may not
// signal.
func clearDescendants() {
	for killDescendants(0) {
		time.Sleep(2 * time.Millisecond)
	}
}
