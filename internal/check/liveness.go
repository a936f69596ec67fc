package check

import (
	"cmp"
	"slices"

	"interregnum/internal/reuse"
	"interregnum/internal/trace"
)

// livenessFold is liveness: once the last fault is over, a leader works within the header's bound. Where a fault never
// ends, a rollout is not over when it should be, the horizon comes first or all candidates have left, it is inconclusive.
// So it is if candidates that live were without a leader, later too, for so long that only the waits in the bound allow it.
type livenessFold struct {
	found
	roster *trace.Roster
	// alive are the candidates that run or will run again.
	alive []bool
	// calm: the last fault is over, and how things stood then has been looked at. met: a leader has worked since.
	calm, met bool
	late      int64
	// ledTo is until when, after the calm, somebody led or nobody was there who could. alone is the longest time from such an
	// instant on without a leader.
	ledTo, alone int64
	// rolling are the rollouts that are not over. unfinished: one was not when all should have been.
	rolling    int
	unfinished bool
}

// reset begins the judgement of a run: nobody runs, and all rollouts of the header are yet to be over. It implements fold.
func (f *livenessFold) reset(h *trace.Header, r *trace.Roster) {
	*f = livenessFold{found: f.found.again(h), roster: r, alive: reuse.Zeroed(f.alive, len(h.Candidates)), rolling: len(h.Rollouts)}
}

// livenessKinds also has the ends of work: each event that the fold is told shows that time has come so far.
var livenessKinds = trace.KindsOf(trace.RunStarted, trace.RunReturned, trace.Crashed, trace.WorkStarted,
	trace.WorkCancelled, trace.WorkEnded, trace.FaultEnded, trace.FaultVoid)

// observe stores who runs or will run again, how many rollouts are not over, and how late the first leader works after the last
// fault is over.
func (f *livenessFold) observe(e *trace.Event) {
	f.reach(e.At)
	switch e.Kind {
	case trace.RunStarted:
		f.alive[e.Candidate] = !f.header.Candidates[e.Candidate].Coordinator
	case trace.RunReturned:
		f.alive[e.Candidate] = f.header.Candidates[e.Candidate].Rejoins
	case trace.Crashed:
		f.alive[e.Candidate] = false
	case trace.FaultEnded, trace.FaultVoid:
		if f.header.IsRollout(e.Fault) {
			f.rolling--
		}
	case trace.WorkStarted:
		if f.calm && !f.met {
			f.met, f.late = true, e.At-int64(f.header.Calm)
		}
	}
}

// reach is called with the time of each event before it is observed, and with the horizon; at is in nanoseconds of true time.
// At the first time after the end of the last fault, it stores whether anybody leads then, and whether a rollout is not over.
// From then on it stores for how long nobody has led, unless the header's bound has no waits.
func (f *livenessFold) reach(at int64) {
	if at <= int64(f.header.Calm) || f.calm && f.header.Waits == 0 {
		return
	}
	led := f.roster.Led()
	if !f.calm {
		f.calm, f.met, f.unfinished, f.ledTo = true, led, f.rolling > 0, int64(f.header.Calm)
	}
	if led || !f.anybody() {
		f.ledTo = at
	}
	f.alone = max(f.alone, at-f.ledTo)
}

// verdict judges a run that has reached its horizon. It is inconclusive in the cases that livenessFold names. A violation
// lasts from when a leader was due until one worked.
func (f *livenessFold) verdict(horizonNs int64) Property {
	f.reach(horizonNs)
	calm, bound := int64(f.header.Calm), int64(f.header.Failover)
	switch why := f.why(horizonNs); {
	case why != "":
		return Property{Verdict: Inconclusive, Why: why, Violations: []Violation{}}
	case !f.met:
		f.violate(calm+bound, horizonNs)
	case f.late > bound:
		f.violate(calm+bound, calm+f.late)
	case f.header.Waits > 0 && f.alone > bound-int64(f.header.Waits):
		return Property{Verdict: Inconclusive, Why: "nobody led for longer than is allowed unless clients keep requests back",
			Violations: []Violation{}}
	}
	return f.found.verdict(horizonNs)
}

// why returns in a few words why nothing is known of a run that has reached its horizon, whenever a leader has worked; "" if
// something is.
func (f *livenessFold) why(horizonNs int64) string {
	switch {
	case f.header.Endless:
		return cmp.Or(f.header.EndlessBy, "something lasts to the end of the run") // headers of older files have no reason
	case !f.calm:
		return "the run ends before the last fault is over and the last candidate has started"
	case f.unfinished:
		return "a rollout was not over when it should have been"
	case f.met:
		return ""
	case !f.anybody():
		return "all candidates have left"
	case horizonNs < int64(f.header.Calm+f.header.Failover):
		return "the run ends before a leader is due"
	}
	return ""
}

// anybody tells whether any candidate runs or will run again.
func (f *livenessFold) anybody() bool { return slices.Contains(f.alive, true) }
