package check

import (
	"interregnum/internal/trace"
)

// recordFold is single-record: of each object, every write that names a holder replaces the very version that it was
// conditioned on, and versions grow. Of what expires by itself, see expiringFold.
type recordFold struct {
	found
	roster *trace.Roster
	// expiring is of a run with a lock that expires by itself.
	expiring expiringFold
}

// reset begins the judgement of a run. If a lock expires by itself, it resets f.expiring too. It implements fold.
func (f *recordFold) reset(h *trace.Header, r *trace.Roster) {
	*f = recordFold{found: f.found.again(h), roster: r, expiring: f.expiring}
	if h.Service != nil {
		f.expiring.reset(h)
	}
}

var (
	recordKinds = trace.KindsOf(trace.Written, trace.Deleted)
	// expiringKinds are those that a lock that expires by itself is judged by besides.
	expiringKinds = trace.KindsOf(trace.RequestSent, trace.RequestLost, trace.RequestApplied, trace.Expired,
		trace.ServiceClock, trace.ClockChanged)
)

// observe judges a write, a delete or an expiry, and adds a violation if it was not allowed. From all other events it learns
// what it has to know of locks that expire by themselves.
func (f *recordFold) observe(e *trace.Event) {
	fine := true
	switch {
	case e.Kind != trace.Written && e.Kind != trace.Deleted && e.Kind != trace.Expired:
		f.expiring.follow(e)
	case e.Object.Expires():
		fine = f.expiring.observe(e)
	case e.Kind == trace.Written:
		fine = f.replaces(e)
	}
	if !fine {
		f.violate(e.At, e.At, e.Candidate)
	}
}

// replaces tells whether the write e has a higher version than the record before, and was allowed: it was conditioned on just
// that version, or creates what was not there, or is a patch that names no new holder.
func (f *recordFold) replaces(e *trace.Event) bool {
	before := &f.roster.Records[e.Object]
	conditioned := before.Exists && e.Verb == trace.Update && e.Base == before.Version
	created := !before.Exists && e.Verb == trace.Create
	patched := before.Exists && e.Verb == trace.Patch && (e.Holder == "" || e.Holder == before.Holder)
	return (conditioned || created || patched) && e.Version > before.Version
}
