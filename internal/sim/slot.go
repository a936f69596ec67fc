package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
)

// A node has the machine's timers, one for the request in flight, one for the work's next write, one for a request that
// waits in the client's limiter, one for a return of OnStartedLeading while its work goes on, and one for the end of a stalled
// connection.
const (
	requestTimer = machine.Timer(machine.Timers) + iota
	writeTimer
	limiterTimer
	returnTimer
	stallTimer
	slots = machine.Timers + 5
)

// slotBits is how many bits of a timer's entry in the queue say which of the node's timers it is.
const slotBits = 3

var _ [1<<slotBits - slots]struct{} // there are enough of them

// timerRef returns the Ref of the queue entry of a node's timer t, which holds both numbers. node is the node's index.
func timerRef(node int32, t machine.Timer) int32 { return node<<slotBits | int32(t) }

// timerOf returns the node's index and the timer that timerRef put into ref.
func timerOf(ref int32) (node int32, t machine.Timer) {
	return ref >> slotBits, machine.Timer(ref & (1<<slotBits - 1))
}

// slot is one timer of one node. Setting a timer anew leaves its old entry in the queue if that entry comes first. When
// the old entry comes up, it is put back for the timer's real time. So timers that are set often and rarely fire, like
// deadlines, cost the queue next to nothing.
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

// set tells whether the timer is set for a time that has not come yet.
func (s *slot) set() bool { return s.armed && !s.queued }
