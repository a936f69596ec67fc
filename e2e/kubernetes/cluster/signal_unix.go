//go:build unix

package cluster

import "syscall"

// pause freezes the process with SIGSTOP.
func (p *process) pause() error  { return p.cmd.Process.Signal(syscall.SIGSTOP) }
func (p *process) resume() error { return p.cmd.Process.Signal(syscall.SIGCONT) }
