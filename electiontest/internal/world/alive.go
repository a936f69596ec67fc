package world

import "time"

// now returns the virtual time since the run began.
func (w *world) now() time.Duration { return time.Since(w.start) }

// isOver tells whether the run has reached its horizon, or has been ended.
func (w *world) isOver() bool {
	select {
	case <-w.over:
		return true
	default:
		return w.now() >= w.scenario.Horizon
	}
}

// gone tells whether the process is over, as far as anybody can see (see die): it has crashed or exited, code of it has panicked,
// or it has sent requests without end at one instant.
func (p *process) gone() bool {
	select {
	case <-p.dead:
		return true
	default:
		return false
	}
}

// runs tells whether a call of the candidate's function is going on, in a process that has not crashed or exited. The caller
// holds w.mu.
func (n *node) runs() bool { return n.process != nil && n.process.running && !n.process.gone() }

// world returns the run that the part belongs to.
func (p *Part) world() *world { return p.process.node.world }
