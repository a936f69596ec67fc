package sim

import (
	"slices"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
	"interregnum/internal/stepping"
	"interregnum/internal/trace"
)

// stray is an attempt that a poll has left running: see machine.Detach. It goes on with the Run's machine, and outlives the Run, but
// not the process.
type stray struct {
	stepping.Machine
	wait
	// seq is the number of the entry at which the attempt gives up waiting for an answer or, if it waits for none, makes its next
	// request; 0 for none. due and at are the time of that entry.
	due machine.Mono
	at  clock.Instant
	seq uint64
}

// detach leaves the attempt under way running by itself, as a stray of the node. The stray takes over the timeout of its
// request or, if no request is in flight, waits for its next one until the time that o gives. The machine goes on without
// waiting for it.
func (w *world) detach(n *node, o *machine.Output) {
	s := stray{Machine: n.Machine, wait: n.wait}
	s.lock = apart(n.lock)
	n.inFlight = 0
	if t := &n.slots[requestTimer]; s.inFlight == 0 {
		w.setStray(n, &s, o)
	} else if t.armed {
		t.armed = false
		s.due, s.seq = t.due, t.seq
		w.trackStray(n, &s)
	}
	n.strays = append(n.strays, s)
}

// strayTakes gives the answer in the message of entry e to the attempt that was left running and waits for it, in a frozen process
// once the process wakes. It returns false if there is none.
func (w *world) strayTakes(n *node, e *queue.Entry) bool {
	id := w.messages.At(e.Ref).id
	i := slices.IndexFunc(n.strays, func(s stray) bool { return s.inFlight == id })
	if i < 0 || n.parks(e) {
		return i >= 0
	}
	s := &n.strays[i]
	s.seq = 0
	if w.answer(&s.wait, e.Ref) {
		w.stepStray(n, i)
		return true
	}
	w.sendNext(n, &s.wait)
	w.timeStray(n, s)
	w.leave()
	return true
}

// strayUp handles entry e, at which a request of an attempt that was left running times out, or at which its next request is
// due. It does nothing if no attempt has that entry any more.
func (w *world) strayUp(e *queue.Entry) {
	n := &w.nodes[e.Ref]
	i := slices.IndexFunc(n.strays, func(s stray) bool { return s.seq == e.Seq && s.at <= e.At })
	switch {
	case i < 0:
	case n.parks(e):
	default:
		s := &n.strays[i]
		s.seq = 0
		if s.inFlight == 0 {
			w.Input = machine.Input{Kind: machine.Fired, Timer: machine.Retry, Response: machine.Response{ID: s.asked}}
		} else {
			w.gaveUp(n, &s.wait, trace.TimedOut)
		}
		w.stepStray(n, i)
	}
}

// stepStray hands w.Input, an answer or the end of a wait, to the machine of the i-th attempt that was left running. The
// machine can report something, and ask for the attempt's next request, or for a wait before it. That request can fail without
// being sent: while this attempt read the second of two objects, another attempt can have lost the first. If the attempt then
// waits for nothing, it is over and leaves n.strays.
func (w *world) stepStray(n *node, i int) {
	s := &n.strays[i]
	for in := &w.Input; in != nil; in = w.Follows() {
		out := w.Take(s.Machine, n.Clock.Now(w.Now), in)
		for i := range out {
			switch o := &out[i]; {
			case o.Kind == machine.SetTimer:
				w.setStray(n, s, o)
			case o.Kind != machine.Send:
				w.tell(n, o)
			case w.call(n, &s.wait, o.Request):
				w.timeStray(n, s)
			}
		}
	}
	w.leave()
	if s.Machine == n.Machine && n.Life == seat.Running {
		w.believe(n, n.IsLeader())
	}
	if s.inFlight == 0 && s.seq == 0 {
		n.strays = slices.Delete(n.strays, i, i+1)
	}
}

// timeStray starts the timeout of the request that the attempt has just sent, if the plan gives the candidate one.
func (w *world) timeStray(n *node, s *stray) {
	if n.Plan.RequestTimeout > 0 {
		s.due, s.seq = n.Clock.Mono(w.Now).Add(n.Plan.RequestTimeout), w.Number()
		w.trackStray(n, s)
	}
}

// setStray starts the wait for the attempt's next request, until the time that o gives.
func (w *world) setStray(n *node, s *stray, o *machine.Output) {
	s.due, s.seq = o.Due(0), w.Number()
	w.trackStray(n, s)
}

// trackStray schedules the entry at which the attempt's request times out or its next request is due, by the present rate of
// the node's clock.
func (w *world) trackStray(n *node, s *stray) {
	s.at = max(n.Clock.When(s.due), w.Now)
	w.ScheduleAs(s.seq, s.at, strayDue, n.Index)
}

// rearmStrays reschedules the timeouts and waits of the attempts that were left running, after the clock's rate has changed.
// Entries that are in the queue from before do nothing.
func (w *world) rearmStrays(n *node) {
	for i := range n.strays {
		if s := &n.strays[i]; s.seq != 0 {
			w.trackStray(n, s)
		}
	}
}
