package cluster

import (
	"os/exec"
	"syscall"
)

// endWithParent makes Linux kill the command when the thread that starts it ends.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
