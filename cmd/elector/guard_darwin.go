package main

import (
	"os"
	"syscall"
)

func ownExecutable() (string, error) { return os.Executable() }

// ownGroup has a command lead a process group. The system cannot have it die with the guard.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
