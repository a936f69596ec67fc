package main

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// clockID: here CLOCK_MONOTONIC goes on while the host sleeps.
const clockID = unix.CLOCK_MONOTONIC

func ownExecutable() (string, error) { return os.Executable() }

// ownGroup has a command lead a process group. The system cannot have it die with the guard.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// adopt does nothing, and so do those after it: orphans are launchd's here, and what leaves its process group is lost.
func adopt() error { return nil }

func termOrphans(int) {}

func killDescendants(int) bool { return false }

func clearDescendants() {}

// awaitEnd waits until the command has ended, and leaves it to be waited for.
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
