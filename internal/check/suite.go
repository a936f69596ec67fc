package check

import (
	"interregnum/internal/reuse"
	"interregnum/internal/trace"
)

// Suite is all properties over one run, of each of its elections by itself. It is a trace.Selective.
type Suite struct {
	trace.ByElection[*electionSuite]
	rows []*row
}

// NewSuite returns the properties of a run that is about to begin. A property that is judged only on request is among them if
// asked has its name.
func NewSuite(h *trace.Header, asked ...string) *Suite {
	s := &Suite{}
	s.Reset(h, asked...)
	return s
}

// Reset makes s what NewSuite returns for the same arguments. It uses the memory of the run that s judged before.
func (s *Suite) Reset(h *trace.Header, asked ...string) {
	s.rows = judging(table, asked, s.rows)
	s.ByElection.Reset(h, func(own *electionSuite, h *trace.Header, r *trace.Roster) *electionSuite {
		return own.renew(s.rows, h, r)
	})
}

// Properties returns one verdict for each property, in the order of Names, once the run has reached its horizon. Each verdict
// is the worst that an election got, with the violations of all elections in the order of their times. For a property about
// the run as a whole it is the verdict of the first election alone, since all get the same.
func (s *Suite) Properties(horizonNs int64) []Property {
	all := s.AppendProperties(nil, horizonNs)
	for i := range all {
		all[i].keep()
	}
	return all
}

// AppendProperties appends the verdicts that Properties describes to the slice to, and returns the result. horizonNs is the
// horizon that the run has reached, in nanoseconds of true time. Their violations are good until the next Reset, which uses that
// memory again. Either this or Properties is called, once for a run.
func (s *Suite) AppendProperties(to []Property, horizonNs int64) []Property {
	first := len(to)
	for e, own := range s.Observers {
		for i := range own.all {
			p := own.all[i].verdict(horizonNs)
			switch {
			case e == 0:
				to = append(to, p)
			case !own.all[i].of.whole:
				to[first+i].merge(&p)
			}
		}
	}
	return to
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
	roster *trace.Roster
	all    []judgement
	// wanted are the kinds that any fold or the roster looks at.
	wanted trace.KindSet
	// wanting are the folds that look at events of each kind, in the order of all. expires tells that they were chosen for a lock
	// that expires by itself.
	wanting [trace.Kinds][]fold
	expires bool
	// event is one of an exchange's.
	event trace.Event
}

// judgement is one property as it judges one election.
type judgement struct {
	of   *row
	fold fold
}

// renew returns a suite of the properties in rows, for an election that is about to begin. It uses the memory of s,
// unless s is nil.
func (s *electionSuite) renew(rows []*row, h *trace.Header, r *trace.Roster) *electionSuite {
	if s == nil {
		s = &electionSuite{}
	}
	expires := h.Service != nil
	known := s.wanted != 0 && len(s.all) == len(rows) && s.expires == expires
	s.roster, s.all, s.expires = r, reuse.Sized(s.all, len(rows)), expires
	for i := range rows {
		j := &s.all[i]
		if j.of != rows[i] {
			j.of, j.fold, known = rows[i], rows[i].fold(), false
		}
		j.fold.reset(h, r)
	}
	if !known {
		s.distribute()
	}
	return s
}

// distribute fills s.wanting with the folds that look at each kind of event, and s.wanted with all kinds that they or the roster
// look at.
func (s *electionSuite) distribute() {
	for k := range s.wanting {
		s.wanting[k] = s.wanting[k][:0]
	}
	s.wanted = rosterKinds
	for i := range s.all {
		f, kinds := s.all[i].fold, s.all[i].of.kinds
		if s.expires {
			kinds |= s.all[i].of.expiring
		}
		s.wanted |= kinds
		for k := range kinds.All() {
			s.wanting[k] = append(s.wanting[k], f)
		}
	}
}

// verdict returns the property's verdict on the election, with its name and kind. horizonNs is the horizon that the run has
// reached, in nanoseconds of true time.
func (j *judgement) verdict(horizonNs int64) Property {
	p := j.fold.verdict(horizonNs)
	p.Name, p.Kind = j.of.name, j.of.kind
	return p
}

// rosterKinds are those that the roster, which is told what the suite is told, has to know of.
var rosterKinds = trace.KindsOf(trace.Written, trace.Deleted, trace.Expired, trace.Edited, trace.BeliefBegan,
	trace.BeliefEnded, trace.WorkStarted, trace.WorkCancelled, trace.WorkEnded, trace.Crashed)

// Wants returns the kinds of event that any property or the roster looks at.
func (s *electionSuite) Wants() trace.KindSet { return s.wanted }

// Observe passes an event on to the folds that look at its kind.
func (s *electionSuite) Observe(e *trace.Event) {
	for _, f := range s.wanting[e.Kind] {
		f.observe(e)
	}
}

// WritesOnly tells whether no property is judged by requests that only read. It implements trace.ExchangeSink.
func (s *electionSuite) WritesOnly() bool {
	return s.wanted&(trace.ExchangeKinds|trace.ReadKinds)&^(1<<trace.Written) == 0
}

// Exchange passes on to the folds what they look at of x. A renewal as usual hurts no property, and no fold is told that it was
// written.
func (s *electionSuite) Exchange(x *trace.Exchange) {
	wanted := s.wanted & trace.ExchangeKinds
	if !x.Changed || s.roster.Renews(x) {
		wanted &^= 1 << trace.Written
	}
	if wanted == 0 { // so it is, unless the run is judged by what requests are sent
		return
	}
	for _, k := range [...]trace.Kind{trace.RequestSent, x.Applies(), trace.ResponseHandled} {
		if wanted.Has(k) {
			x.Fill(&s.event, k)
			s.Observe(&s.event)
		}
	}
}
