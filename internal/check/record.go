package check

import (
	"interregnum/internal/trace"
)

// recordFold is single-record: every write that names a holder replaces the very version that it was
// conditioned on, and versions grow.
type recordFold struct {
	header     *trace.Header
	exists     bool
	version    uint64
	violations []Violation
}

func (f *recordFold) observe(e *trace.Event) {
	if e.Kind == trace.Deleted {
		f.exists = false
		return
	}
	conditioned := f.exists && e.Verb == trace.Update && e.Base == f.version
	created := !f.exists && e.Verb == trace.Create
	if !conditioned && !created || e.Version <= f.version {
		f.violations = append(f.violations, Violation{
			FromNs: e.At, ToNs: e.At, Candidates: []string{f.header.Candidates[e.Candidate].ID},
		})
	}
	f.exists, f.version = true, e.Version
}
