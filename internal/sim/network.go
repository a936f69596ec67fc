package sim

import (
	"slices"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/simlock"
)

// lockKey names the one lock object of a run.
const lockKey = "lock"

// message is a request on its way, then its answer on its way back.
type message struct {
	// incarnation is which of the node's processes sent it, id its number among all that the node sent.
	node, incarnation int32
	id                uint64

	op     simlock.Op
	result simlock.Result
}

func (w *world) newMessage() int32 {
	if last := len(w.free) - 1; last >= 0 {
		ref := w.free[last]
		w.free = w.free[:last]
		return ref
	}
	w.messages = append(w.messages, message{})
	return int32(len(w.messages) - 1)
}

// send makes the machine's request.
func (w *world) send(n *node, r *machine.Request) {
	if w.transmit(n, &n.elector, &n.wait, r) && n.plan.RequestTimeout > 0 {
		w.arm(n, requestTimer, n.clock.mono(w.now).Add(n.plan.RequestTimeout))
	}
}

// transmit tells whether a request was sent. Where it was not, an answer to the machine is left in w.input. What
// leaves is due at the service only once w.leave is called, so that timers set in the same step go first.
func (w *world) transmit(n *node, by *elector, c *wait, r *machine.Request) bool {
	n.requests++
	c.inFlight, c.asked, c.verb = n.requests, r.ID, r.Verb
	ref := w.newMessage()
	m := &w.messages[ref]
	m.node, m.incarnation, m.id = n.index, by.process, c.inFlight
	switch {
	case !by.lock.Prepare(r.Verb, &r.Record, &m.op):
		w.failLocally(n, by, c, ref, trace.NoObject)
		return false
	case r.Ended:
		w.failLocally(n, by, c, ref, trace.ContextEnded)
		return false
	}
	e := w.event(trace.RequestSent, n)
	e.Incarnation, e.Request, e.Verb, e.Holder = m.incarnation, m.id, trace.Verb(r.Verb), r.Record.Holder
	if r.Verb == machine.Get {
		e.Holder = ""
	}
	if w.loses(n, RequestLeg) {
		w.emit(e)
		w.messageEvent(trace.RequestLost, ref)
		w.free = append(w.free, ref)
		return true
	}
	d := w.delay(n, RequestLeg)
	e.Amount = int64(d)
	w.emit(e)
	w.leaving, w.leavingAt = ref, w.now+d
	return true
}

// leave puts what send has sent on its way.
func (w *world) leave() {
	if w.leaving >= 0 {
		w.schedule(w.leavingAt, requestDue, w.leaving)
		w.leaving = -1
	}
}

func (w *world) failLocally(n *node, by *elector, c *wait, ref int32, why trace.Cause) {
	w.free = append(w.free, ref)
	e := w.event(trace.LocalError, n)
	e.Verb, e.Cause = trace.Verb(c.verb), why
	w.emit(e)
	w.failed(by, c)
}

// arrive is a request's arrival at the service, which acts at once.
func (w *world) arrive(ref int32) {
	m := &w.messages[ref]
	n := &w.nodes[m.node]
	if status, applied := w.refuses(n, m.op.Verb); status != 0 {
		if applied {
			w.apply(m, ref)
		}
		m.result = simlock.Result{Status: status}
		w.messageEvent(trace.RequestRefused, ref)
	} else {
		w.apply(m, ref)
	}
	if w.loses(n, ResponseLeg) {
		w.messageEvent(trace.ResponseLost, ref)
		w.free = append(w.free, ref)
		return
	}
	w.schedule(w.now+w.delay(n, ResponseLeg), responseDue, ref)
}

func (w *world) apply(m *message, ref int32) {
	w.store.ApplyTo(&m.op, &m.result)
	w.stats.StoreOps++
	k := trace.RequestApplied
	if m.result.Changed {
		k = trace.Written
	}
	w.messageEvent(k, ref)
}

// receive is an answer's arrival at the candidate.
func (w *world) receive(e *entry) {
	m := &w.messages[e.ref]
	n := &w.nodes[m.node]
	switch {
	case m.id != n.inFlight:
		w.receiveAside(n, e)
	case n.paused > 0:
		n.pending = append(n.pending, *e)
	default:
		w.handle(n, e.ref)
	}
}

