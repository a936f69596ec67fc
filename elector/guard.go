package elector

import (
	"context"
	"time"
)

// sleepsSeen is how often a leader looks whether the host has slept. jumpSeen is how far the wall clock must have run
// ahead of the other clocks to count as a hint that it has.
const (
	sleepsSeen = 100 * time.Millisecond
	jumpSeen   = time.Second
)

// remaining returns for how long the work of the present term may go on, 0 or less once its time is over. The bool is false if
// nothing bounds the work; the duration means nothing then.
func (le *LeaderElector) remaining() (time.Duration, bool) {
	le.mu.Lock()
	defer le.mu.Unlock()
	until, bounded := le.machine.WorkUntil()
	return time.Duration(until - le.now().Mono), bounded
}

// guard calls cancel, which ends the context work, when the time of the term's work is over. It depends on nothing but the
// clock: Run's goroutine can be held up. If the clocks suggest that the host has slept, it makes the leader renew at once. It
// returns once the context has ended, or at once if nothing bounds the work.
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

// nudge wakes up Run's goroutine, so that it looks at its timers. If renew is true, a leader that waits for its next renewal
// also renews at once, since only the lock knows who leads now. It never blocks.
func (h *host) nudge(renew bool) {
	if renew {
		h.hurry.Store(true)
	}
	select {
	case h.nudged <- struct{}{}:
	default:
	}
}
