package world

import (
	"net/http"
	"time"

	"interregnum/electiontest/internal/lockobject"
	"interregnum/elector/machine"
	"interregnum/internal/trace"
)

// applied adds to the trace what an executed request has done to a lock, as the server's answer r shows. It keeps the record in
// that answer in w.stored, counts the request in w.storeOps, and sets m.version. After a write it keeps the new holder in
// w.holders, and sets w.released if there is none. A request that edits the lock is left to edited, and is not counted. For a
// request that is not on a lock it does nothing. A lease of other timings than the scenario's fails the run: see checkTimings.
// The body of r can still be read afterwards. The caller holds w.mu.
func (m *message) applied(r *http.Response) {
	w := m.part.world()
	if !m.lock && !m.edits {
		return
	}
	text, err := peek(r)
	record := lockobject.Read(m.object, text)
	if err != nil || r.StatusCode >= http.StatusBadRequest {
		record = nil
	}
	if record != nil {
		w.stored[m.part.seat.election][m.object] = record
	}
	if m.edits {
		m.edited(r, record)
		return
	}
	w.storeOps++
	e := trace.Event{Kind: trace.RequestApplied, Status: int16(r.StatusCode), Base: m.base}
	if record != nil {
		m.version = record.Version()
		e.Version, e.Holder = m.version, w.known(record.HolderIdentity)
		e.Transitions, e.Amount = int64(record.LeaderTransitions), int64(record.LeaseDurationSeconds)
		if m.op != machine.Get && m.version != m.base {
			e.Kind = trace.Written
			m.checkTimings(record)
			w.holders[m.part.seat.election][m.object] = e.Holder
			w.released = w.released || e.Holder == ""
		}
	}
	m.note(e)
}

// checkTimings fails the run if r has a holder and its lease differs from the scenario's leaseDuration by a second or more:
// properties are judged by the scenario's. A smaller difference comes from rounding to whole seconds. The caller holds w.mu.
func (m *message) checkTimings(r *lockobject.Record) {
	plan, got := m.part.seat.plan, time.Duration(r.LeaseDurationSeconds)*time.Second
	if r.HolderIdentity != "" && (got <= plan.LeaseDuration-time.Second || got >= plan.LeaseDuration+time.Second) {
		m.part.world().fail("candidate %s takes the lock for %v, and the scenario has a leaseDuration of %v, by which "+
			"safety-window and liveness would be judged: want the code to take its timings from Candidate.Settings, or the "+
			"scenario to say the code's", plan.ID, got, plan.LeaseDuration)
	}
}

// edited adds to the trace that the code under test has deleted the lock's object or patched its Lease, which an elector
// never does. It adds nothing if the answer r refuses the request; record is the object in that answer, nil for none.
// The caller holds w.mu.
func (m *message) edited(r *http.Response, record *lockobject.Record) {
	w, election := m.part.world(), m.part.seat.election
	switch {
	case r.StatusCode >= http.StatusBadRequest:
	case m.verb == "delete":
		w.noteDeleted(-1, m.object, election)
	case record != nil && m.object == trace.Lease:
		w.noteEdited(-1, record, election)
	}
}
