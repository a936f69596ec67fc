package elector

import (
	"context"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"interregnum/elector/machine"
)

// host carries out one Run: it tells the machine what happens, one thing at a time, and does what the machine asks for. Only
// Run's goroutine uses it, except the methods nudge and guard.
type host struct {
	le     *LeaderElector
	ctx    context.Context
	logger klog.Logger
	// lock is the lock's description for logs.
	lock string

	out    []machine.Output
	timers [machine.Timers]timer
	// deadline is when the timer Deadline is due, on the injected clock. bounded is the context that ends then; it is made
	// for the first request that needs it.
	deadline time.Time
	bounded  *bounded
	replies  chan *reply
	reply    *reply
	// watched gets the answer of the watch in flight, and unwatch ends that watch. Both may be nil.
	watched chan *reply
	unwatch context.CancelFunc

	// token is the fencing token for the last write, 0 where there is none.
	token uint64

	cancelTold bool
	cancelWork context.CancelFunc
	// work is closed when OnStartedLeading has returned; nil where there is none, and once the machine knows.
	work <-chan struct{}
	// over: the machine has asked for the end of Run. unwinding: Run ends by a panic or by runtime.Goexit. stoppedTold:
	// OnStoppedLeading was called.
	over, unwinding, stoppedTold bool

	// nudged wakes the loop up, so that it looks at its timers; hurry lets it renew at once.
	nudged chan struct{}
	hurry  atomic.Bool
}

// timer is one of the machine's timers.
type timer struct {
	armed bool
	due   machine.Mono
	// clock is nil where the timer was due when it was set, since not every clock fires such a timer at once.
	clock clock.Timer
	fired bool
}

// newHost returns a host for a Run of le that has not begun. It also makes le's teller report dropped messages to the log of
// ctx.
func newHost(ctx context.Context, le *LeaderElector) *host {
	h := &host{
		le: le, ctx: ctx, logger: klog.FromContext(ctx), replies: make(chan *reply, 1), nudged: make(chan struct{}, 1),
	}
	if le.teller != nil {
		le.teller.reportTo(func(dropped int) {
			h.logger.Info("Messages were dropped, since they could not be passed on", "dropped", dropped)
		})
	}
	return h
}

// setTimer arms the timer of the machine that o names, and draws a jitter for it if o asks for one. For Deadline it first ends
// the context that this timer has bounded so far, and sets h.deadline. A timer that is due already gets no timer of the clock.
func (h *host) setTimer(o *machine.Output) {
	var draw float64
	if o.Jitter {
		draw = h.le.config.Jitter()
	}
	now := h.le.config.Clock.Now()
	due := o.Due(draw)
	wait := time.Duration(due - h.le.mono(now))
	if o.Timer == machine.Deadline {
		h.endBounded()
		h.deadline = now.Add(wait)
	}
	t := &h.timers[o.Timer]
	t.stop()
	*t = timer{armed: true, due: due}
	if wait > 0 {
		t.clock = h.le.config.Clock.NewTimer(wait)
	}
}

// c returns the channel on which the timer's clock fires, nil if it has no clock.
func (t *timer) c() <-chan time.Time {
	if t.clock == nil {
		return nil
	}
	return t.clock.C()
}

// stop disarms the timer. It does nothing to a timer that is not armed.
func (t *timer) stop() {
	if t.clock != nil {
		t.clock.Stop()
	}
	*t = timer{}
}

// endBounded ends the context that the timer Deadline bounds, if there is one. The context's error is DeadlineExceeded if the
// deadline has passed, otherwise Canceled.
func (h *host) endBounded() {
	switch {
	case h.bounded == nil:
		return
	case h.le.config.Clock.Now().Before(h.deadline):
		h.bounded.cancel()
	default:
		h.bounded.expire()
	}
	h.bounded = nil
}
