package sim

import (
	"math"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/limiter"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// This file is what a client does with a call besides sending a request: see plan.Client.

// clientState is what a node keeps of its client.
type clientState struct {
	limiter limiter.Limiter
	connection
	// sent is what the request of the present call asks for, if it may be sent again.
	sent simlock.Op
}

// keptBack is what a node knows of a request that it has yet to send.
type keptBack struct {
	// held is the message that waits in the client before it is sent, plus 1; 0 for none. If resting is true, it waits because
	// its request is to be repeated, for a Retry-After or for plan.RepeatAfter; otherwise in the limiter.
	held    int32
	resting bool
	// connecting: it waits for the connection that it is to be sent on.
	connecting bool
	// repeats counts how often the request of the present call was sent again.
	repeats int8
}

// mayNotRepeat tells whether the request of the present call was sent again as often as it may be.
func (k *keptBack) mayNotRepeat() bool { return k.repeats >= plan.MaxRetries }

// openClient gives the node's process, which begins, a new client: a full bucket and a new connection.
func (w *world) openClient(n *node) {
	if n.client == nil {
		return
	}
	if n.Plan.Client.Limits() {
		n.client.limiter.Begin(n.Clock.Mono(w.Now))
	}
	w.hangUp(n)
}

// hold has the request numbered ref wait in the client's limiter for that long, on the node's clock.
func (w *world) hold(n *node, ref int32, wait time.Duration) {
	n.held = ref + 1
	w.armAfter(n, limiterTimer, wait)
}

// tokenWait takes a token for the request that the node is about to send, and returns how long the request waits for it, on the
// node's clock. If that is longer than the request's context lasts, tokenWait takes none and returns false: the request is
// never sent.
func (w *world) tokenWait(n *node) (wait time.Duration, ok bool) {
	if !n.Plan.Client.Limits() {
		return 0, true
	}
	now := n.Clock.Mono(w.Now)
	return n.client.limiter.Wait(now, n.lasts(now))
}

// lasts returns how long the context of the node's call lasts at most from now on. It ends with the deadline of a poll or of a
// release, and with the request timeout, which runs already if the request is sent again.
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
// Retry-After. It returns false if that answer ends the request.
func (w *world) repeat(n *node, ref int32) bool {
	m := w.messages.At(ref)
	if m.retryAfter == nil || !n.Plan.Client.WaitsOut(m.result.Status) || n.mayNotRepeat() {
		return false
	}
	w.messageEvent(trace.ResponseHandled, ref)
	n.repeats++
	n.requests++
	n.inFlight, m.id, m.queued, m.turnedAway = n.requests, n.requests, false, false
	m.keptBack, m.gone = 0, false
	n.resting = true
	w.hold(n, ref, *m.retryAfter)
	return true
}

// breakConnection ends the connection of the node's client. What was kept back on it never arrives. The request in flight loses
// its connection; a frozen process learns of that once it wakes. It returns false if the reset makes no difference: no request
// is in flight and the connection does not stall, so that a new one does what this one does.
func (w *world) breakConnection(n *node) bool {
	if n.dials() || n.connecting {
		return false
	}
	stalls := n.Alive() && n.client != nil && n.client.stalls(w.Now)
	if stalls {
		w.drop(n)
	}
	if n.Alive() && n.client != nil {
		w.hangUp(n)
	}
	if n.Life != seat.Running || n.coordinates || n.inFlight == 0 || n.held > 0 {
		return stalls
	}
	if !n.parks(&queue.Entry{At: w.Now, Seq: n.inFlight, Kind: resetDue, Ref: n.Index}) {
		w.connectionLost(n)
	}
	return true
}

// connectionLost ends the wait for the request in flight, since its connection has ended. The service still gets that request. The
// call has failed, unless it reads. Then, with HTTP/1.1 on a connection that has served before, net/http sends it again at once
// (shouldRetryRequest in net/http/transport.go); else, if the client repeats, the request is sent again after plan.RepeatAfter
// (isErrRetryableFunc in k8s.io/client-go rest/request.go).
func (w *world) connectionLost(n *node) {
	if n.verb == machine.Get && n.client != nil && n.Plan.Client.HTTP1 && n.client.hadServed {
		w.gaveUpEvent(n, n.elector, &n.wait, trace.ConnectionLost)
		ref, m := w.request(n, n.elector, &n.wait)
		m.op = n.client.sent
		w.transmit(n, ref)
		w.leave()
		return
	}
	if n.verb != machine.Get || !n.Plan.Client.Repeats() || n.mayNotRepeat() {
		n.disarm(requestTimer)
		w.gaveUp(n, n.elector, &n.wait, trace.ConnectionLost)
		w.step(n, &w.input)
		return
	}
	w.gaveUpEvent(n, n.elector, &n.wait, trace.ConnectionLost)
	n.repeats++
	ref, m := w.request(n, n.elector, &n.wait)
	m.op = n.client.sent
	n.resting = true
	w.hold(n, ref, plan.RepeatAfter)
}

// letGo sends the request that has waited, and starts its timeout. A request that is repeated waits for a token first.
func (w *world) letGo(n *node) {
	if n.connecting {
		w.connected(n)
		return
	}
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
