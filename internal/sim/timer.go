package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
)

// arm sets a node's timer t to fire when the node's monotonic clock shows due, at once if it shows that already. It replaces what
// t was set to before.
func (w *world) arm(n *node, t machine.Timer, due machine.Mono) {
	s := &n.slots[t]
	s.armed, s.queued, s.due = true, false, due
	s.at, s.seq = max(n.Clock.When(due), w.Now), w.Number()
	if s.tracked && (s.trackedAt < s.at || s.trackedAt == s.at && s.trackedSeq < s.seq) {
		return
	}
	w.track(n, t)
}

// armAfter sets a node's timer t to fire after that wait, from now on the node's clock.
func (w *world) armAfter(n *node, t machine.Timer, wait time.Duration) {
	w.arm(n, t, n.Clock.Mono(w.Now).Add(wait))
}

// track puts an entry into the queue at the time for which the node's timer t is set.
func (w *world) track(n *node, t machine.Timer) {
	s := &n.slots[t]
	s.trackedAt, s.trackedSeq = s.at, s.seq
	s.tracked = w.ScheduleAs(s.seq, s.at, timerDue, timerRef(n.Index, t))
}

// rearm moves a node's armed timers to when they are due at the clock's new rate. It leaves out those that came due
// while the process was frozen. A timer keeps its sequence number, so that timers due at one instant still fire in the
// order in which they were set.
func (w *world) rearm(n *node) {
	for t := range n.slots {
		if s := &n.slots[t]; s.armed && !s.queued {
			s.at = max(n.Clock.When(s.due), w.Now)
			w.track(n, machine.Timer(t))
		}
	}
}

// scheduleStart schedules the node's next Run for the instant t, in place of one scheduled before.
func (w *world) scheduleStart(n *node, t clock.Instant) {
	n.startSeq = w.Schedule(t, startDue, n.Index)
}
