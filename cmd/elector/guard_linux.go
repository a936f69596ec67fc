package main

import "syscall"

// ownExecutable is this program, also where its file has been replaced meanwhile.
func ownExecutable() (string, error) { return "/proc/self/exe", nil }

// ownGroup has a command lead a process group, and die with the guard.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
