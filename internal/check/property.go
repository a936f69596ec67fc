// Package check judges a run by its events: one file a property, each an online fold that looks into nothing
// but the trace.
package check

import (
	"slices"

	"interregnum/internal/explain"
	"interregnum/internal/trace"
)

// Verdict is what a property says of a run.
type Verdict string

// The three verdicts.
const (
	Held         Verdict = "held"
	Violated     Verdict = "violated"
	Inconclusive Verdict = "inconclusive"
)

// Kind is what sort of claim a property makes.
type Kind string

// The three kinds.
const (
	Always     Kind = "always"
	Sometimes  Kind = "sometimes"
	Eventually Kind = "eventually"
)

// The properties' names.
const (
	SingleRecord = "single-record"
	SingleBelief = "single-belief"
	SingleWork   = "single-work"
	SafetyWindow = "safety-window"
	FencedWrites = "fenced-writes"
	Liveness     = "liveness"
)

// Names returns the names of all properties, in the order in which they are reported.
func Names() []string {
	return []string{SingleRecord, SingleBelief, SingleWork, SafetyWindow, FencedWrites, Liveness}
}

// Violation is a stretch of true time, [FromNs, ToNs), in which a property did not hold.
// What happened at an instant has FromNs = ToNs.
type Violation struct {
	FromNs     int64    `json:"fromNs"`
	ToNs       int64    `json:"toNs"`
	Candidates []string `json:"candidates"`
	// Election is whose, "" where there is but one.
	Election string `json:"election,omitempty"`
	// Explanations are of each two candidates whose work overlapped, where they were asked for.
	Explanations []explain.Explanation `json:"explanations,omitempty"`
}

// Names are what reports call its candidates.
func (v *Violation) Names() []string { return InElection(v.Election, v.Candidates...) }

// InElection returns what reports call the candidates with these ids in an election, which is "" where there is but one.
func InElection(election string, ids ...string) []string {
	names := slices.Clone(ids)
	for i := range names {
		names[i] = (&trace.Candidate{ID: ids[i], Election: election}).Name()
	}
	return names
}

// Property is a property's verdict on one run.
type Property struct {
	Name    string  `json:"name"`
	Kind    Kind    `json:"kind"`
	Verdict Verdict `json:"verdict"`
	// OverlapNs is the length of the longest violation.
	OverlapNs  int64       `json:"overlapNs"`
	Violations []Violation `json:"violations"`
}

// Suite is all properties over one run. It is a trace.Sink.
type Suite struct {
	record recordFold
	belief overlapFold
	work   overlapFold
	window windowFold
	fence  fenceFold
	live   livenessFold
	// elections are nil where there is but one; else each is judged by itself, and the rest of the suite is not used.
	elections []electionSuite
}

// NewSuite returns the properties of a run that is about to begin.
func NewSuite(h *trace.Header) *Suite {
	if len(h.Elections) > 0 {
		return newElectionSuites(h)
	}
	return &Suite{
		record: newRecordFold(h),
		belief: newOverlapFold(h, trace.BeliefBegan, trace.BeliefEnded),
		work:   newOverlapFold(h, trace.WorkStarted, trace.WorkEnded),
		window: newWindowFold(h),
		fence:  newFenceFold(h),
		live:   newLivenessFold(h),
	}
}

// Wants tells whether any property looks at events of that kind.
func (s *Suite) Wants(k trace.Kind) bool {
	switch k {
	case trace.Written, trace.Deleted, trace.Edited, trace.BeliefBegan, trace.BeliefEnded, trace.WorkStarted,
		trace.WorkCancelled, trace.WorkEnded, trace.ClockChanged, trace.Crashed, trace.ResourceWritten,
		trace.RunStarted, trace.RunReturned:
		return true
	}
	return s.record.expiring.wants(k) || slices.ContainsFunc(s.elections, func(e electionSuite) bool {
		return e.suite.Wants(k)
	})
}

// Observe takes in an event.
func (s *Suite) Observe(e *trace.Event) {
	if s.elections != nil {
		s.observeElections(e)
		return
	}
	switch e.Kind {
	case trace.Expired:
		if e.Object.Expires() {
			s.record.observe(e)
			s.window.observe(e)
		}
	case trace.RequestSent, trace.RequestLost, trace.RequestApplied:
		s.record.expiring.follow(e)
	case trace.ServiceClock:
		s.record.expiring.follow(e)
		s.window.observe(e)
	case trace.Edited:
		s.record.objects[trace.Lease] = recordState{exists: true, version: e.Version}
	case trace.Written, trace.Deleted:
		s.record.observe(e)
		s.window.observe(e)
	case trace.BeliefBegan, trace.BeliefEnded:
		s.belief.observe(e)
	case trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded:
		s.work.observe(e)
		s.window.observe(e)
		s.fence.observe(e)
		s.live.observe(e)
	case trace.ResourceWritten:
		s.fence.observe(e)
	case trace.ClockChanged:
		s.record.expiring.follow(e)
		s.window.observe(e)
	case trace.Crashed:
		s.window.observe(e)
		s.live.observe(e)
	case trace.RunStarted, trace.RunReturned:
		s.live.observe(e)
	}
}

// Properties returns the verdicts, in the order of Names, once the run has reached its horizon.
func (s *Suite) Properties(horizonNs int64) []Property {
	if s.elections != nil {
		return s.mergedProperties(horizonNs)
	}
	s.belief.finish(horizonNs)
	s.work.finish(horizonNs)
	return []Property{
		verdict(SingleRecord, s.record.violations),
		verdict(SingleBelief, s.belief.violations),
		verdict(SingleWork, s.work.violations),
		verdict(SafetyWindow, s.window.violations),
		verdict(FencedWrites, s.fence.violations),
		s.live.property(horizonNs),
	}
}

// Resource returns what became of the writes of guarded work, counted over all elections.
func (s *Suite) Resource() Resource {
	all := s.fence.resource
	for i := range s.elections {
		r := s.elections[i].suite.Resource()
		all.Writes += r.Writes
		all.Conflicting += r.Conflicting
		all.Refused += r.Refused
	}
	return all
}

// verdict makes a Property of the kind Always of its violations: it is held where there are none.
func verdict(name string, violations []Violation) Property {
	p := Property{Name: name, Kind: Always, Verdict: Held, Violations: []Violation{}}
	if len(violations) == 0 {
		return p
	}
	p.Verdict, p.Violations = Violated, violations
	for _, v := range violations {
		p.OverlapNs = max(p.OverlapNs, v.ToNs-v.FromNs)
	}
	return p
}
