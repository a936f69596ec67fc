package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/elector/ttl"
	"interregnum/internal/trace"
	"interregnum/simlock"
)

// tenant is what a candidate has whose lock expires by itself, in the place of elector.machine.
type tenant struct {
	machine ttl.Machine
	// lock is the process's own, for all of its Runs: what one has left behind is still its own in the next.
	lock    *simlock.Expiring
	process int32
	// watch waits beside the node's other requests.
	watch wait
}

// newMachine has the node's next Run begin with a new elector.
func (w *world) newMachine(n *node) {
	if !n.plan.Lock.Expires() {
		n.lock = newClient(n.plan.Lock, &n.plan.Profile, n.identity, n.plan.Election)
		n.machine = machine.New(n.plan.config(n.identity))
		return
	}
	c := n.tenant
	if c == nil || c.process != n.incarnation {
		o := n.plan.Lock.Objects()[0]
		lock := simlock.NewExpiring(o, keyOf(o, n.plan.Election), n.identity, n.plan.LeaseDuration, &w.marks)
		c = &tenant{lock: lock, process: n.incarnation}
	}
	n.tenant, n.lock = c, c.lock
	c.machine, c.watch = ttl.New(n.plan.config(n.identity)), wait{lock: c.lock}
}

func (n *node) leads() bool {
	if n.tenant != nil {
		return n.tenant.machine.IsLeader()
	}
	return n.machine.IsLeader()
}

// sendExpiring makes a call of a lock that expires by itself.
func (w *world) sendExpiring(n *node, r *machine.Request) {
	r.Record.Renew = 0
	if n.plan.Lock == SQLTTL && n.plan.Now != DatabaseNow {
		r.Record.Renew = n.clock.now(w.now).Wall
	}
	switch {
	case r.Verb != machine.Watch:
		if w.call(n, &n.elector, &n.wait, r) {
			w.armRequest(n)
		}
	case n.plan.Lock == SQLTTL:
		w.input = machine.Input{
			Kind: machine.Responded, Response: machine.Response{ID: r.ID, Outcome: machine.NoWatch},
		}
		w.replied = true
	default:
		w.call(n, &n.elector, &n.tenant.watch, r)
	}
}

// unwatch ends the client's wait for a change. The service is not told: its answer comes to nobody.
func (w *world) unwatch(n *node) {
	c := &n.tenant.watch
	e := w.event(trace.GaveUp, n)
	e.Request, e.Verb, e.Cause, e.Object = c.inFlight, trace.Watch, contextEnded, trace.Object(c.object)
	w.emit(e)
	c.inFlight = 0
}

// forsake has the node's process wait for nothing any more.
func (n *node) forsake() {
	n.inFlight = 0
	if n.tenant != nil {
		n.tenant.watch.inFlight = 0
	}
}

// watching tells whether a message is the answer that the node's watch waits for.
func (n *node) watching(m *message) bool { return n.tenant != nil && m.id == n.tenant.watch.inFlight }

// handleWatch is the answer of a watch.
func (w *world) handleWatch(n *node, ref int32) {
	w.answer(&n.tenant.watch, ref)
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
	queued instant
}

// applyExpiring executes a request on a key or a row.
func (w *world) applyExpiring(m *message, ref int32) {
	now := w.service.now(w.now)
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

// waits keeps a watch that has nothing to tell yet.
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

// trackKey puts the expiry of a key's entry into the queue, where nothing of it is there that comes first.
func (w *world) trackKey(k *key) {
	expires, there := k.Expires()
	if !there {
		return
	}
	if at := w.service.when(expires); at < k.queued {
		k.queued = at
		w.schedule(at, expiryDue, k.election)
	}
}

// expiryUp is the instant at which a key's entry may have run out: one that was refreshed has not.
func (w *world) expiryUp(e *entry) {
	k := &w.keys[e.ref]
	if e.at != k.queued {
		return
	}
	k.queued = never
	w.expire(k)
	w.trackKey(k)
}

// expire ends the entry of a key if its time is over.
func (w *world) expire(k *key) {
	if k.Expire(w.service.mono(w.now)) {
		w.ev = trace.Event{At: int64(w.now), Kind: trace.Expired, Candidate: trace.Nobody, Object: trace.Key, Election: k.election}
		w.emit(&w.ev)
		w.wake(k)
	}
}

// changeService sets the service's clock.
func (w *world) changeService(f *Fault) {
	for i := range w.keys {
		w.expire(&w.keys[i])
	}
	w.service.change(w.now, f.DriftPPM, machine.Wall(f.Jump))
	w.ev = trace.Event{
		At: int64(w.now), Kind: trace.ServiceClock, Candidate: trace.Nobody,
		Amount: int64(f.Jump), Rate: int32(w.service.rate) - million,
	}
	w.emit(&w.ev)
	for i := range w.keys {
		w.trackKey(&w.keys[i])
	}
}

// holder is whom the lock in such an object names.
func (w *world) holder(o simlock.Object, election int32) string {
	switch o {
	case simlock.Key:
		return w.keys[election].Holder()
	case simlock.Row:
		return w.rows[election].Holder()
	}
	return w.store.Holder(w.keyOf(o, election))
}

// remove deletes such an object, and tells whether there was one.
func (w *world) remove(o simlock.Object, election int32) bool {
	switch o {
	case simlock.Key:
		return w.keys[election].Delete()
	case simlock.Row:
		return w.rows[election].Delete()
	}
	return w.store.Delete(w.keyOf(o, election))
}

// service is what consumers of events need to know of the service; nil where no lock expires by itself.
func service(p *Plan) *trace.Service {
	var s *trace.Service
	for i := range p.Candidates {
		if c := &p.Candidates[i]; c.Lock.Expires() {
			if s == nil {
				s = &trace.Service{Offset: p.Service.Offset, DriftPPM: p.Service.DriftPPM}
			}
			s.Precision = max(s.Precision, c.precision())
		}
	}
	return s
}

// precision is what the row keeps times in, 0 where there is none.
func (c *Candidate) precision() time.Duration {
	if c.Lock != SQLTTL {
		return 0
	}
	return max(c.Precision, time.Microsecond)
}

// skew is how far, at most, the wall clocks that rows are compared by come to be apart, 0 without rows.
func skew(p *Plan) float64 {
	row := false
	least, most := p.Service, p.Service
	for i := range p.Candidates {
		c := &p.Candidates[i]
		if c.Lock != SQLTTL {
			continue
		}
		row = true
		if c.Now != DatabaseNow {
			least.Offset, most.Offset = min(least.Offset, c.Clock.Offset), max(most.Offset, c.Clock.Offset)
			least.DriftPPM, most.DriftPPM = min(least.DriftPPM, c.Clock.DriftPPM), max(most.DriftPPM, c.Clock.DriftPPM)
		}
	}
	if !row {
		return 0
	}
	sum := float64(most.Offset - least.Offset)
	for i := range p.Faults {
		f := &p.Faults[i]
		sum += float64(f.Jump.Abs())
		if f.DriftPPM != nil {
			least.DriftPPM, most.DriftPPM = min(least.DriftPPM, *f.DriftPPM), max(most.DriftPPM, *f.DriftPPM)
		}
	}
	return sum + float64(p.Horizon)/million*float64(most.DriftPPM-least.DriftPPM)
}
