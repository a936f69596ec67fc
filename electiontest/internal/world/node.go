package world

import (
	"fmt"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// spawn begins the candidate's process of that number, unless it or a later one has begun already.
func (n *node) spawn(incarnation int32) {
	w := n.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if n.process != nil && n.process.incarnation >= incarnation {
		return
	}
	p := &process{node: n, incarnation: incarnation, identity: n.identity, dead: make(chan struct{})}
	for _, s := range n.seats {
		s.part = &Part{process: p, seat: s}
		p.parts = append(p.parts, s.part)
	}
	p.renewContext()
	n.process = p
	go p.live()
}

// crash ends the current process as a crash does, and marks the candidate as disturbed. It returns false if there was nothing to
// end: no process has begun, or it has ended, or its function has returned for good and left no work behind.
func (n *node) crash() bool {
	n.world.mu.Lock()
	defer n.world.mu.Unlock()
	n.disturbed = true
	return n.process != nil && n.process.die(trace.NoCause)
}

// restart crashes the current process, if there is one, and begins the next. If identity is plan.NewIdentity, the candidate gets
// a new identity from then on.
func (n *node) restart(identity plan.Identity) {
	n.crash()
	n.world.mu.Lock()
	incarnation := int32(1)
	if n.process != nil {
		incarnation = n.process.incarnation + 1
	}
	if identity == plan.NewIdentity {
		n.identity = fmt.Sprintf("%s-%d", n.plan.ID, incarnation)
	}
	n.world.mu.Unlock()
	n.spawn(incarnation)
}

// shutDown cancels the context of the candidate's function, adds that to the trace, and marks the candidate as disturbed. If the
// function is not running it does nothing and returns false.
func (n *node) shutDown() bool {
	w := n.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if !n.runs() {
		return false
	}
	n.disturbed = true
	for _, part := range n.process.parts {
		if part.runs {
			part.note(trace.Event{Kind: trace.CancelAsked})
		}
	}
	n.process.end()
	return true
}

// standstill is the number of requests at one instant that are taken for no progress: the code tries again and again without a
// pause, and on virtual time would do so for ever.
const standstill = 10_000

// spins counts a request. It returns true if the candidate has sent standstill requests at this instant, and so makes no
// progress. Then it also ends the process and fails the run. After the horizon it does not fail the run, since all requests are
// refused at once then. The caller holds w.mu.
func (n *node) spins() bool {
	w := n.world
	if now := w.now(); now != n.burstAt {
		n.burst, n.burstAt = 0, now
	}
	if n.burst++; n.burst < standstill {
		return false
	}
	if !w.isOver() {
		w.fail("candidate %s has sent %d requests at %v, without any time passing: want a pause before it tries again",
			n.plan.ID, standstill, n.burstAt)
	}
	n.spun = true
	n.process.die(trace.NoCause)
	return true
}
