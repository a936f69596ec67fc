package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
)

// A node has the machine's timers, one for the request in flight, one for the work's next write, and one for a request that
// waits in the client's limiter.
const (
	requestTimer = machine.Timer(machine.Timers) + iota
	writeTimer
	limiterTimer
	slots = machine.Timers + 3
)

// slot is one timer of one node. A timer set anew does not touch the entry that is in the queue for it where
// that entry comes first: when it comes up, it is put back for the timer's real time. Timers that are set
// often and rarely fire, like deadlines, thus cost the queue next to nothing.
type slot struct {
	armed bool
	// queued: it came due while the process was paused.
	queued bool
	due    machine.Mono
	at     clock.Instant
	seq    uint64
	// tracked tells whether the entry (trackedAt, trackedSeq) is in the queue for this timer.
	tracked    bool
	trackedAt  clock.Instant
	trackedSeq uint64
}

// arm sets a node's timer for a reading of its monotonic clock.
func (w *world) arm(n *node, t machine.Timer, due machine.Mono) {
	s := &n.slots[t]
	s.armed, s.queued, s.due = true, false, due
	s.at, s.seq = max(n.clock.When(due), w.Now), w.Number()
	if s.tracked && (s.trackedAt < s.at || s.trackedAt == s.at && s.trackedSeq < s.seq) {
		return
	}
	w.track(n, t)
}

// armAfter sets a node's timer to come up after that long on the node's clock.
func (w *world) armAfter(n *node, t machine.Timer, wait time.Duration) {
	w.arm(n, t, n.clock.Mono(w.Now).Add(wait))
}

// track puts an entry for the timer's time into the queue.
func (w *world) track(n *node, t machine.Timer) {
	s := &n.slots[t]
	s.trackedAt, s.trackedSeq = s.at, s.seq
	s.tracked = w.ScheduleAs(s.seq, s.at, timerDue, n.index*slots+int32(t))
}

// timerUp handles the entry of a timer that came up in the queue.
func (w *world) timerUp(e *queue.Entry) {
	n, t := &w.nodes[e.Ref/slots], machine.Timer(e.Ref%slots)
	s := &n.slots[t]
	if !s.tracked || s.trackedAt != e.At || s.trackedSeq != e.Seq {
		return
	}
	s.tracked = false
	switch {
	case !s.armed || s.queued:
	case s.seq != e.Seq:
		w.track(n, t)
	case n.parks(e):
		s.queued = true
	default:
		w.fire(n, t)
	}
}

// fire handles a timer that is due: one of the host's own, or one of the machine's.
func (w *world) fire(n *node, t machine.Timer) {
	n.slots[t].armed = false
	switch t {
	case requestTimer:
		w.giveUp(n, timedOut)
		return
	case writeTimer:
		w.writeResource(n)
		return
	case limiterTimer:
		w.letGo(n)
		return
	}
	w.hand(n, machine.Input{Kind: machine.Fired, Timer: t})
}

// rearm moves every armed timer of a node to where its clock's new rate puts it. It keeps its number: it was
// scheduled when it was set.
func (w *world) rearm(n *node) {
	for t := range n.slots {
		if s := &n.slots[t]; s.armed && !s.queued {
			s.at = max(n.clock.When(s.due), w.Now)
			w.track(n, machine.Timer(t))
		}
	}
	w.rearmStrays(n)
	w.rearmBallot(n)
}

func (n *node) disarm(t machine.Timer) { n.slots[t].armed = false }
