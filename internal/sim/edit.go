package sim

import "interregnum/internal/trace"

// editLease carries out fault i, which edits the Lease of its election.
func (w *world) editLease(f *activeFault, i int32) {
	election := w.electionNamed(f.Election)
	r := w.service.Edit(w.Now, election, &f.Edit)
	if !r.Changed {
		w.faultEvent(trace.FaultVoid, i)
		return
	}
	w.ev = trace.Event{
		At: int64(w.Now), Kind: trace.Edited, Candidate: trace.Nobody, Fault: i,
		Version: r.Version, Holder: r.Record.Holder, Election: election,
	}
	w.emit(&w.ev)
	w.tellLease(true, &r.Record)
}
