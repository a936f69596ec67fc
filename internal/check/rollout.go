package check

import (
	"interregnum/internal/reuse"
	"interregnum/internal/trace"
)

// rolloutFold is rollout-ends: each rollout is over within the time that the header gives for it. It is inconclusive if
// the horizon comes first, or if no rollout has begun.
type rolloutFold struct {
	found
	// began has the times at which the header's rollouts began, -1 for one that has not, and over when they were over.
	began, over []int64
}

func (f *rolloutFold) reset(h *trace.Header, _ *trace.Roster) {
	n := len(h.Rollouts)
	*f = rolloutFold{found: found{header: h}, began: reuse.Sized(f.began, n), over: reuse.Sized(f.over, n)}
	for i := range h.Rollouts {
		f.began[i], f.over[i] = -1, -1
	}
}

var rolloutKinds = trace.KindsOf(trace.FaultBegan, trace.FaultEnded, trace.FaultVoid)

// observe keeps when each rollout began and was over.
func (f *rolloutFold) observe(e *trace.Event) {
	for i := range f.header.Rollouts {
		switch {
		case f.header.Rollouts[i].Fault != e.Fault:
		case e.Kind == trace.FaultBegan:
			f.began[i] = e.At
		case e.Kind == trace.FaultVoid:
			f.began[i] = -1
		default:
			f.over[i] = e.At
		}
	}
}

// verdict judges a run that has reached its horizon.
func (f *rolloutFold) verdict(horizonNs int64) Property {
	begun, early := false, false
	for i, began := range f.began {
		latest := began + int64(f.header.Rollouts[i].Within)
		over := f.over[i]
		begun = begun || began >= 0
		switch {
		case began < 0 || over >= 0 && over <= latest:
		case over >= 0:
			f.violate(latest, over)
		case horizonNs > latest:
			f.violate(latest, horizonNs)
		default:
			early = true
		}
	}
	p := f.found.verdict(horizonNs)
	if p.Verdict == Held && (early || !begun) {
		p.Verdict = Inconclusive
	}
	return p
}
