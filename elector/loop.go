package elector

import (
	"runtime"
	"time"

	"interregnum/elector/machine"
)

// run is the main loop of Run: it starts the machine, and then handles what has happened, one thing at a time, until the machine's
// phase is Returned.
func (h *host) run() {
	h.lock = h.le.service.Describe()
	h.le.tell(func() { h.logger.Info("Contending for the lease", "lock", h.lock) })
	h.warn()
	h.checkContext()
	h.step(machine.Input{Kind: machine.Started})
	for !h.over {
		// Of things that are due at once: the end of Run's context, timers, the end of the work, answers.
		t, due := h.dueTimer()
		switch {
		case h.checkContext():
		case due:
			h.fire(t)
		case h.hurried():
		case h.checkWork():
		case h.reply != nil:
			h.receive()
		default:
			h.wait()
		}
	}
}

// checkContext tells the machine, once, that Run's context has ended. It returns true if it has told that in this call.
func (h *host) checkContext() bool {
	if h.cancelTold || h.ctx.Err() == nil {
		return false
	}
	h.cancelTold = true
	h.step(machine.Input{Kind: machine.Cancelled})
	return true
}

// checkWork tells the machine, once, that OnStartedLeading has returned. It returns true if it has told that in this call.
func (h *host) checkWork() bool {
	if h.work == nil || !isClosed(h.work) {
		return false
	}
	h.work = nil
	h.step(machine.Input{Kind: machine.WorkReturned})
	return true
}

// warn logs a warning if, with Strict and on a Kubernetes lock, the window is less than a second: this is safe only if all other
// candidates are strict, too.
func (h *host) warn() {
	c := &h.le.config
	if window := c.LeaseDuration - c.RenewDeadline; c.Lock != nil && c.Profile == Strict && window < time.Second {
		h.le.tell(func() {
			h.logger.Info("Warning: LeaseDuration exceeds RenewDeadline by less than 1s, which is safe only where all "+
				"candidates are strict: others compare whole seconds", "lock", h.lock, "window", window)
		})
	}
}

// step passes one input to the machine and performs the outputs that it returns.
func (h *host) step(in machine.Input) {
	h.advance(&in)
	h.perform(h.out)
}

// advance passes one input to the machine, and stores the machine's outputs in h.out. If Run is over it sets h.over, and stores
// that in le, for Check and enter.
func (h *host) advance(in *machine.Input) {
	le := h.le
	le.mu.Lock()
	defer le.mu.Unlock()
	now := le.now()
	h.out = le.machine.Step(now, in, h.out[:0])
	if le.machine.Phase() == machine.Returned {
		h.over, le.running = true, false
		if !le.ended { // if it has, an earlier Run has ended the term, and this one has only waited for its work
			le.ended, le.endedAt = le.work != nil, now.Mono
		}
	}
}

// wait blocks until something has happened: Run's context or the work has ended, a timer is due, the lock has answered, or nudge
// was called. It stores an answer in h.reply, and sets fired of a timer; the loop handles all else itself. When a watch answers,
// it ends the context of that watch.
func (h *host) wait() {
	var cancelled <-chan struct{}
	if !h.cancelTold {
		cancelled = h.ctx.Done()
	}
	select {
	case <-cancelled:
	case h.reply = <-h.replies:
	case h.reply = <-h.watched:
		h.endWatch()
	case <-h.work:
	case <-h.nudged:
	case <-h.timers[machine.Deadline].c():
		h.timers[machine.Deadline].fired = true
	case <-h.timers[machine.Tick].c():
		h.timers[machine.Tick].fired = true
	case <-h.timers[machine.Retry].c():
		h.timers[machine.Retry].fired = true
	}
}

// dueTimer returns the timer that is due, the earliest if there are several. found is false if none is due. It goes by the clock
// and not by the timers' channels alone: after a pause all of them are ready at once, and select would choose one at random.
func (h *host) dueTimer() (first machine.Timer, found bool) {
	now := h.le.mono(h.le.config.Clock.Now())
	for i := range h.timers {
		t := &h.timers[i]
		if !t.armed || !t.fired && t.due > now {
			continue
		}
		if !found || t.due < h.timers[first].due {
			first, found = machine.Timer(i), true
		}
	}
	return first, found
}

// fire disarms a timer and tells the machine that it is due. For the timer Deadline it first ends the bounded context, with
// DeadlineExceeded.
func (h *host) fire(t machine.Timer) {
	h.timers[t].stop()
	if t == machine.Deadline && h.bounded != nil {
		h.bounded.expire()
	}
	h.step(machine.Input{Kind: machine.Fired, Timer: t})
}

// hurried handles a request of guard to renew at once. If there is one and the leader waits for its next renewal, it fires the
// timer of that renewal and returns true. Otherwise it returns false; a request that came at another time is dropped.
func (h *host) hurried() bool {
	if !h.hurry.CompareAndSwap(true, false) || !h.timers[machine.Retry].armed || h.le.phase() != machine.Renewing {
		return false
	}
	h.fire(machine.Retry)
	return true
}

// phase returns the phase of the machine.
func (le *LeaderElector) phase() machine.Phase {
	le.mu.Lock()
	defer le.mu.Unlock()
	return le.machine.Phase()
}

// receive passes the lock's answer, h.reply, to the machine, and stores its fencing token in h.token. If the call's goroutine
// has panicked or exited, it makes Run's goroutine do the same. If a crash handler swallows the panic, the machine gets the
// outcome Panicked.
func (h *host) receive() {
	r := h.reply
	h.reply, h.token = nil, r.token
	h.le.tell(func() { h.logOutcome(r) })
	switch {
	case r.exited:
		runtime.Goexit()
	case r.panicked != nil:
		h.reraise(r)
		r.response = machine.Response{ID: r.request.ID, Outcome: machine.Panicked}
	}
	h.step(machine.Input{Kind: machine.Responded, Response: r.response})
}

// unwind makes the machine stop leading when a panic or runtime.Goexit passes through Run, so that no timer, context or callback
// is left behind. If Run is over it does nothing.
func (h *host) unwind() {
	if !h.over {
		h.unwinding = true
		h.step(machine.Input{Kind: machine.Unwinding})
	}
}
