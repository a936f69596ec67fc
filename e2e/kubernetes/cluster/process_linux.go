package cluster

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// endWithParent makes Linux kill the command when the thread that starts it ends.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// pause freezes the process with SIGSTOP, and returns when it stands still: the signal alone lets its threads go on until one of
// them is scheduled.
func (p *process) pause() error {
	err := p.cmd.Process.Signal(syscall.SIGSTOP)
	if err != nil {
		return err
	}
	for {
		err = unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WSTOPPED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
