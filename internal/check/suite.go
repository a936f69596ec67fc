package check

import (
	"interregnum/internal/trace"
)

// Suite is all properties over one run, of each of its elections by itself. It is a trace.Selective.
type Suite struct {
	trace.ByElection[*electionSuite]
}

// NewSuite returns the properties of a run that is about to begin, with those that are judged only if asked for by name.
func NewSuite(h *trace.Header, asked ...string) *Suite {
	rows := judging(table, asked)
	return &Suite{trace.NewByElection(h, func(h *trace.Header, r *trace.Roster) *electionSuite {
		return newElectionSuite(rows, h, r)
	})}
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
		for i := range own.all {
			if fence, is := own.all[i].fold.(*fenceFold); is {
				all.Writes += fence.resource.Writes
				all.Conflicting += fence.resource.Conflicting
				all.Refused += fence.resource.Refused
			}
		}
	}
	return all
}

// electionSuite is all properties of one election.
type electionSuite struct {
	all []judgement
	// wanted are the kinds of event that some property or the roster looks at.
	wanted trace.KindSet
}

// judgement is by one property of one election.
type judgement struct {
	of     *row
	fold   fold
	wanted trace.KindSet
}

func newElectionSuite(rows []row, h *trace.Header, r *trace.Roster) *electionSuite {
	s := &electionSuite{all: make([]judgement, len(rows)), wanted: rosterKinds}
	for i := range rows {
		f := rows[i].fold(h, r)
		s.all[i] = judgement{&rows[i], f, f.wants()}
		s.wanted |= s.all[i].wanted
	}
	return s
}

// rosterKinds are those that the roster, which is told what the suite is told, has to know of.
var rosterKinds = trace.KindsOf(trace.Written, trace.Deleted, trace.Expired, trace.Edited, trace.BeliefBegan,
	trace.BeliefEnded, trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded, trace.Crashed)

// Wants tells whether any property or the roster looks at events of that kind.
func (s *electionSuite) Wants(k trace.Kind) bool { return s.wanted.Has(k) }

// Observe takes in an event.
func (s *electionSuite) Observe(e *trace.Event) {
	for i := range s.all {
		if j := &s.all[i]; j.wanted.Has(e.Kind) {
			j.fold.observe(e)
		}
	}
}

func (s *electionSuite) properties(horizonNs int64) []Property {
	all := make([]Property, len(s.all))
	for i := range s.all {
		j := &s.all[i]
		all[i] = j.fold.verdict(horizonNs)
		all[i].Name, all[i].Kind = j.of.name, j.of.kind
	}
	return all
}
