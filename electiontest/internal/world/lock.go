package world

import (
	"interregnum/electiontest/internal/lockobject"
	"interregnum/internal/trace"
)

// noteDeleted adds to the trace that an object of an election's lock was deleted, and forgets its holder. fault is the
// index of the fault that did it, -1 if the code under test did. The caller holds w.mu.
func (w *world) noteDeleted(fault int, o trace.Object, election int) {
	w.holders[election][o] = ""
	w.note(trace.Event{
		Kind: trace.Deleted, Candidate: trace.Nobody, Fault: int32(fault), Object: o, Election: int32(election),
	})
}

// noteEdited adds to the trace what a Lease says after a change that is no elector's write, and keeps its holder in w.holders.
// election is the index of the lock's election. fault is the index of the fault that made the change, -1 if none did. The
// caller holds w.mu.
func (w *world) noteEdited(fault int, r *lockobject.Record, election int) {
	holder := w.known(r.HolderIdentity)
	w.holders[election][trace.Lease] = holder
	w.note(trace.Event{
		Kind: trace.Edited, Candidate: trace.Nobody, Fault: int32(fault), Version: r.Version(), Holder: holder,
		Election: int32(election),
	})
}
