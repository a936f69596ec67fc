package trace

import "interregnum/internal/reuse"

// ByElection passes the events of a run on to one observer for each of its elections. An observer gets its election as
// if there were no other. It has a roster of that election, which shows how things stood just before the event that the
// observer gets. The roster knows only of events of the kinds that the observer wants.
type ByElection[O Selective] struct {
	elections
	// Observers are in the order of Header.Elections.
	Observers []O
}

// NewByElection calls newOne to make an observer for each election. newOne gets the header of that election by itself, and a
// roster that the observer may ask. All observers must want the same kinds of event.
func NewByElection[O Selective](h *Header, newOne func(*Header, *Roster) O) (b ByElection[O]) {
	b.Reset(h, func(_ O, h *Header, r *Roster) O { return newOne(h, r) })
	return b
}

// Reset makes b what NewByElection returns, in the memory of an earlier run. It calls renew to make each observer. last is the
// observer of the earlier run for that election, or a zero value if there is none. All observers must want the same kinds of
// event.
func (b *ByElection[O]) Reset(h *Header, renew func(last O, h *Header, r *Roster) O) {
	b.begin(h)
	b.Join(b, renew)
}

// Join makes observers as Reset does, for a run that has been reset already: those of the run get their events first, and then,
// by the way, the observers of b. All share their rosters, which also know of events that only the others want. b itself is then
// given no events.
func (b *ByElection[O]) Join(run Run, renew func(last O, h *Header, r *Roster) O) {
	s := run.ofRun()
	b.Observers = reuse.Sized(b.Observers, len(s.memory))
	for i := range s.memory {
		own := &s.memory[i]
		b.Observers[i] = renew(b.Observers[i], own.header, &own.roster)
		own.join(b.Observers[i])
	}
	s.add(b.Observers[0])
}

// join adds an observer to those that want events of the kinds that it wants.
func (own *election) join(o Selective) {
	for k := range o.Wants().All() {
		own.wanting[k] = append(own.wanting[k], o)
	}
}

// Run is a ByElection, whose observers others can join.
type Run interface{ ofRun() *elections }

// elections are the elections of a run, in order; all is nil if there is only one. wanted are the kinds of event that
// the observers want.
type elections struct {
	wanted KindSet
	first  *election
	all    []election
	// exchanges are those observers of the first election that take an exchange as one. looks: one of them does not want writes only.
	// singly: another observer wants some of the events of an exchange. event is one of these.
	exchanges     []ExchangeSink
	looks, singly bool
	event         Event
	// runs and memory are kept for the next run.
	runs   []*Projection
	memory []election
}

// election is one of a run's elections, with its header; run is nil if it is the only one. wanting are the observers that want
// events of each kind.
type election struct {
	run     *Projection
	header  *Header
	wanting [kinds][]Selective
	roster  Roster
}

// ofRun returns s. It implements Run.
func (s *elections) ofRun() *elections { return s }

// begin begins a run of the header, in which nobody observes anything yet.
func (s *elections) begin(h *Header) {
	s.runs = h.project(s.runs)
	s.memory = reuse.Sized(s.memory, max(len(s.runs), 1))
	s.first, s.all, s.wanted = &s.memory[0], nil, 0
	s.exchanges, s.looks, s.singly = s.exchanges[:0], false, false
	for i := range s.memory {
		own := &s.memory[i]
		own.run, own.header = nil, h
		if len(s.runs) > 0 {
			own.run, own.header, s.all = s.runs[i], s.runs[i].Header, s.memory
		}
		for k := range own.wanting {
			own.wanting[k] = own.wanting[k][:0]
		}
		own.roster.Reset()
	}
}

// add notes what an observer of the first election wants, as those of the others do.
func (s *elections) add(o Selective) {
	s.wanted |= o.Wants()
	if whole, is := o.(ExchangeSink); is {
		s.exchanges, s.looks = append(s.exchanges, whole), s.looks || !whole.WritesOnly()
		return
	}
	s.singly = s.singly || o.Wants()&ExchangeKinds != 0
}

// Wants returns the kinds of event that the observers look at.
func (s *elections) Wants() KindSet { return s.wanted }

// Observe passes an event of the run on to the observers of the election that it is about, or to those of all elections if it is
// about none in particular. After them it tells the election's roster of the event. It ignores events of kinds that no
// observer wants; rosters do not learn of them either.
func (s *elections) Observe(e *Event) {
	if s.all != nil {
		s.split(e)
		return
	}
	s.first.observe(e)
}

