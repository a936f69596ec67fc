package check

import (
	"interregnum/internal/trace"
)

// recordFold is single-record: of each object, every write that names a holder replaces the very version that it was
// conditioned on, and versions grow. Of what expires by itself, see expiringFold.
type recordFold struct {
	header     *trace.Header
	objects    [trace.Objects]recordState
	expiring   *expiringFold
	violations []Violation
}

type recordState struct {
	exists  bool
	version uint64
}

func newRecordFold(h *trace.Header) recordFold {
	return recordFold{header: h, expiring: newExpiringFold(h)}
}

// observe takes in a write, a deletion or an expiry, and adds a violation for a write that may not be.
func (f *recordFold) observe(e *trace.Event) {
	if e.Object.Expires() {
		if !f.expiring.observe(e) {
			f.violate(e)
		}
		return
	}
	o := &f.objects[e.Object]
	if e.Kind == trace.Deleted {
		o.exists = false
		return
	}
	conditioned := o.exists && e.Verb == trace.Update && e.Base == o.version
	created := !o.exists && e.Verb == trace.Create
	if !conditioned && !created || e.Version <= o.version {
		f.violate(e)
	}
	o.exists, o.version = true, e.Version
}

// violate adds a violation at the instant of an event of a candidate.
func (f *recordFold) violate(e *trace.Event) {
	f.violations = append(f.violations, Violation{
		FromNs: e.At, ToNs: e.At, Candidates: []string{f.header.Candidates[e.Candidate].ID},
	})
}
