//go:build unix

package cluster

import "syscall"

// pause freezes the process with SIGSTOP.
func (p *process) pause() error { return p.cmd.Process.Signal(syscall.SIGSTOP) }

// resume makes a frozen process go on, with SIGCONT.
func (p *process) resume() error { return p.cmd.Process.Signal(syscall.SIGCONT) }
