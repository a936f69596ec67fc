package elector

import (
	"context"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"interregnum/elector/machine"
)

// perform does what the machine asks for, in its order.
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
			go config.call(h.contextOf(o.Request), *o.Request, h.replies)
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
			h.logger.V(2).Info("Leader changed", "lock", h.lock, "leader", o.Text)
			if config.Callbacks.OnNewLeader != nil {
				go config.Callbacks.OnNewLeader(o.Text)
			}
		case machine.RecordEvent:
			h.recordEvent(o.Text)
		case machine.MetricOn:
			h.le.metrics.On(config.Name)
		case machine.MetricOff:
			h.logger.Info("Gave up renewing the lease", "lock", h.lock)
			h.le.metrics.Off(config.Name)
		case machine.MetricSlowPath:
			h.le.metrics.SlowpathExercised(config.Name)
		case machine.Return:
		}
	}
}

// contextOf is the context of a request.
func (h *host) contextOf(r *machine.Request) context.Context {
	parent := h.ctx
	switch r.Scope {
	case machine.ScopeRun:
		return h.ctx
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

func (h *host) startWork() {
	h.logger.Info("Leading", "lock", h.lock, "fencingToken", h.token)
	parent := h.ctx
	if h.token != 0 {
		parent = context.WithValue(parent, tokenKey{}, h.token)
	}
	ctx, cancel := context.WithCancel(parent)
	over := make(chan struct{})
	h.cancelWork, h.work = cancel, over
	h.le.began(over)
	go func() {
		defer close(over)
		h.le.config.Callbacks.OnStartedLeading(ctx)
	}()
}

func (h *host) stopWork() {
	if h.cancelWork != nil {
		h.cancelWork()
	}
}

// recordEvent passes an event to the lock. The first of a term has a crash handler around it, as in
// the library; when it has panicked there was no term, and no end of one.
func (h *host) recordEvent(text string) {
	switch {
	case h.cancelWork != nil:
	case h.unwinding:
		return
	default:
		defer utilruntime.HandleCrashWithContext(h.ctx)
	}
	h.le.config.Lock.RecordEvent(text)
}

// stopped calls OnStoppedLeading, once.
func (h *host) stopped() {
	if h.stoppedTold {
		return
	}
	h.stoppedTold = true
	h.logger.Info("Left the election", "lock", h.lock)
	h.le.config.Callbacks.OnStoppedLeading()
}
