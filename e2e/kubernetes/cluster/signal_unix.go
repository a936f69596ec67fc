//go:build unix

package cluster

import "syscall"

// resume makes a frozen process go on, with SIGCONT.
func (p *process) resume() error { return p.cmd.Process.Signal(syscall.SIGCONT) }
