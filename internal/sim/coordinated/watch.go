package coordinated

import (
	"slices"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/service"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock"
)

// tellCandidacy emits CandidacyWritten: the member by has written or deleted the LeaseCandidate c. It then sends a watch event to
// the coordinator and to the candidate that c is about. A Version of 0 in c says that it was deleted.
func (w *World) tellCandidacy(by *member, c *service.Candidacy) {
	e := w.Recorder.Event(trace.CandidacyWritten, by.Seat)
	e.Holder, e.Version = c.Name, c.Version
	w.Recorder.Emit(e)
	for _, m := range w.members {
		if m != nil && (m == w.coordinator || m.Identity == c.Name) {
			m.tell(news{found: c.Version != 0, object: *c})
		}
	}
}

// TellLease sends the coordinator, if there is one, a watch event: the Lease now has the record r or, with found false,
// was deleted.
func (w *World) TellLease(found bool, r *machine.Record) {
	if w.coordinator != nil {
		w.tellCoordinator(found, r)
	}
}

// tellCoordinator sends the coordinator, which must exist, a watch event: the Lease now has the record r or, with found false,
// was deleted.
func (w *World) tellCoordinator(found bool, r *machine.Record) {
	e := news{isLease: true, found: found}
	if found {
		e.lease.Set(r)
	}
	w.coordinator.tell(e)
}

// tell sends a watch event to a member. It does nothing if the member does not watch, or if its process has ended. If the
// event would be lost, the connection counts as cut: this event and all after it wait until the connection is made again, so
// that the stream keeps its order.
func (m *member) tell(e news) {
	if !m.watching || !m.current() {
		return
	}
	e.to, e.incarnation = m, m.Incarnation
	if len(m.cut) > 0 || m.Network.Loses(&m.Line, plan.ResponseLeg, simlock.Lease) {
		if m.cut = append(m.cut, e); len(m.cut) == 1 {
			m.Schedule(m.Now+reconnect, watchRetried, m.Index)
		}
		return
	}
	m.put(0, &e)
}

// put schedules the arrival of the watch event e at the member, after a drawn delay, and not before the events sent earlier.
// connected is the time that it takes to make the connection first.
func (m *member) put(connected clock.Instant, e *news) {
	m.told = max(m.told, m.Now+connected+m.Network.Delay(&m.Line, plan.ResponseLeg, simlock.Lease))
	m.Schedule(m.told, newsDue, m.news.Put(*e))
}

// retryWatch tries to make a cut connection again; whether that succeeds is drawn. If that succeeds it sends the waiting events,
// otherwise it tries again after reconnect. It does nothing if no event waits.
func (m *member) retryWatch() {
	if len(m.cut) == 0 {
		return
	}
	if m.Network.Loses(&m.Line, plan.RequestLeg, simlock.Lease) || m.Network.Loses(&m.Line, plan.ResponseLeg, simlock.Lease) {
		m.Schedule(m.Now+reconnect, watchRetried, m.Index)
		return
	}
	cut := m.cut
	m.cut = nil
	way := m.Network.Delay(&m.Line, plan.RequestLeg, simlock.Lease)
	for i := range cut {
		m.put(way, &cut[i])
	}
}

// learn updates the member's caches with a watch event. It marks the key if the event is about the Lease, or about a
// LeaseCandidate that gives the worker something to do.
func (m *member) learn(t *news) {
	if t.isLease {
		m.cacheLease(t.found, &t.lease)
		m.enqueue()
		return
	}
	i := slices.IndexFunc(m.cache, func(c service.Candidacy) bool { return c.Name == t.object.Name })
	known := i >= 0
	switch {
	case !t.found && known:
		m.cache = slices.Delete(m.cache, i, i+1)
	case t.found && known:
		m.cache[i] = t.object
	case t.found:
		m.cache = append(m.cache, t.object)
	}
	if m.wants(&t.object, t.found && known) {
		m.enqueue()
	}
}

// cacheLease stores r as the cached Lease of the member. With found false it clears the cached Lease.
func (m *member) cacheLease(found bool, r *machine.Record) {
	m.lease = nil
	if found {
		m.lease = &machine.Record{}
		m.lease.Set(r)
	}
}
