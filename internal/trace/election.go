package trace

// Projection is what a run is to one of its elections: its candidates alone, and only the events that are about it. What
// is nobody's and about no lock is in all of them. Use Header.Project.
type Projection struct {
	Header *Header
	// of and place are, by candidate of the whole run, the index of its election and its place in that one's Header.
	of, place []int32
	election  int32
	event     Event
}

// Project returns what a run is to each of its elections, in the order of Elections; nil where there is but one.
func (h *Header) Project() []*Projection {
	if len(h.Elections) == 0 {
		return nil
	}
	all := make([]*Projection, len(h.Elections))
	index := make(map[string]int32, len(h.Elections))
	of, place := make([]int32, len(h.Candidates)), make([]int32, len(h.Candidates))
	for i, name := range h.Elections {
		own := *h
		own.Candidates, own.Elections = nil, nil
		all[i] = &Projection{Header: &own, of: of, place: place, election: int32(i)}
		index[name] = int32(i)
	}
	for i := range h.Candidates {
		of[i] = index[h.Candidates[i].Election]
		own := all[of[i]].Header
		place[i] = int32(len(own.Candidates))
		own.Candidates = append(own.Candidates, h.Candidates[i])
	}
	return all
}

// Event returns the event with its candidates numbered as in the projection, nil where it is about another election.
// The result is good until the next call.
func (p *Projection) Event(e *Event) *Event {
	if of := p.Of(e); of >= 0 && of != p.election {
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

// Of is the index of the election that an event of the whole run is about, -1 for all.
func (p *Projection) Of(e *Event) int32 {
	switch {
	case e.Candidate != Nobody:
		return p.of[e.Candidate]
	case e.Kind.ofLock():
		return e.Election
	}
	return -1
}
