//go:build unix

package cluster

import "syscall"

// pause freezes the process with SIGSTOP; resume lets it go on, with SIGCONT.
func (p *process) pause() error  { return p.cmd.Process.Signal(syscall.SIGSTOP) }
func (p *process) resume() error { return p.cmd.Process.Signal(syscall.SIGCONT) }
