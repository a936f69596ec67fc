package sim

import (
	"slices"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// tellCandidacy tells all who watch a LeaseCandidate that it has changed.
func (w *world) tellCandidacy(by *node, verb machine.Verb, c *candidacy) {
	e := w.event(trace.CandidacyWritten, by)
	e.Holder, e.Version = c.Name, c.version
	w.emit(e)
	for i := range w.nodes {
		if n := &w.nodes[i]; n.ballot != nil && (n.coordinates() || n.identity == c.Name) {
			w.tellOf(n, news{found: c.version != 0, object: *c})
		}
	}
}

// tellLease tells the coordinator, if there is one, that the Lease has changed.
func (w *world) tellLease(found bool, r *machine.Record) {
	if w.coordinator != nil {
		w.tellCoordinator(found, r)
	}
}

func (w *world) tellCoordinator(found bool, r *machine.Record) {
	e := news{isLease: true, found: found}
	if found {
		e.lease.Set(r)
	}
	w.tellOf(w.coordinator, e)
}

// tellOf sends a watch event. A stream keeps its order, and loses nothing but time.
func (w *world) tellOf(n *node, e news) {
	if !n.ballot.watching || n.ballot.incarnation != n.incarnation || !n.alive() {
		return
	}
	e.node, e.incarnation = n.index, n.incarnation
	b := n.ballot
	if len(b.cut) > 0 || w.loses(n, plan.ResponseLeg, simlock.Lease) {
		if b.cut = append(b.cut, e); len(b.cut) == 1 {
			w.schedule(w.now+reconnect, watchRetried, n.index)
		}
		return
	}
	w.putNews(n, 0, &e)
}

// putNews has a watch event arrive after all those before it, once its connection is made.
func (w *world) putNews(n *node, connected instant, e *news) {
	b := n.ballot
	b.told = max(b.told, w.now+connected+w.delay(n, plan.ResponseLeg, simlock.Lease))
	w.schedule(b.told, newsDue, w.news.put(*e))
}

// retryWatch is the end of a watch's wait for its connection.
func (w *world) retryWatch(n *node) {
	b := n.ballot
	if len(b.cut) == 0 {
		return
	}
	if w.loses(n, plan.RequestLeg, simlock.Lease) || w.loses(n, plan.ResponseLeg, simlock.Lease) {
		w.schedule(w.now+reconnect, watchRetried, n.index)
		return
	}
	cut := b.cut
	b.cut = nil
	way := w.delay(n, plan.RequestLeg, simlock.Lease)
	for i := range cut {
		w.putNews(n, way, &cut[i])
	}
}

// learn takes in a watch event.
func (w *world) learn(n *node, t *news) {
	b := n.ballot
	if t.isLease {
		w.leaseNews(n, t)
		return
	}
	i := slices.IndexFunc(b.cache, func(c candidacy) bool { return c.Name == t.object.Name })
	known := i >= 0
	switch {
	case !t.found && known:
		b.cache = slices.Delete(b.cache, i, i+1)
	case t.found && known:
		b.cache[i] = t.object
	case t.found:
		b.cache = append(b.cache, t.object)
	}
	switch {
	case n.coordinates():
		if !t.object.Ignored() {
			w.enqueue(n)
		}
	case t.found && known && t.object.Ignored():
		w.enqueue(n)
	}
}
