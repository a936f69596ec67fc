package world

import (
	"runtime"
	"time"

	"k8s.io/klog/v2"

	"interregnum/electiontest/internal/goroutines"
	"interregnum/internal/trace"
)

// init makes klog's Fatal and Exit end the calling candidate in a run. They end a program through a variable, unlike
// os.Exit and log.Fatal.
func init() {
	original := klog.OsExit
	klog.OsExit = func(code int) {
		if w, id := here(); w != nil {
			w.exits(id, code)
			runtime.Goexit() // they never return
		}
		original(code)
	}
}

// exits ends the process that goroutine id belongs to, when klog would have ended the program with that exit code. If nobody
// knows whose the goroutine is, the run fails.
func (w *world) exits(id string, code int) {
	all := goroutines.All()
	w.mu.Lock()
	p, known := goroutines.Owner(all, id, w.functions)
	if !known {
		w.fail("klog has ended the program with status %d at %v, in a goroutine of which it is not known whose it is: want "+
			"Candidate.Exit there", code, w.now())
	}
	w.mu.Unlock()
	if known {
		p.exit()
	}
}

// Exit ends the process as by a crash, because the code under test asks for it. Where the scenario has a rejoin, a new process
// begins that much later: see pause.
func (p *Part) Exit() { p.process.exit() }

// exit ends the process as by a crash. Where the scenario has a rejoin, a new process begins that much later (see pause). The run
// fails if the candidate ends too early: see early.
func (p *process) exit() {
	n, w := p.node, p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	p.early(p.ctx, "called Candidate.Exit")
	if !p.die(trace.Exited) || n.plan.Rejoin == nil {
		return
	}
	go func() {
		select {
		case <-time.After(p.pause()):
		case <-w.over:
			return
		}
		n.spawn(p.incarnation + 1)
	}()
}
