package elector

import (
	"context"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"interregnum/elector/machine"
)

// perform executes the machine's outputs in order: timers, calls of the lock, callbacks, events and metrics. It does not end the
// context of the work if Run's context has ended, which ends it too.
func (h *host) perform(outputs []machine.Output) {
	config := &h.le.config
	for i := range outputs {
		o := &outputs[i]
		switch o.Kind {
		case machine.SetTimer:
			h.setTimer(o)
		case machine.StopTimer:
			h.timers[o.Timer].stop()
			if o.Timer == machine.Deadline {
				h.endBounded()
			}
		case machine.Send:
			go h.le.call(h.contextOf(o.Request), *o.Request, h.repliesTo(o.Request))
		case machine.Unwatch:
			h.endWatch()
		case machine.Abandon:
			// The request's context has ended by itself: it is a child of Run's, and see fire and endBounded.
		case machine.StartWork:
			h.startWork()
		case machine.StopWork:
			// Where Run's context has ended the work's is about to, and keeps that one's error and cause.
			if h.ctx.Err() == nil {
				h.stopWork()
			}
		case machine.Stopped:
			h.stopped()
		case machine.NewLeader:
			leader := o.Text
			h.le.tell(func() { h.logger.V(2).Info("Leader changed", "lock", h.lock, "leader", leader) })
			if config.Callbacks.OnNewLeader != nil {
				go config.Callbacks.OnNewLeader(leader)
			}
		case machine.RecordEvent:
			h.recordEvent(o.Text)
		case machine.MetricOn:
			h.le.tell(func() { h.le.metrics.On(config.Name) })
		case machine.MetricOff:
			why := h.ctx.Err()
			if why == nil {
				why = context.DeadlineExceeded
			}
			h.le.tell(func() { h.logger.Info("Gave up renewing the lease", "lock", h.lock, "err", why) })
			h.le.tell(func() { h.le.metrics.Off(config.Name) })
		case machine.MetricSlowPath:
			h.le.tell(func() { h.le.metrics.SlowpathExercised(config.Name) })
		case machine.Return:
			h.le.tell(func() { h.logger.Info("Left the election", "lock", h.lock) })
		}
	}
}

// contextOf returns the context with which to make a request, by the request's scope. For ScopeRun it is Run's own; for a watch
// it is a new one, which h.unwatch ends; otherwise it is h.bounded, which contextOf makes if there is none. If the request says
// that its context has ended, contextOf first ends h.bounded.
func (h *host) contextOf(r *machine.Request) context.Context {
	parent := h.ctx
	switch r.Scope {
	case machine.ScopeRun:
		return h.ctx
	case machine.ScopeWatch:
		ctx, cancel := context.WithCancel(h.ctx)
		h.unwatch = cancel
		return ctx
	case machine.ScopeRelease:
		// Run's context may be over; giving the lease up still has its time.
		parent = klog.NewContext(context.Background(), h.logger)
	}
	if h.bounded == nil {
		h.bounded = newBounded(parent, h.deadline)
	}
	if r.Ended && h.bounded.Err() == nil {
		// The machine has seen that the deadline has passed before its timer was looked at, and has stopped it.
		h.bounded.expire()
	}
	return h.bounded
}

// repliesTo returns the channel for the reply to a request: h.replies, or for a watch a new channel that it stores in h.watched.
// So the reply to a watch that was given up goes to a channel that nobody reads.
func (h *host) repliesTo(r *machine.Request) chan<- *reply {
	if r.Verb != machine.Watch {
		return h.replies
	}
	h.watched = make(chan *reply, 1)
	return h.watched
}

// endWatch ends the context of the watch in flight, if there is one. A later answer of that watch is ignored.
func (h *host) endWatch() {
	if h.unwatch != nil {
		h.unwatch()
	}
	h.watched, h.unwatch = nil, nil
}

// startWork starts a goroutine that calls OnStartedLeading, and sets h.work and h.cancelWork. If the time for the work is over by
// the time that the goroutine runs, since Run's goroutine or the new one was held up, it does not call OnStartedLeading. If the time
// of the work is bounded, startWork also starts guard.
func (h *host) startWork() {
	le, token := h.le, h.token
	le.tell(func() { h.logger.Info("Leading", "lock", h.lock, "fencingToken", token) })
	parent := h.ctx
	if token != 0 {
		parent = context.WithValue(parent, tokenKey{}, token)
	}
	ctx, cancel := context.WithCancel(parent)
	over := make(chan struct{})
	h.cancelWork, h.work = cancel, over
	le.began(over)
	go func() {
		defer close(over)
		if left, bounded := le.remaining(); !bounded || left > 0 {
			le.config.Callbacks.OnStartedLeading(ctx)
		}
	}()
	if _, bounded := le.remaining(); bounded {
		go h.guard(ctx, cancel)
	}
}

// stopWork ends the context of the work, if work was started in this Run.
func (h *host) stopWork() {
	if h.cancelWork != nil {
		h.cancelWork()
	}
}

// stopped calls OnStoppedLeading, unless this Run has called it before. It first waits, for 100 ms at most, until queued
// messages are passed on.
func (h *host) stopped() {
	if h.stoppedTold {
		return
	}
	h.stoppedTold = true
	h.le.flush() // a program may exit in the callback
	h.le.config.Callbacks.OnStoppedLeading()
}

// recordEvent makes the lock record an event with that text. With Strict another goroutine does that. With ClientGo the first
// event of a term has a crash handler around it, as in client-go. A panic in that event means that there was no term: then no
// event for the end of the term is recorded while Run unwinds.
func (h *host) recordEvent(text string) {
	if h.le.teller != nil {
		h.le.tell(h.le.service.event(text))
		return
	}
	switch {
	case h.cancelWork != nil:
	case h.unwinding:
		return
	default:
		defer utilruntime.HandleCrashWithContext(h.ctx)
	}
	h.le.config.Lock.RecordEvent(text)
}
