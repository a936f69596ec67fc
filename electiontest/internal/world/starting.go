package world

import (
	"strings"
	"time"

	"interregnum/electiontest/internal/goroutines"
)

// runtimes are the packages of controller-runtime, managerRuns and managerStarts places in a stack at which a manager of it has been
// started, and waits for its caches. If its context ends before these are there the manager does not return: it computes, without a pause,
// until they are, which stops virtual time for ever.
const (
	runtimes      = "sigs.k8s.io/controller-runtime/pkg/"
	managerRuns   = runtimes + "manager.(*controllerManager).Start("
	managerStarts = runtimes + "manager.(*runnableGroup).Start.func1("
)

// startStep is how often end looks whether a manager still starts: each look asks the runtime for all stacks. It is a nanosecond off the times at which messages arrive.
const startStep = time.Second + time.Nanosecond

// starts tells whether a manager of the process waits for its caches, or is being made by the candidate's function.
func (p *process) starts() bool {
	w, all := p.node.world, goroutines.All()
	for i := range all {
		text := all[i].Text
		owner, known := w.functions[all[i].ID]
		making := known && strings.Contains(text, runtimes) && !strings.Contains(text, managerRuns)
		if !making && strings.Contains(text, managerStarts) {
			owner, known = goroutines.Owner(all, all[i].ID, w.functions)
			making = known
		}
		if making && owner == p {
			return true
		}
	}
	return false
}

// end ends the context of the candidate's function. If a manager of it starts, end does so as soon as its caches are there. That
// never happens if the process is gone, or the run is over, since nothing is answered then: the manager waits on. The caller holds w.mu.
func (p *process) end() {
	w := p.node.world
	if !p.starts() {
		p.cancel()
		return
	}
	if p.gone() || w.isOver() {
		return
	}
	time.AfterFunc(startStep, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		p.end()
	})
}