func (w *world) handle(n *node, ref int32) {
	n.disarm(requestTimer)
	w.answer(&n.elector, &n.wait, ref)
	w.step(n, &w.input)
}

// answer ends a wait with an answer, which it leaves in w.input.
func (w *world) answer(r *elector, c *wait, ref int32) {
	m := &w.messages[ref]
	w.messageEvent(trace.ResponseHandled, ref)
	c.inFlight = 0
	w.input = machine.Input{Kind: machine.Responded}
	w.input.Response.ID = c.asked
	w.input.Response.Outcome = r.lock.Answered(m.op.Verb, &m.result)
	if m.op.Verb == machine.Get && m.result.OK() {
		w.input.Response.Record = &m.result.Record
	}
	w.free = append(w.free, ref)
}

// loses tells whether a message of n on that leg is lost under the rules in force now.
func (w *world) loses(n *node, leg Leg) bool {
	return len(w.rules) > 0 && w.ruledLoss(n, leg)
}

func (w *world) ruledLoss(n *node, leg Leg) bool {
	probability := 0.0
	for _, i := range w.rules {
		f := &w.faults[i]
		if !f.touches(n.index) {
			continue
		}
		switch f.Kind {
		case FaultPartition, FaultOutage:
			return true
		case FaultLose:
			if f.Leg == BothLegs || f.Leg == leg {
				probability = 1
				if f.Probability != nil {
					probability = *f.Probability
				}
			}
		}
	}
	return probability >= 1 || probability > 0 && n.losses(w).Float64() < probability
}

// delay is how long a message of n takes for that leg under the rules in force now.
func (w *world) delay(n *node, leg Leg) instant {
	d := &w.network.Request
	if leg == ResponseLeg {
		d = &w.network.Response
	}
	if len(w.rules) > 0 {
		d = w.ruledDelay(n, leg, d)
	}
	if d.Min == d.Max {
		return instant(d.Min)
	}
	return w.drawDelay(n, d)
}

func (w *world) drawDelay(n *node, d *Delay) instant {
	return instant(d.Min) + instant(n.delays(w).Int64N(int64(d.Max-d.Min)+1))
}

// ruledDelay is the delay that the last rule in force which names that leg puts in place of d.
func (w *world) ruledDelay(n *node, leg Leg, d *Delay) *Delay {
	for _, i := range w.rules {
		f := &w.faults[i]
		if f.Kind != FaultDelay || !f.touches(n.index) {
			continue
		}
		if leg == RequestLeg && f.Request != nil {
			d = f.Request
		} else if leg == ResponseLeg && f.Response != nil {
			d = f.Response
		}
	}
	return d
}

// refuses is the error that the service answers to n under the rules in force now, 0 for none.
func (w *world) refuses(n *node, verb machine.Verb) (status int, applied bool) {
	if len(w.rules) == 0 {
		return 0, false
	}
	return w.ruledRefusal(n, verb)
}

func (w *world) ruledRefusal(n *node, verb machine.Verb) (status int, applied bool) {
	for _, i := range w.rules {
		f := &w.faults[i]
		if f.Kind == FaultError && (f.Verb == 0 || f.Verb == verb) && f.touches(n.index) {
			status, applied = f.Status, f.Applied
		}
	}
	return status, applied
}

// touches tells whether a fault that has begun is on that candidate.
func (f *activeFault) touches(node int32) bool {
	if f.everybody {
		return true
	}
	_, found := slices.BinarySearch(f.nodes, node)
	return found
}

func (w *world) messageEvent(k trace.Kind, ref int32) {
	m := &w.messages[ref]
	e := w.event(k, &w.nodes[m.node])
	e.Incarnation, e.Request, e.Verb = m.incarnation, m.id, trace.Verb(m.op.Verb)
	switch k {
	case trace.RequestRefused, trace.ResponseHandled:
		e.Status = int16(m.result.Status)
	case trace.RequestApplied, trace.Written:
		r := &m.result
		e.Status, e.Base = int16(r.Status), m.op.Version
		e.Version, e.Holder = r.Version, r.Record.Holder
		e.Transitions, e.Amount = r.Record.Transitions, r.Record.DurationSeconds
	}
	w.emit(e)
}
