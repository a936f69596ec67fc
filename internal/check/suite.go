package check

import (
	"interregnum/internal/trace"
)

// Suite is all properties over one run, of each of its elections by itself. It is a trace.Selective.
type Suite struct {
	trace.ByElection[*electionSuite]
}

// NewSuite returns the properties of a run that is about to begin.
func NewSuite(h *trace.Header) *Suite {
	return &Suite{trace.NewByElection(h, newElectionSuite)}
}

// Properties returns one verdict for each property, in the order of Names, once the run has reached its horizon. It is the
// worst of all elections, with the violations of all in order of time.
func (s *Suite) Properties(horizonNs int64) []Property {
	all := s.Observers[0].properties(horizonNs)
	for _, other := range s.Observers[1:] {
		own := other.properties(horizonNs)
		for i := range all {
			all[i].merge(&own[i])
		}
	}
	return all
}

// Resource returns what became of the writes of guarded work, counted over all elections.
func (s *Suite) Resource() (all Resource) {
	for _, own := range s.Observers {
		r := &own.fence.resource
		all.Writes += r.Writes
		all.Conflicting += r.Conflicting
		all.Refused += r.Refused
	}
	return all
}

// electionSuite is all properties of one election.
type electionSuite struct {
	record recordFold
	belief overlapFold
	work   overlapFold
	window windowFold
	fence  fenceFold
	live   livenessFold
}

func newElectionSuite(h *trace.Header, r *trace.Roster) *electionSuite {
	return &electionSuite{
		record: newRecordFold(h, r),
		belief: overlapFold{header: h, on: &r.Believers},
		work:   overlapFold{header: h, on: &r.Workers},
		window: newWindowFold(h, r),
		fence:  newFenceFold(h),
		live:   newLivenessFold(h, r),
	}
}

// Wants tells whether any property looks at events of that kind.
func (s *electionSuite) Wants(k trace.Kind) bool {
	switch k {
	case trace.Written, trace.Deleted, trace.Edited, trace.BeliefBegan, trace.BeliefEnded, trace.WorkStarted,
		trace.WorkCancelled, trace.WorkEnded, trace.ClockChanged, trace.Crashed, trace.ResourceWritten,
		trace.RunStarted, trace.RunReturned:
		return true
	}
	return s.record.expiring.wants(k)
}

// Observe takes in an event.
func (s *electionSuite) Observe(e *trace.Event) {
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

func (s *electionSuite) properties(horizonNs int64) []Property {
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
