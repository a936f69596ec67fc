//go:build unix && !linux

package cluster

import "syscall"

// pause freezes the process with SIGSTOP.
func (p *process) pause() error { return p.cmd.Process.Signal(syscall.SIGSTOP) }