// observe passes an event of the election on to the observers that want its kind and then, if there is one, to the roster.
func (own *election) observe(e *Event) {
	wanting := own.wanting[e.Kind]
	for _, o := range wanting {
		o.Observe(e)
	}
	if len(wanting) > 0 && rosterKinds.Has(e.Kind) { // most events are of other kinds
		own.roster.observe(e)
	}
}

// Exchange passes the events of an exchange on, as Observe does. If there is only one election, and all its observers that want
// any of these events are ExchangeSinks, they get the exchange as one, and then the roster does.
func (s *elections) Exchange(x *Exchange) {
	if s.singly || s.all != nil {
		s.part(x, RequestSent)
		s.part(x, x.Applies())
		s.part(x, ResponseHandled)
		return
	}
	for _, o := range s.exchanges {
		o.Exchange(x)
	}
	if x.Changed && s.wanted.Has(Written) {
		s.first.roster.exchange(x)
	}
}

// WritesOnly implements ExchangeSink.
func (s *elections) WritesOnly() bool { return !s.singly && s.all == nil && !s.looks }

// part passes on the event of kind k that the exchange x stands for, unless no observer wants it.
func (s *elections) part(x *Exchange, k Kind) {
	if s.wanted.Has(k) {
		s.fillPart(x, k)
	}
}

// fillPart passes on the event of kind k that the exchange x stands for. It makes that event in s.event.
func (s *elections) fillPart(x *Exchange, k Kind) {
	x.Fill(&s.event, k)
	s.Observe(&s.event)
}

// split passes an event on to the observer, and then to the roster, of the election that it is about, or of each election.
func (s *elections) split(e *Event) {
	all := s.all
	if i := s.first.run.of.Of(e); i >= 0 {
		all = all[i : i+1]
	}
	for i := range all {
		all[i].observe(all[i].run.Event(e))
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
	// on is the memory of Event.On.
	on []int32
}

// Project returns the projections of a run on its elections, in the order of Elections; nil if there is only one.
func (h *Header) Project() []*Projection { return h.project(nil) }

// project returns the projections of a run on its elections, in the order of Elections, in the memory of all, earlier projections
// that must not be used any more. If there is only one election, the result is empty, and nil only if all is nil.
func (h *Header) project(all []*Projection) []*Projection {
	all = reuse.Sized(all, len(h.Elections))
	if len(all) == 0 {
		return all
	}
	var last Projection
	if all[0] != nil {
		last = *all[0]
	}
	of, place := h.candidateElections(last.of), reuse.Sized(last.place, len(h.Candidates))
	for i := range all {
		if all[i] == nil {
			all[i] = &Projection{Header: &Header{}}
		}
		p := all[i]
		candidates := p.Header.Candidates[:0]
		*p = Projection{Header: p.Header, of: of, place: place, election: int32(i), on: p.on}
		*p.Header = *h
		p.Header.Candidates, p.Header.Elections = candidates, nil
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

// own returns the places in the projection of the candidates in on, which are numbered as in the whole run. It leaves out those
// of other elections, and returns nil for none. The result is good until the next call.
func (p *Projection) own(on []int32) []int32 {
	p.on = p.on[:0]
	for _, i := range on {
		if p.of[i] == p.election {
			p.on = append(p.on, p.place[i])
		}
	}
	if len(p.on) == 0 {
		return nil
	}
	return p.on
}

// CandidateElections has the election of each candidate of a run, as an index into Header.Elections; 0 where there is but
// one.
type CandidateElections []int32

// CandidateElections returns the election of each candidate.
func (h *Header) CandidateElections() CandidateElections { return h.candidateElections(nil) }

// candidateElections returns the election of each candidate, in the memory of all, an earlier result. The search for a
// candidate's election starts at that of the candidate before, since the elections of a candidate follow each other.
func (h *Header) candidateElections(all CandidateElections) CandidateElections {
	all = reuse.Zeroed(all, len(h.Candidates))
	at := 0
	for i := range h.Candidates {
		for range h.Elections {
			if h.Elections[at] == h.Candidates[i].Election {
				all[i] = int32(at)
				break
			}
			at = (at + 1) % len(h.Elections)
		}
	}
	return all
}

// Of returns the index of the election that an event of the run is about, -1 for all.
func (c CandidateElections) Of(e *Event) int32 {
	switch {
	case e.Candidate != Nobody:
		return c[e.Candidate]
	case e.Kind.ofLock():
		return e.Election
	}
	return -1
}
