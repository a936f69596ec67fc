package sim

import (
	"slices"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/service"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// tellCandidacy emits the event that a LeaseCandidate was written or deleted by a node, and tells all who watch it.
func (w *world) tellCandidacy(by *node, c *service.Candidacy) {
	e := w.event(trace.CandidacyWritten, by)
	e.Holder, e.Version = c.Name, c.Version
	w.emit(e)
	for i := range w.nodes {
		if n := &w.nodes[i]; n.ballot != nil && (n.coordinates() || n.identity == c.Name) {
			w.tellOf(n, news{found: c.Version != 0, object: *c})
		}
	}
}

// tellLease tells the coordinator, if there is one, that the Lease has changed.
func (w *world) tellLease(found bool, r *machine.Record) {
	if w.coordinator != nil {
		w.tellCoordinator(found, r)
	}
}

// tellCoordinator sends the coordinator a watch event of the Lease: its record, or that it was deleted where found is false.
func (w *world) tellCoordinator(found bool, r *machine.Record) {
	e := news{isLease: true, found: found}
	if found {
		e.lease.Set(r)
	}
	w.tellOf(w.coordinator, e)
}

// tellOf sends a watch event to a node that watches. Where the event would be lost the connection counts as cut: that
// event and all after it wait until it is made again, so that the stream keeps its order.
func (w *world) tellOf(n *node, e news) {
	if !n.ballot.watching || n.ballot.incarnation != n.incarnation || !n.alive() {
		return
	}
	e.node, e.incarnation = n.index, n.incarnation
	b := n.ballot
	if len(b.cut) > 0 || w.network.Loses(&n.line, plan.ResponseLeg, simlock.Lease) {
		if b.cut = append(b.cut, e); len(b.cut) == 1 {
			w.Schedule(w.Now+reconnect, watchRetried, n.index)
		}
		return
	}
	w.putNews(n, 0, &e)
}

// putNews schedules the arrival of a watch event, after those sent before it. Connected is how long it takes before that to make the connection.
func (w *world) putNews(n *node, connected clock.Instant, e *news) {
	b := n.ballot
	b.told = max(b.told, w.Now+connected+w.network.Delay(&n.line, plan.ResponseLeg, simlock.Lease))
	w.Schedule(b.told, newsDue, w.news.Put(*e))
}

// retryWatch tries to make a cut connection again. If it can be made the events that wait are sent, else it is tried again later.
func (w *world) retryWatch(n *node) {
	b := n.ballot
	if len(b.cut) == 0 {
		return
	}
	if w.network.Loses(&n.line, plan.RequestLeg, simlock.Lease) || w.network.Loses(&n.line, plan.ResponseLeg, simlock.Lease) {
		w.Schedule(w.Now+reconnect, watchRetried, n.index)
		return
	}
	cut := b.cut
	b.cut = nil
	way := w.network.Delay(&n.line, plan.RequestLeg, simlock.Lease)
	for i := range cut {
		w.putNews(n, way, &cut[i])
	}
}

// learn updates the node's caches with a watch event, and marks the key if the event gives the worker something to do.
func (w *world) learn(n *node, t *news) {
	b := n.ballot
	if t.isLease {
		w.leaseNews(n, t)
		return
	}
	i := slices.IndexFunc(b.cache, func(c service.Candidacy) bool { return c.Name == t.object.Name })
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
