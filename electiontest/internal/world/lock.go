package world

import (
	"interregnum/electiontest/internal/lockobject"
	"interregnum/internal/trace"
)

// noteDeleted adds to the trace that an object of an election's lock was deleted, by that fault, or -1 for by the code
// under test. The object has no holder any more. The caller holds w.mu.
func (w *world) noteDeleted(fault int, o trace.Object, election int) {
	w.holders[election][o] = ""
	w.note(trace.Event{
		Kind: trace.Deleted, Candidate: trace.Nobody, Fault: int32(fault), Object: o, Election: int32(election),
	})
}

// noteEdited adds to the trace what a Lease says after a change by that fault, or -1 for by anybody else. Its holder
// goes into w.holders. The caller holds w.mu.
func (w *world) noteEdited(fault int, r *lockobject.Record, election int) {
	holder := w.known(r.HolderIdentity)
	w.holders[election][trace.Lease] = holder
	w.note(trace.Event{
		Kind: trace.Edited, Candidate: trace.Nobody, Fault: int32(fault), Version: r.Version(), Holder: holder,
		Election: int32(election),
	})
}
