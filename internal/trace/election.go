package trace

// Projection is what a run is to one of its elections: its candidates alone, and only the events that are about it.
// Process-wide events of a candidate are in each of its elections. Use Header.Project.
type Projection struct {
	Header *Header
	// local is, by candidate of the whole run, its place in Header, or Nobody.
	local    []int32
	election int32
	event    Event
}

// Project returns what a run is to the election of that index.
func (h *Header) Project(election int) *Projection {
	clean := *h
	p := &Projection{Header: &clean, election: int32(election), local: make([]int32, len(h.Candidates))}
	clean.Candidates, clean.Elections = nil, nil
	for i := range h.Candidates {
		p.local[i] = Nobody
		if h.Candidates[i].Election == h.Elections[election] {
			p.local[i] = int32(len(clean.Candidates))
			clean.Candidates = append(clean.Candidates, h.Candidates[i])
		}
	}
	return p
}

// Event is the event as the projection has it, nil where it is about another election. It is good until the next call.
func (p *Projection) Event(e *Event) *Event {
	switch {
	case e.Candidate != Nobody && p.local[e.Candidate] == Nobody:
		return nil
	case e.Candidate == Nobody && e.Kind.ofLock() && e.Election != p.election:
		return nil
	}
	p.event = *e
	p.event.Election = 0
	if e.Candidate != Nobody {
		p.event.Candidate = p.local[e.Candidate]
	}
	return &p.event
}

// ofLock tells whether events of that kind are nobody's, but about the lock of one election.
func (k Kind) ofLock() bool { return k == Deleted || k == Expired || k == Edited }
