package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
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

// key is a key of the service and who watches it.
type key struct {
	simlock.KeyStore
	// election is whose lock it is.
	election int32
	// watchers are the watches that wait at the service for a change.
	watchers []int32
	// queued is when the entry in the queue for the key's expiry is due, never where there is none.
	queued clock.Instant
}

// applyExpiring executes a request on a key or a row, and answers the watches of a key that has changed.
func (w *world) applyExpiring(m *message, ref int32) {
	now := w.service.Now(w.Now)
	if m.op.Object == simlock.Row {
		w.rows[w.nodes[m.node].election].Apply(now.Wall, &m.op, &m.result)
		w.applied(m, ref)
		return
	}
	k := &w.keys[w.nodes[m.node].election]
	w.expire(k)
	k.Apply(now.Mono, &m.op, &m.result)
	w.applied(m, ref)
	if !m.result.Changed || m.op.Verb == machine.Watch {
		return
	}
	w.trackKey(k)
	if m.op.Verb != machine.Refresh {
		w.wake(k)
	}
}

// waits tells whether a request is a watch with nothing to tell yet, and keeps it at the service until the key changes.
func (w *world) waits(m *message, ref int32) bool {
	if m.op.Verb != machine.Watch || m.result.Changed {
		return false
	}
	k := &w.keys[w.nodes[m.node].election]
	k.watchers = append(k.watchers, ref)
	return true
}

// wake has every watcher of a key told that it has changed. Watches that came meanwhile wait for the next change.
func (w *world) wake(k *key) {
	watchers := k.watchers
	k.watchers = nil
	for _, ref := range watchers {
		w.respond(ref)
	}
}

// trackKey schedules a look at when a key's entry runs out, unless one that comes no later is scheduled already.
func (w *world) trackKey(k *key) {
	expires, there := k.Expires()
	if !there {
		return
	}
	if at := w.service.When(expires); at < k.queued {
		k.queued = at
		w.Schedule(at, expiryDue, k.election)
	}
}

// expiryUp ends a key's entry if its time is over, and else schedules the next look: the entry was refreshed.
func (w *world) expiryUp(e *queue.Entry) {
	k := &w.keys[e.Ref]
	if e.At != k.queued {
		return
	}
	k.queued = clock.Never
	w.expire(k)
	w.trackKey(k)
}

// expire ends the entry of a key if its time is over, and answers the key's watches then.
func (w *world) expire(k *key) {
	if k.Expire(w.service.Mono(w.Now)) {
		w.ev = trace.Event{At: int64(w.Now), Kind: trace.Expired, Candidate: trace.Nobody, Object: trace.Key, Election: k.election}
		w.emit(&w.ev)
		w.wake(k)
	}
}

// changeService sets the service's clock as a fault says, and schedules the ends of entries anew.
func (w *world) changeService(f *plan.Fault) {
	for i := range w.keys {
		w.expire(&w.keys[i])
	}
	w.service.Change(w.Now, f.DriftPPM, machine.Wall(f.Jump))
	w.ev = trace.Event{
		At: int64(w.Now), Kind: trace.ServiceClock, Candidate: trace.Nobody,
		Amount: int64(f.Jump), Rate: w.service.DriftPPM(),
	}
	w.emit(&w.ev)
	for i := range w.keys {
		w.trackKey(&w.keys[i])
	}
}

// holder returns whom an election's object of that kind names, "" for nobody.
func (w *world) holder(o simlock.Object, election int32) string {
	switch o {
	case simlock.Key:
		return w.keys[election].Holder()
	case simlock.Row:
		return w.rows[election].Holder()
	}
	return w.store.Holder(w.keyOf(o, election))
}

// remove deletes an election's object of that kind, and tells whether there was one.
func (w *world) remove(o simlock.Object, election int32) bool {
	switch o {
	case simlock.Key:
		return w.keys[election].Delete()
	case simlock.Row:
		return w.rows[election].Delete()
	}
	return w.store.Delete(w.keyOf(o, election))
}
