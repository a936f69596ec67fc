package check

import (
	"interregnum/internal/trace"
)

// recordFold is single-record: of each object, every write that names a holder replaces the very version that it was
// conditioned on, and versions grow.
type recordFold struct {
	header     *trace.Header
	objects    [trace.Objects]recordState
	violations []Violation
}

type recordState struct {
	exists  bool
	version uint64
}

func (f *recordFold) observe(e *trace.Event) {
	o := &f.objects[e.Object]
	if e.Kind == trace.Deleted {
		o.exists = false
		return
	}
	conditioned := o.exists && e.Verb == trace.Update && e.Base == o.version
	created := !o.exists && e.Verb == trace.Create
	if !conditioned && !created || e.Version <= o.version {
		f.violations = append(f.violations, Violation{
			FromNs: e.At, ToNs: e.At, Candidates: []string{f.header.Candidates[e.Candidate].ID},
		})
	}
	o.exists, o.version = true, e.Version
}
