package check

import (
	"slices"

	"interregnum/internal/reuse"
	"interregnum/internal/trace"
)

// rolloutFold is rollout-ends: each rollout is over within the time that the header gives for it. It is inconclusive if
// the horizon comes first, or if no rollout has begun. A violation names the new pods that were not ready when that time was over,
// if there is only one election: in several a pod is ready that leads any of them.
type rolloutFold struct {
	found
	roster *trace.Roster
	all    []rollout
	// started tells which candidates' processes have started and not ended since.
	started []bool
}

// rollout is what the fold knows of one of the header's rollouts.
type rollout struct {
	// began and over are when it began and was over, -1 if it has not and is not.
	began, over int64
	// late: it was not over in time, and unready were not ready then.
	late    bool
	unready []int32
}

// reset begins the judgement of a run: no rollout has begun, and no process has started. It implements fold.
func (f *rolloutFold) reset(h *trace.Header, r *trace.Roster) {
	*f = rolloutFold{
		found: f.found.again(h), roster: r, all: reuse.Sized(f.all, len(h.Rollouts)), started: reuse.Zeroed(f.started, len(h.Candidates)),
	}
	for i := range f.all {
		f.all[i] = rollout{began: -1, over: -1}
	}
}

// rolloutKinds also has the kinds of event that change who is ready.
var rolloutKinds = trace.KindsOf(trace.FaultBegan, trace.FaultEnded, trace.FaultVoid, trace.RunStarted, trace.Crashed,
	trace.WorkStarted, trace.WorkCancelled)

// observe stores when each rollout began and was over, and which candidates' processes run. A rollout that was void counts as one
// that has not begun.
func (f *rolloutFold) observe(e *trace.Event) {
	f.reach(e.At)
	switch e.Kind {
	case trace.RunStarted, trace.Crashed:
		f.started[e.Candidate] = e.Kind == trace.RunStarted
	case trace.FaultBegan, trace.FaultEnded, trace.FaultVoid:
		i := slices.IndexFunc(f.header.Rollouts, func(r trace.Rollout) bool { return r.Fault == e.Fault })
		switch {
		case i < 0:
		case e.Kind == trace.FaultBegan:
			f.all[i].began = e.At
		case e.Kind == trace.FaultVoid:
			f.all[i].began = -1
		default:
			f.all[i].over = e.At
		}
	}
}

// reach is called with the time of each event before it is observed, and with the horizon; at is in nanoseconds of true time.
// For each rollout that should have been over before then and is not, it stores once that it is late and, if there is only one
// election, which of its new pods were not ready.
func (f *rolloutFold) reach(at int64) {
	for i := range f.all {
		r := &f.all[i]
		if r.began < 0 || r.over >= 0 || r.late || at <= r.began+int64(f.header.Rollouts[i].Within) {
			continue
		}
		r.late = true
		for c := range f.header.Candidates {
			own := &f.header.Candidates[c]
			if own.Election == "" && slices.Contains(f.header.Rollouts[i].To, own.ID) && !f.ready(int32(c), &f.header.Rollouts[i]) {
				r.unready = append(r.unready, int32(c))
			}
		}
	}
}

// ready tells whether the pod of a candidate is ready, by what the rollout r calls ready: the candidate leads or, unless
// r.Leading is set, its process runs.
func (f *rolloutFold) ready(c int32, r *trace.Rollout) bool {
	if r.Leading {
		return f.roster.Leads(c)
	}
	return f.started[c]
}

// verdict judges a run that has reached its horizon. It is inconclusive in the cases that rolloutFold names, unless a rollout
// was late.
func (f *rolloutFold) verdict(horizonNs int64) Property {
	f.reach(horizonNs)
	begun, early := false, false
	for i := range f.all {
		r := &f.all[i]
		begun = begun || r.began >= 0
		if early = early || r.began >= 0 && r.over < 0 && !r.late; !r.late {
			continue
		}
		until := horizonNs
		if r.over >= 0 {
			until = r.over
		}
		f.violate(r.began+int64(f.header.Rollouts[i].Within), until, r.unready...)
	}
	p := f.found.verdict(horizonNs)
	if p.Verdict == Held && (early || !begun) {
		p.Verdict = Inconclusive
	}
	return p
}
