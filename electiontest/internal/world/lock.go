package world

import (
	"interregnum/electiontest/internal/lockobject"
	"interregnum/internal/trace"
)

// noteDeleted notes that a lock's object was deleted, by a fault or by the code under test (-1). The caller holds w.mu.
func (w *world) noteDeleted(fault int, o trace.Object, election int) {
	w.holders[election][o] = ""
	w.note(trace.Event{
		Kind: trace.Deleted, Candidate: trace.Nobody, Fault: int32(fault), Object: o, Election: int32(election),
	})
}

// noteEdited notes what a Lease says after it was changed, by a fault or by the code under test (-1). The caller holds
// w.mu.
func (w *world) noteEdited(fault int, r *lockobject.Record, election int) {
	holder := w.known(r.HolderIdentity)
	w.holders[election][trace.Lease] = holder
	w.note(trace.Event{
		Kind: trace.Edited, Candidate: trace.Nobody, Fault: int32(fault), Version: r.Version(), Holder: holder,
		Election: int32(election),
	})
}
