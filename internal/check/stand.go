package check

import (
	"cmp"
	"slices"

	"interregnum/internal/reuse"
	"interregnum/internal/trace"
)

// standFold is all-stand: each candidate whose process lives asks for the lock again and again, no longer apart than the
// header's StandsWithin. One that is frozen need not ask, nor one whose Run was cancelled, until Run is to be called again.
// The property is inconclusive if no candidate has started, if the horizon comes soon after a Run has returned, or if the whole
// run is not longer than a candidate's StandsWithin.
type standFold struct {
	found
	candidates []stander
	started    bool
}

// stander is what the fold knows of a candidate.
type stander struct {
	// stands: it has to ask. frozen: its process is, so that it cannot. away: it is between two Runs.
	// cancelled: its Run was, and the process goes on.
	stands, frozen, away, cancelled bool
	// since is when it asked last, or when it last became able to.
	since int64
}

// reset begins the judgement of a run: no candidate has to ask yet. It implements fold.
func (f *standFold) reset(h *trace.Header, _ *trace.Roster) {
	*f = standFold{found: f.found.again(h), candidates: reuse.Zeroed(f.candidates, len(h.Candidates))}
}

var standKinds = trace.KindsOf(trace.RunStarted, trace.RunReturned, trace.RequestSent, trace.CancelAsked, trace.Crashed,
	trace.Paused, trace.Resumed)

// observe stores who has to ask, who is frozen, and when each candidate asked last. It judges each time between two requests of a
// candidate when it is over. It ignores the coordinator.
func (f *standFold) observe(e *trace.Event) {
	s, own := &f.candidates[e.Candidate], &f.header.Candidates[e.Candidate]
	if own.Coordinator {
		return
	}
	switch e.Kind {
	case trace.RunStarted:
		if !s.stands {
			s.since = e.At
		}
		s.stands, s.away, s.cancelled, f.started = true, false, false, true
	case trace.RunReturned:
		if s.away = true; s.cancelled && own.Rejoins {
			s.stands, s.cancelled, s.since = true, false, e.At
		}
	case trace.RequestSent:
		f.judge(e.Candidate, e.At)
		s.since = e.At
	case trace.CancelAsked:
		f.judge(e.Candidate, e.At)
		s.stands, s.cancelled = false, e.Cause != trace.Terminated
	case trace.Crashed:
		f.judge(e.Candidate, e.At)
		s.stands, s.cancelled = false, false
	case trace.Paused:
		f.judge(e.Candidate, e.At)
		s.frozen = true
	case trace.Resumed:
		s.frozen, s.since = false, e.At
	}
}

// judge adds a violation if a candidate that had to ask, and could, has not done so for too long at the instant at, in
// nanoseconds of true time.
func (f *standFold) judge(candidate int32, at int64) {
	s := &f.candidates[candidate]
	latest := s.since + int64(f.header.Candidates[candidate].StandsWithin)
	if s.stands && !s.frozen && at > latest {
		f.violate(latest, at, candidate)
	}
}

// verdict judges a run that has reached its horizon, and sorts the violations by their times. It is inconclusive in the cases
// that standFold names, unless there is a violation.
func (f *standFold) verdict(horizonNs int64) Property {
	pending := func(s stander) bool { return s.stands && s.away && !s.frozen }
	short := func(c trace.Candidate) bool { return int64(c.StandsWithin) >= horizonNs }
	for i := range f.candidates {
		f.judge(int32(i), horizonNs)
	}
	slices.SortStableFunc(f.violations, func(a, b Violation) int { return cmp.Compare(a.FromNs, b.FromNs) })
	p := f.found.verdict(horizonNs)
	if p.Verdict == Held && (!f.started || slices.ContainsFunc(f.candidates, pending) || slices.ContainsFunc(f.header.Candidates, short)) {
		p.Verdict = Inconclusive
	}
	return p
}
