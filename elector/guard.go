package elector

import (
	"context"
	"time"

	"k8s.io/utils/clock"

	"interregnum/elector/boottime"
	"interregnum/elector/machine"
)

// sleepsSeen is how often a leader looks whether the host has slept; jumpSeen how far the wall clock must have run ahead of
// the others to be taken for a hint that it has.
const (
	sleepsSeen = 100 * time.Millisecond
	jumpSeen   = time.Second
)

// sleeper is what a Clock may have beside its methods: the time for which the clock's monotonic part stood still.
// *boottime.Clock is one.
type sleeper interface{ Lost() time.Duration }

// waller is what a Clock may have where what its wall clock shows is not the wall part of Now, as in a test.
type waller interface{ Wall() time.Time }

// wallOf returns the wall time at a reading of a clock: what the clock says it is, where it has a wall time of its own, or else the reading.
func wallOf(c clock.Clock, now time.Time) time.Time {
	if w, ok := c.(waller); ok {
		return w.Wall()
	}
	return now.Round(0)
}

// sleeperOf returns what tells for how long the system has been asleep: the clock itself where it can, or the system's boot clock where the real
// clock is used. It is nil for any other clock, and with ClientGo.
func sleeperOf(config *LeaderElectionConfig) sleeper {
	if config.Profile != Strict {
		return nil
	}
	switch c := config.Clock.(type) {
	case sleeper:
		return c
	case clock.RealClock:
		return boottime.New()
	}
	return nil
}

// remaining returns for how long the work of the present term may go on, and false where nothing bounds that.
func (le *LeaderElector) remaining() (time.Duration, bool) {
	le.mu.Lock()
	defer le.mu.Unlock()
	until, bounded := le.machine.WorkUntil()
	return time.Duration(until - le.now().Mono), bounded
}

// guard ends the work's context when its time is over, whatever holds up Run's goroutine: it asks nothing but the clock.
func (h *host) guard(work context.Context, cancel context.CancelFunc) {
	le := h.le
	before := le.config.Clock.Now()
	wallBefore := wallOf(le.config.Clock, before)
	for {
		left, bounded := le.remaining()
		if !bounded || work.Err() != nil {
			return
		}
		if left <= 0 {
			cancel()
			h.nudge(false)
			return
		}
		if le.slept != nil {
			left = min(left, sleepsSeen)
		}
		timer := le.config.Clock.NewTimer(left)
		select {
		case <-timer.C():
		case <-work.Done():
			timer.Stop()
			return
		}
		now := le.config.Clock.Now()
		wall := wallOf(le.config.Clock, now)
		if le.slept != nil && wall.Sub(wallBefore) > now.Sub(before)+jumpSeen {
			h.nudge(true)
		}
		before, wallBefore = now, wall
	}
}

// nudge wakes Run's goroutine so that it looks at its timers. With renew it also renews at once, since only the lock knows who leads now.
func (h *host) nudge(renew bool) {
	if renew {
		h.hurry.Store(true)
	}
	select {
	case h.nudged <- struct{}{}:
	default:
	}
}

// hurried renews at once if guard has asked for that and the leader waits for its next renewal, and tells whether it did.
func (h *host) hurried() bool {
	if !h.hurry.CompareAndSwap(true, false) || !h.timers[machine.Retry].armed || h.le.phase() != machine.Renewing {
		return false
	}
	h.fire(machine.Retry)
	return true
}

func (le *LeaderElector) phase() machine.Phase {
	le.mu.Lock()
	defer le.mu.Unlock()
	return le.machine.Phase()
}
