package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

// process is a program that was started; on Linux it ends with the process that started it.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	err  error         // set before
}

// start runs a program, and appends its output to the file log. Linux kills the program when the thread that started it
// ends, also by a SIGKILL of the whole test; hence the goroutine, which keeps that thread for as long as the program
// runs.
func start(log, program string, args ...string) (*process, error) {
	out, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(program, args...), done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = out, out
	endWithParent(p.cmd)
	started := make(chan error)
	go func() {
		defer out.Close()
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
			close(p.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return p, nil
}

// kill ends the process with SIGKILL, also if it is frozen, and waits for its end.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // an error says that it has ended already
	<-p.done
}
