package main

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// clockID: here CLOCK_MONOTONIC goes on while the host sleeps.
const clockID = unix.CLOCK_MONOTONIC

// ownExecutable returns the path of this program.
func ownExecutable() (string, error) { return os.Executable() }

// ownGroup returns attributes that make a command the leader of a process group of its own. The system cannot kill
// it when the guard dies.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// adopt does nothing on this system, and always returns nil: what a process leaves behind becomes launchd's, and what leaves the
// command's process group cannot be found.
func adopt() error { return nil }

// termOrphans does nothing on this system, since orphans cannot be found.
func termOrphans(int, map[int]string) {}

// killDescendants does nothing on this system, and always returns false: no other round is needed.
func killDescendants(int) bool { return false }

// clearDescendants does nothing on this system, since descendants cannot be found.
func clearDescendants() {}

// awaitEnd waits until the process of the command has ended. It leaves the process a zombie, so that Wait gets its exit status.
func awaitEnd(command int) {
	const byPID = 1            // P_PID of waitid
	var information [16]uint64 // siginfo_t, 104 bytes
	for {
		_, _, e := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(command),
			uintptr(unsafe.Pointer(&information)), syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if e != syscall.EINTR {
			return
		}
	}
}
