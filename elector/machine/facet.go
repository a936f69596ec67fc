package machine

// Facet is one thing that a machine remembers. Two machines of one configuration do the same from then on if their
// facets are equal, or differ only by a shift of time and of transitions. This does not hold for the calls of
// OnNewLeader, nor after somebody deletes the lock object.
type Facet struct {
	Kind FacetKind
	// Number is a reading of a clock where Kind says so.
	Number int64
	// Name is an identity.
	Name string
}

// FacetKind says what a facet is.
type FacetKind uint8

const (
	// FacetNumber is a number.
	FacetNumber FacetKind = iota
	// FacetMono is a reading of the monotonic clock. All ages of LeaseDuration plus a second or more are the same.
	FacetMono
	// FacetWall is a reading of the wall clock. It is only compared with others: are they the same, or in one second?
	FacetWall
	// FacetStamp is a reading of the wall clock that makes no difference once it is past.
	FacetStamp
	// FacetTransitions is a number of transitions, of which only differences count.
	FacetTransitions
	// FacetName is an identity.
	FacetName
)

// Facets appends what the machine remembers and can still act on, in a fixed order. It leaves out the configuration, the raw
// form of a record, and what only OnNewLeader gets to see. It leaves out the numbers of requests too, since a host that waits
// for one request at a time need not compare them. If Run has returned, and has left no attempt running, it appends the phase alone.
func (m *Machine) Facets(out []Facet) []Facet {
	f := facets(out)
	f.number(int64(m.phase))
	if m.phase == Returned && len(m.left) == 0 { // nothing follows: the host calls Again before another Run
		return f
	}
	f.number(int64(m.await))
	f.flags(m.cancelled, m.expired, m.led, m.workEnds, m.workOver, m.told, m.buffered, m.hasObserved, m.own,
		m.gone, m.forgot, m.unread, m.hasSeen, m.earlier)
	f.flags(m.armed[:]...)
	if m.armed[Tick] {
		f.mono(m.tickAt)
	}
	if m.await == awaitResponse {
		f.underWay(m)
	}
	for i := range m.left {
		m.swap(&m.left[i])
		f.attempt(m)
		m.swap(&m.left[i])
	}
	if m.hasObserved {
		f.mono(m.observedAt)
		f.observation(m)
	}
	if m.hasSeen {
		f.record(&m.seen)
	}
	f.profiled(m)
	return f
}

// underWay appends the facets of the attempt or release in progress.
func (f *facets) underWay(m *Machine) {
	if m.phase != Releasing {
		f.attempt(m)
		return
	}
	f.number(int64(m.release.Verb))
	if m.release.Verb != Get { // a Get makes the record anew
		f.record(&m.release.Record)
	}
}

// attempt appends the facets of the attempt in progress. Of the time at which it began, most profiles only need to know
// whether the lease was valid then.
func (f *facets) attempt(m *Machine) {
	p, r := &m.cfg.Profile, &m.request.Record
	f.number(int64(m.attempt.step))
	f.flags(m.leaseValid(m.attempt.startedAt))
	if p.FromRenewal || p.ByCoordinator {
		f.mono(m.attempt.startedAt)
	}
	if p.FromSend || p.FromRenewal {
		f.mono(m.attempt.sentAt)
	}
	if p.ByCoordinator {
		f.record(r)
		return
	}
	if m.attempt.step != stepGet { // a Get replaces them by those of the record read
		f.transitions(r.Transitions)
	}
	f.wall(r.Acquire)
	if !p.StampRequest && m.attempt.step <= stepGet {
		f.wall(r.Renew) // for an update yet to come
	}
}

// observation appends the facets of the record last observed: its duration and, if it is the candidate's own, its
// acquireTime and transitions. The machine acts on nothing else in that record.
func (f *facets) observation(m *Machine) {
	r := &m.observed
	f.number(r.DurationSeconds)
	if m.own {
		f.wall(r.Acquire)
		f.transitions(r.Transitions)
	}
}

// profiled appends the facets that only some profiles act on.
func (f *facets) profiled(m *Machine) {
	if m.cfg.Profile.FromRenewal && (m.phase == Renewing || m.phase == Draining) {
		f.mono(m.renewedAt)
	}
	if m.cfg.Profile.StampRequest {
		*f = append(*f, Facet{Kind: FacetStamp, Number: int64(m.stamped)})
		if m.stamped > m.now.Wall {
			f.mono(m.stampedAt)
		}
	}
	if m.cfg.Profile.OwnByTerm && m.termTransitions >= 0 {
		f.wall(m.termAcquire)
		f.transitions(m.termTransitions)
		f.number(int64(m.termObject))
	}
}

// Facets appends the fields of the record to out.
func (r *Record) Facets(out []Facet) []Facet {
	f := facets(out)
	f.record(r)
	return f
}

// facets is a list of facets that is being made: its methods append to it.
type facets []Facet

// number appends plain numbers.
func (f *facets) number(numbers ...int64) {
	for _, n := range numbers {
		*f = append(*f, Facet{Kind: FacetNumber, Number: n})
	}
}

// transitions appends a number of transitions, a kind of facet of its own.
func (f *facets) transitions(n int64) {
	*f = append(*f, Facet{Kind: FacetTransitions, Number: n})
}

// flags appends the places, counted from 1, of those flags that are true, and then a 0 as the end.
func (f *facets) flags(flags ...bool) {
	for i, on := range flags {
		if on {
			f.number(int64(i) + 1)
		}
	}
	f.number(0)
}

// mono appends readings of the monotonic clock.
func (f *facets) mono(readings ...Mono) {
	for _, r := range readings {
		*f = append(*f, Facet{Kind: FacetMono, Number: int64(r)})
	}
}

// wall appends readings of the wall clock.
func (f *facets) wall(readings ...Wall) {
	for _, r := range readings {
		*f = append(*f, Facet{Kind: FacetWall, Number: int64(r)})
	}
}

// name appends an identity or another text.
func (f *facets) name(name string) { *f = append(*f, Facet{Kind: FacetName, Name: name}) }

// record appends the fields of a record. Those of coordinated elections it appends only if the record has them.
func (f *facets) record(r *Record) {
	f.name(r.Holder)
	f.number(r.DurationSeconds)
	f.transitions(r.Transitions)
	f.wall(r.Acquire, r.Renew)
	if r.Coordination != nil {
		f.name(r.strategy())
		f.name(r.preferredHolder())
	}
}
