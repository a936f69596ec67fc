package world

import (
	"context"
	"fmt"

	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
)

// spawn begins the candidate's process of that number, unless it or a later one has begun already.
func (n *node) spawn(incarnation int32) {
	w := n.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if n.process != nil && n.process.incarnation >= incarnation {
		return
	}
	p := &process{node: n, incarnation: incarnation, identity: n.identity, dead: make(chan struct{}),
		ctx: context.Background(), cancel: func() {}}
	for _, s := range n.seats {
		s.part = &Part{process: p, seat: s}
		p.parts = append(p.parts, s.part)
	}
	n.process = p
	go p.live()
}

// crash ends the current process as a crash does, and marks the candidate as disturbed. It returns false if there is no process,
// or if it has ended, or its function has for good and left no work behind.
func (n *node) crash() bool {
	n.world.mu.Lock()
	defer n.world.mu.Unlock()
	n.disturbed = true
	return n.process != nil && n.process.die(trace.NoCause)
}

// restart crashes the current process, if there is one, and begins the next, under a new identity if plan.NewIdentity
// asks for that.
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

// shutDown cancels the context of the candidate's function, and adds that to the trace. It returns false if the function
// is not running.
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
	n.process.cancel()
	return true
}

// standstill is how many requests at one instant are taken for no progress: the code tries again and again without a
// pause, and on virtual time for ever.
const standstill = 10_000

// spins counts a request, and returns true if the candidate has sent so many at this instant, see standstill, that it makes no
// progress. Then the process ends, and the run fails, unless the horizon has passed: all requests are refused at once then. The
// caller holds w.mu.
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
