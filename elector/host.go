package elector

import (
	"context"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"interregnum/elector/machine"
)

// host is one Run: it tells the machine what happens, one thing at a time, and does what the
// machine asks for. All of it is Run's goroutine's.
type host struct {
	le     *LeaderElector
	ctx    context.Context
	logger klog.Logger
	// lock describes the lock, in logs.
	lock string

	out    []machine.Output
	timers [machine.Timers]timer
	// deadline is when timer Deadline is due, on the injected clock; bounded the context that ends
	// then, made for the first request in it.
	deadline time.Time
	bounded  *bounded
	replies  chan *reply
	reply    *reply
	// watched is where the answer of the watch in flight comes; unwatch ends the watch. Both may be nil.
	watched chan *reply
	unwatch context.CancelFunc

	// token is the fencing token for the last write, 0 where there is none.
	token uint64

	cancelTold bool
	cancelWork context.CancelFunc
	// work is closed when OnStartedLeading has returned; nil where there is none, or the machine knows.
	work <-chan struct{}
	// over: the machine has asked for the end of Run. unwinding: it is to end by a panic or by
	// runtime.Goexit. stoppedTold: OnStoppedLeading was called.
	over, unwinding, stoppedTold bool

	// nudged has the loop look at its timers; hurry has it renew.
	nudged chan struct{}
	hurry  atomic.Bool
}

// timer is one of the machine's.
type timer struct {
	armed bool
	due   machine.Mono
	// clock is nil where it was due when it was set: not every clock fires such a timer at once.
	clock clock.Timer
	fired bool
}

func newHost(ctx context.Context, le *LeaderElector) *host {
	h := &host{
		le: le, ctx: ctx, logger: klog.FromContext(ctx), replies: make(chan *reply, 1), nudged: make(chan struct{}, 1),
	}
	if le.teller != nil {
		le.teller.report = func(dropped int) {
			h.logger.Info("Messages were dropped, since they could not be passed on", "dropped", dropped)
		}
	}
	return h
}

// setTimer arms a timer of the machine on the candidate's clock; one that is already due needs no timer of the clock.
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

// c returns the channel of the timer, nil where there is none to wait for.
func (t *timer) c() <-chan time.Time {
	if t.clock == nil {
		return nil
	}
	return t.clock.C()
}

// stop disarms the timer.
func (t *timer) stop() {
	if t.clock != nil {
		t.clock.Stop()
	}
	*t = timer{}
}

// endBounded ends the context that is bounded by the timer Deadline: as expired where the timer is due, as cancelled otherwise.
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
