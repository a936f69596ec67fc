package trace

// ByElection passes the events of a run on to one observer for each of its elections, each as if there were no other; and
// to a single one where there is but one election. Each observer has a roster of its election, which shows how things stood
// just before the event that the observer is told; it knows only of events of the kinds that the observer wants.
type ByElection[O Selective] struct {
	elections
	// Observers are in the order of Header.Elections.
	Observers []O
}

// NewByElection makes an observer for each election: of what the run is to it, with the roster that it may ask.
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
	for k := RunStarted; k < kinds; k++ {
		if b.Observers[0].Wants(k) {
			b.wanted |= 1 << k
		}
	}
	return b
}

// elections are those of a run, in order: all is nil where there is but one. wanted has a bit for each kind of event that
// the observers want.
type elections struct {
	wanted uint64
	first  *election
	all    []election
}

// election is one of a run's; run is nil where there is but one.
type election struct {
	run      *Projection
	observer Selective
	roster   Roster
}

// Wants tells whether the observers look at events of that kind.
func (s *elections) Wants(k Kind) bool { return s.wanted>>(k&63)&1 != 0 }

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

// Projection is what a run is to one of its elections: its candidates alone, and only the events that are about it. What
// is nobody's and about no lock is in all of them. Use Header.Project.
type Projection struct {
	Header *Header
	// of has the election of each candidate of the whole run, place its place in that one's Header.
	of       CandidateElections
	place    []int32
	election int32
	event    Event
}

// Project returns what a run is to each of its elections, in the order of Elections; nil where there is but one.
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

// Event returns the event with its candidates numbered as in the projection, nil where it is about another election.
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

// own returns those of the given candidates of the whole run that are in the projection, by their places there.
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
