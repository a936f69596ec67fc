package trace

// ByElection passes the events of a run on to one observer for each of its elections. An observer gets its election as
// if there were no other. It has a roster of that election, which shows how things stood just before the event that the
// observer gets. The roster knows only of events of the kinds that the observer wants.
type ByElection[O Selective] struct {
	elections
	// Observers are in the order of Header.Elections.
	Observers []O
}

// NewByElection makes an observer for each election, from the header of that election by itself and a roster that the
// observer may ask.
func NewByElection[O Selective](h *Header, newOne func(*Header, *Roster) O) ByElection[O] {
	runs := h.Project()
	all := make([]election, max(len(runs), 1))
	b := ByElection[O]{elections{first: &all[0]}, make([]O, len(all))}
	for i := range all {
		own, header := &all[i], h
		if runs != nil {
			own.run, header, b.all = runs[i], runs[i].Header, all
		}
		own.roster = NewRoster(len(header.Candidates))
		b.Observers[i] = newOne(header, &own.roster)
		own.observer = b.Observers[i]
	}
	b.wanted = KindsThat(b.Observers[0].Wants)
	return b
}

// elections are the elections of a run, in order; all is nil if there is only one. wanted are the kinds of event that
// the observers want.
type elections struct {
	wanted KindSet
	first  *election
	all    []election
}

// election is one of a run's elections; run is nil if it is the only one.
type election struct {
	run      *Projection
	observer Selective
	roster   Roster
}

// Wants tells whether the observers look at events of that kind.
func (s *elections) Wants(k Kind) bool { return s.wanted.Has(k) }

// Observe takes in an event of the run.
func (s *elections) Observe(e *Event) {
	if !s.Wants(e.Kind) {
		return
	}
	if s.all != nil {
		s.split(e)
		return
	}
	s.first.observer.Observe(e)
	s.first.roster.Observe(e)
}

// split passes an event on to the election that it is about, or to all.
func (s *elections) split(e *Event) {
	all := s.all
	if i := s.first.run.of.Of(e); i >= 0 {
		all = all[i : i+1]
	}
	for i := range all {
		own := all[i].run.Event(e)
		all[i].observer.Observe(own)
		all[i].roster.Observe(own)
	}
}

// Projection is the part of a run that concerns one of its elections: the election's candidates, and the events about
// it. An event that is about no candidate and no lock concerns all elections. Use Header.Project.
type Projection struct {
	Header *Header
	// of has the election of each candidate of the whole run, place its place in that one's Header.
	of       CandidateElections
	place    []int32
	election int32
	event    Event
}

// Project returns the projections of a run on its elections, in the order of Elections; nil if there is only one.
func (h *Header) Project() []*Projection {
	if len(h.Elections) == 0 {
		return nil
	}
	all := make([]*Projection, len(h.Elections))
	of, place := h.CandidateElections(), make([]int32, len(h.Candidates))
	for i := range h.Elections {
		own := *h
		own.Candidates, own.Elections = nil, nil
		all[i] = &Projection{Header: &own, of: of, place: place, election: int32(i)}
	}
	for i := range h.Candidates {
		own := all[of[i]].Header
		place[i] = int32(len(own.Candidates))
		own.Candidates = append(own.Candidates, h.Candidates[i])
	}
	return all
}

// Event returns the event with its candidates numbered as in the projection, or nil if it is about another election.
// The result is good until the next call.
func (p *Projection) Event(e *Event) *Event {
	if of := p.of.Of(e); of >= 0 && of != p.election {
		return nil
	}
	p.event = *e
	p.event.Election, p.event.On = 0, p.own(e.On)
	if e.Candidate != Nobody {
		p.event.Candidate = p.place[e.Candidate]
	}
	return &p.event
}

// own returns the places in the projection of the given candidates of the whole run. It leaves out those of other
// elections.
func (p *Projection) own(on []int32) (own []int32) {
	for _, i := range on {
		if p.of[i] == p.election {
			own = append(own, p.place[i])
		}
	}
	return own
}

// CandidateElections has the election of each candidate of a run, as an index into Header.Elections; 0 where there is but
// one.
type CandidateElections []int32

// CandidateElections returns those of a run.
func (h *Header) CandidateElections() CandidateElections {
	index := make(map[string]int32, len(h.Elections))
	for i, name := range h.Elections {
		index[name] = int32(i)
	}
	all := make(CandidateElections, len(h.Candidates))
	for i := range h.Candidates {
		all[i] = index[h.Candidates[i].Election]
	}
	return all
}

// Of is the index of the election that an event of the run is about, -1 for all.
func (c CandidateElections) Of(e *Event) int32 {
	switch {
	case e.Candidate != Nobody:
		return c[e.Candidate]
	case e.Kind.ofLock():
		return e.Election
	}
	return -1
}
