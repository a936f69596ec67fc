package sim

import (
	"math"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/limiter"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
	"interregnum/internal/trace"
	"interregnum/plan"
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

// reset makes s that of a client which has sent nothing, of the node with that index. It keeps only memory.
func (s *clientState) reset(c *plan.Client, seed uint64, node int32) {
	s.connection, s.sent = connection{dials: s.dials[:0]}, simlock.Op{}
	s.limiter.Reset(c, seed, node)
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

// repeatsUsedUp tells whether the request of the present call was sent again plan.MaxRetries times already, so that it is not
// sent once more.
func (k *keptBack) repeatsUsedUp() bool { return k.repeats >= plan.MaxRetries }

// openClient gives the node's process, which begins, a new client: a full bucket if the client has a limiter, and no open
// connection. It does nothing for a candidate without a client.
func (w *world) openClient(n *node) {
	if n.client == nil {
		return
	}
	if n.Plan.Client.Limits() {
		n.client.limiter.Begin(n.Clock.Mono(w.Now))
	}
	n.client.dials = n.client.dials[:0]
	w.hangUp(n)
}

// hold makes the request numbered ref wait in the client before it is sent, for that long on the node's clock: in the limiter,
// for its connection, or until it is repeated (see keptBack). At the end of the wait letGo is called.
func (w *world) hold(n *node, ref int32, wait time.Duration) {
	n.held = ref + 1
	w.armAfter(n, limiterTimer, wait)
}

// heldEvent emits that the node's client keeps back the request numbered ref for that long on the node's clock: in its limiter or,
// if status is not 0, since an answer of that HTTP status has asked for it.
func (w *world) heldEvent(n *node, ref int32, wait time.Duration, status int) {
	m := w.messages.At(ref)
	e := w.Event(trace.RequestHeld, &n.Seat)
	e.Request, e.Verb, e.Object = m.id, trace.Verb(m.op.Verb), trace.Object(m.op.Object)
	e.Amount, e.Status = int64(wait), int16(status)
	w.Emit(e)
}

// tokenWait takes a token for the request that the node is about to send, and returns how long the request waits for it, on
// the node's clock; 0 without a limiter. If the wait is longer than the request's context lasts, tokenWait takes no token and
// returns false: the request is never sent.
func (w *world) tokenWait(n *node) (wait time.Duration, ok bool) {
	if !n.Plan.Client.Limits() {
		return 0, true
	}
	now := n.Clock.Mono(w.Now)
	return n.client.limiter.Wait(now, n.lasts(now))
}

// lasts returns how long the context of the node's call lasts at most. now is what the node's monotonic clock shows. The context
// ends at the deadline of a poll or of a release, or at the request timeout, whichever comes first. That timeout runs already if
// the request is sent again. If neither is set, lasts returns the longest Duration.
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

// repeat makes the node's client wait and then send its request again, with a new number, if the answer in the message numbered
// ref has a Retry-After. It emits ResponseHandled, counts in n.repeats, and returns true. It returns false, and has done nothing,
// if there is no Retry-After, if the client does not wait it out for this status, or if the request was sent again
// plan.MaxRetries times already.
func (w *world) repeat(n *node, ref int32) bool {
	m := w.messages.At(ref)
	if m.retryAfter == nil || !n.Plan.Client.WaitsOut(m.result.Status) || n.repeatsUsedUp() {
		return false
	}
	w.messageEvent(trace.ResponseHandled, ref)
	n.repeats++
	n.requests++
	n.inFlight, m.id, m.queued, m.turnedAway = n.requests, n.requests, false, false
	m.keptBack, m.gone = 0, false
	n.resting = true
	w.heldEvent(n, ref, *m.retryAfter, m.result.Status)
	w.hold(n, ref, *m.retryAfter)
	return true
}

// breakConnection ends the connection of the node's client, and tells whether that makes a difference. It does if there is a
// connection: the next request has to make another, and what a stall has kept back on it never arrives. It also does if a request is
// in flight, which then loses its connection; a frozen process learns of that once it wakes. While the client makes a connection,
// breakConnection returns false and does nothing.
func (w *world) breakConnection(n *node) bool {
	w.closeIdle(n)
	if n.dials() || n.connecting {
		return false
	}
	open := n.Alive() && n.client != nil && n.client.open
	if open {
		if n.client.stalls(w.Now) {
			w.drop(n)
		}
		w.hangUp(n)
	}
	if !n.underWay() {
		return open
	}
	if !n.parks(&queue.Entry{At: w.Now, Seq: n.inFlight, Kind: resetDue, Ref: n.Index}) {
		w.connectionLost(n)
	}
	return true
}

// connectionLost ends the wait for the request in flight, since its connection has ended. The service can still get that request.
// A read is sent again at once with HTTP/1.1, if an answer was read from the lost connection before (shouldRetryRequest in
// net/http/transport.go). Otherwise a read is sent again after plan.RepeatAfter, if the client repeats and has not done so
// plan.MaxRetries times (isErrRetryableFunc in k8s.io/client-go rest/request.go). In all other cases the call fails, and the
// machine goes on.
func (w *world) connectionLost(n *node) {
	if n.verb == machine.Get && n.client != nil && n.Plan.Client.HTTP1 && n.client.hadServed {
		w.sendAgain(n)
		return
	}
	if n.verb != machine.Get || !n.Plan.Client.Repeats() || n.repeatsUsedUp() {
		w.unconnected(n)
		return
	}
	w.gaveUpEvent(n, &n.wait, trace.ConnectionLost)
	n.repeats++
	ref, m := w.request(n, &n.wait)
	m.op = n.client.sent
	n.resting = true
	w.hold(n, ref, plan.RepeatAfter)
}

// unconnected ends the call whose request is in flight, since that has no connection, and the machine goes on.
func (w *world) unconnected(n *node) {
	n.disarm(requestTimer)
	w.gaveUp(n, &n.wait, trace.ConnectionLost)
	w.step(n, &w.Input)
}

// underWay tells whether the process runs, and a request of it is in flight that does not wait in the client.
func (n *node) underWay() bool { return n.Life == seat.Running && n.inFlight != 0 && n.held == 0 }

// letGo sends the request that has waited in the client, and starts its timeout. For one that waited for its connection see
// connected. One that is repeated takes a token first: it can have to wait again, and its call fails if the limiter refuses
// it.
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
			w.step(n, &w.Input)
			return
		case wait > 0:
			w.heldEvent(n, ref, wait, 0)
			w.hold(n, ref, wait)
			return
		}
	}
	n.held = 0
	w.transmit(n, ref)
	w.armRequest(n)
	w.leave()
}
