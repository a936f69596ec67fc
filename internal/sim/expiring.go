package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/sim/queue"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// sendExpiring makes a call of a lock that expires by itself. A watch of a row is answered NoWatch at once.
func (w *world) sendExpiring(n *node, r *machine.Request) {
	r.Record.Renew = 0
	if n.plan.Lock == plan.SQLTTL && n.plan.Now != plan.DatabaseNow {
		r.Record.Renew = n.clock.Now(w.Now).Wall
	}
	switch {
	case r.Verb != machine.Watch:
		if w.call(n, n.elector, &n.wait, r) {
			w.armRequest(n)
		}
	case n.plan.Lock == plan.SQLTTL:
		w.input = machine.Input{
			Kind: machine.Responded, Response: machine.Response{ID: r.ID, Outcome: machine.NoWatch},
		}
		w.replied = true
	default:
		w.call(n, n.elector, &n.watch, r)
	}
}

// unwatch ends the client's wait for a change. The service is not told: its answer comes to nobody.
func (w *world) unwatch(n *node) {
	c := &n.watch
	e := w.event(trace.GaveUp, n)
	e.Request, e.Verb, e.Cause, e.Object = c.inFlight, trace.Watch, contextEnded, trace.Object(c.object)
	w.emit(e)
	c.inFlight = 0
}

// forsake is called where a Run or process ends: the node waits for no answer and holds no request any more.
func (n *node) forsake() {
	n.inFlight, n.watch.inFlight, n.held = 0, 0, 0
	n.disarm(limiterTimer)
}

// watching tells whether a message is the answer that the node's watch waits for.
func (n *node) watching(m *message) bool { return m.id == n.watch.inFlight }

// handleWatch is the answer of a watch.
func (w *world) handleWatch(n *node, ref int32) {
	w.answer(&n.watch, ref)
	w.step(n, &w.input)
}

// apply executes a request in the service. It tells the coordinator if that changes the Lease, and answers the watches of a key that
// has changed.
func (w *world) apply(m *message, ref int32) {
	w.stats.StoreOps++
	election := w.nodes[m.node].election
	if m.op.Object == simlock.Key {
		w.expire(election)
	}
	w.service.Apply(w.Now, election, &m.op, &m.result)
	w.applied(m, ref)
	switch {
	case !m.result.Changed || m.op.Verb == machine.Watch:
	case m.op.Object == simlock.Lease:
		w.tellLease(true, &m.result.Record)
	case m.op.Object == simlock.Key:
		w.lookAt(election)
		if m.op.Verb != machine.Refresh {
			w.wake(election)
		}
	}
}

// waits tells whether a request is a watch with nothing to tell yet, and keeps it at the service until the key changes.
func (w *world) waits(m *message, ref int32) bool {
	if m.op.Verb != machine.Watch || m.result.Changed {
		return false
	}
	w.service.Wait(w.nodes[m.node].election, ref)
	return true
}

// wake has every watcher of an election's key told that it has changed. Watches that come meanwhile wait for the next change.
func (w *world) wake(election int32) {
	for _, ref := range w.service.Wake(election) {
		w.respond(ref)
	}
}

// lookAt schedules a look at when the entry of an election's key runs out, unless one that comes no later is scheduled already.
func (w *world) lookAt(election int32) {
	if at, wanted := w.service.LookAt(election); wanted {
		w.Schedule(at, expiryDue, election)
	}
}

// expiryUp ends a key's entry if its time is over, and else schedules the next look: the entry was refreshed.
func (w *world) expiryUp(e *queue.Entry) {
	if w.service.Looks(e.At, e.Ref) {
		w.expire(e.Ref)
		w.lookAt(e.Ref)
	}
}

// expire ends the entry of an election's key if its time is over, and answers the key's watches then.
func (w *world) expire(election int32) {
	if w.service.Expire(w.Now, election) {
		w.ev = trace.Event{At: int64(w.Now), Kind: trace.Expired, Candidate: trace.Nobody, Object: trace.Key, Election: election}
		w.emit(&w.ev)
		w.wake(election)
	}
}

// changeService sets the service's clock as a fault says, and schedules the ends of entries anew.
func (w *world) changeService(f *plan.Fault) {
	for i := range w.elections {
		w.expire(int32(i))
	}
	rate := w.service.ChangeClock(w.Now, f)
	w.ev = trace.Event{
		At: int64(w.Now), Kind: trace.ServiceClock, Candidate: trace.Nobody, Amount: int64(f.Jump), Rate: rate,
	}
	w.emit(&w.ev)
	for i := range w.elections {
		w.lookAt(int32(i))
	}
}
