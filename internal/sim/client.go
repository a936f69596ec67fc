package sim

import (
	"math"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/limiter"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
)

// This file is what a client does with a call besides sending a request: plan.Client.

// clientState is what a node keeps of its client.
type clientState struct {
	limiter limiter.Limiter
	// held is the message that waits in the client's limiter or for a Retry-After, plus 1; 0 for none. resting: it waits for
	// a Retry-After.
	held    int32
	resting bool
	// repeats counts how often the request of the present call was sent again.
	repeats int
}

// openClient gives the node's process, which begins, a client of its own.
func (w *world) openClient(n *node) {
	if n.Plan.Client.Limits() {
		n.limiter.Begin(n.Clock.Mono(w.Now))
	}
}

// hold has the request numbered ref wait in the client's limiter for that long, on the node's clock.
func (w *world) hold(n *node, ref int32, wait time.Duration) {
	n.held = ref + 1
	w.armAfter(n, limiterTimer, wait)
}

// tokenWait returns how long the request that the node is about to send waits for a token, on the node's clock. It returns
// false if that is longer than the request's context lasts. The request is then never sent.
func (w *world) tokenWait(n *node) (wait time.Duration, ok bool) {
	if !n.Plan.Client.Limits() {
		return 0, true
	}
	now := n.Clock.Mono(w.Now)
	return n.limiter.Wait(now, n.lasts(now))
}

// lasts returns how long the context of the node's call lasts at most from now on, as its deadlines say: that of a poll or a
// release, and the request timeout of a request that is sent again.
func (n *node) lasts(now machine.Mono) time.Duration {
	left := time.Duration(math.MaxInt64)
	deadline := &n.slots[machine.Deadline]
	if deadline.armed && (n.wait.scope == machine.ScopePoll || n.wait.scope == machine.ScopeRelease) {
		left = time.Duration(deadline.due - now)
	}
	if timeout := &n.slots[requestTimer]; timeout.armed {
		left = min(left, time.Duration(timeout.due-now))
	}
	return left
}

// repeat has the node's client send its request again, if the answer in the message numbered ref asks for that with a
// Retry-After. It returns false if the answer is the one to the call.
func (w *world) repeat(n *node, ref int32) bool {
	m := w.messages.At(ref)
	if m.retryAfter == nil || !n.Plan.Client.Repeats() || n.repeats == plan.MaxRetries {
		return false
	}
	w.messageEvent(trace.ResponseHandled, ref)
	n.repeats++
	n.requests++
	n.inFlight, m.id = n.requests, n.requests
	n.resting = true
	w.hold(n, ref, *m.retryAfter)
	return true
}

// letGo sends the request that has waited, and starts its timeout. One that has waited for a Retry-After waits for a token
// first.
func (w *world) letGo(n *node) {
	ref := n.held - 1
	if n.resting {
		n.resting = false
		wait, ok := w.limited(n, ref)
		switch {
		case !ok:
			n.held = 0
			n.disarm(requestTimer)
			w.failLocally(n, &n.wait, ref, trace.Throttled)
			w.step(n, &w.input)
			return
		case wait > 0:
			w.hold(n, ref, wait)
			return
		}
	}
	n.held = 0
	w.transmit(n, ref)
	w.armRequest(n)
	w.leave()
}
