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
	rows := judging(table(), asked)
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
		for _, f := range own.folds {
			if fence, is := f.(*fenceFold); is {
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
	rows  []row
	folds []fold
	// told has, for each kind of event, the folds that look at it. It is made once, since events are many.
	told [trace.Kinds][]fold
}

func newElectionSuite(rows []row, h *trace.Header, r *trace.Roster) *electionSuite {
	s := &electionSuite{rows: rows, folds: make([]fold, len(rows))}
	for i := range rows {
		s.folds[i] = rows[i].fold(h, r)
	}
	all := make([]fold, 0, len(rows)*len(s.told))
	for k := range s.told {
		from := len(all)
		for _, f := range s.folds {
			if f.wants(trace.Kind(k)) {
				all = append(all, f)
			}
		}
		s.told[k] = all[from:len(all):len(all)]
	}
	return s
}

// ofRoster tells whether the roster, which is told what the suite is told, has to know of events of that kind.
func ofRoster(k trace.Kind) bool {
	switch k {
	case trace.Written, trace.Deleted, trace.Expired, trace.Edited, trace.BeliefBegan, trace.BeliefEnded,
		trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded, trace.Crashed:
		return true
	}
	return false
}

// Wants tells whether any property or the roster looks at events of that kind.
func (s *electionSuite) Wants(k trace.Kind) bool { return len(s.told[k]) > 0 || ofRoster(k) }

// Observe takes in an event.
func (s *electionSuite) Observe(e *trace.Event) {
	for _, f := range s.told[e.Kind] {
		f.observe(e)
	}
}

func (s *electionSuite) properties(horizonNs int64) []Property {
	all := make([]Property, len(s.folds))
	for i, f := range s.folds {
		all[i] = f.verdict(horizonNs)
		all[i].Name, all[i].Kind = s.rows[i].name, s.rows[i].kind
	}
	return all
}
