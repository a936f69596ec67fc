package check

import (
	"interregnum/internal/trace"
)

// recordFold is single-record: of each object, every write that names a holder replaces the very version that it was
// conditioned on, and versions grow. Of what expires by itself, see expiringFold.
type recordFold struct {
	header     *trace.Header
	roster     *trace.Roster
	expiring   *expiringFold
	violations []Violation
}

func newRecordFold(h *trace.Header, r *trace.Roster) recordFold {
	return recordFold{header: h, roster: r, expiring: newExpiringFold(h)}
}

// observe takes in a write, a deletion or an expiry, and adds a violation for a write that may not be.
func (f *recordFold) observe(e *trace.Event) {
	if e.Object.Expires() {
		if !f.expiring.observe(e) {
			f.violate(e)
		}
		return
	}
	if e.Kind == trace.Deleted {
		return
	}
	before := &f.roster.Records[e.Object]
	conditioned := before.Exists && e.Verb == trace.Update && e.Base == before.Version
	created := !before.Exists && e.Verb == trace.Create
	if !conditioned && !created || e.Version <= before.Version {
		f.violate(e)
	}
}

// violate adds a violation at the instant of an event of a candidate.
func (f *recordFold) violate(e *trace.Event) {
	f.violations = append(f.violations, newViolation(f.header, e.At, e.At, e.Candidate))
}
