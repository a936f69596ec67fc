package machine

// Facet is one thing that a machine remembers. Two machines of one configuration whose facets are equal, but for a shift
// of time, do the same from then on.
type Facet struct {
	Kind FacetKind
	// Number is a reading of a clock where Kind says so.
	Number int64
	// Name is an identity.
	Name string
}

// FacetKind is what a facet is.
type FacetKind uint8

// A number, a reading of either clock, or an identity.
const (
	FacetNumber FacetKind = iota
	FacetMono
	FacetWall
	FacetName
)

// Facets appends what the machine remembers and may yet act on, in an order of its own. It leaves out the configuration,
// the numbers of requests, which a host that waits for one at a time need not compare, the raw form of a record, and whom
// it has reported as leader.
func (m *Machine) Facets(out []Facet) []Facet {
	f := facets(out)
	f.number(int64(m.phase))
	if m.phase == Returned && !m.detached {
		return f
	}
	f.number(int64(m.await))
	f.flags(m.cancelled, m.expired, m.led, m.workEnds, m.workOver, m.buffered, m.detached, m.hasObserved, m.own,
		m.gone, m.forgot, m.hasSeen)
	f.flags(m.armed[:]...)
	if m.armed[Tick] {
		f.mono(m.tickAt)
	}
	if m.await == awaitResponse || m.detached {
		f.underWay(m)
	}
	f.mono(m.observedAt)
	f.record(&m.observed)
	f.record(&m.seen)
	f.profiled(m)
	return f
}

// underWay are the facets of an attempt or a release: each begins anew.
func (f *facets) underWay(m *Machine) {
	if m.phase == Releasing {
		f.number(int64(m.release.Verb))
		f.record(&m.release.Record)
	}
	if m.phase != Releasing || m.detached {
		f.number(int64(m.attempt.step))
		f.mono(m.attempt.startedAt, m.attempt.sentAt)
		f.record(&m.request.Record)
	}
}

// profiled are the facets that only some profiles act on.
func (f *facets) profiled(m *Machine) {
	if m.cfg.Profile.Deadline == FromRenewal {
		f.mono(m.renewedAt)
	}
	if m.cfg.Profile.Stamp == StampRequest {
		f.wall(m.stamped)
	}
	if m.cfg.Profile.Own == OwnByTerm {
		f.wall(m.termAcquire)
		f.number(m.termTransitions)
	}
}

// Facets appends what a record says.
func (r *Record) Facets(out []Facet) []Facet {
	f := facets(out)
	f.record(r)
	return f
}

type facets []Facet

func (f *facets) number(numbers ...int64) {
	for _, n := range numbers {
		*f = append(*f, Facet{Kind: FacetNumber, Number: n})
	}
}

func (f *facets) flags(flags ...bool) {
	for i, on := range flags {
		if on {
			f.number(int64(i) + 1)
		}
	}
	f.number(0)
}

func (f *facets) mono(readings ...Mono) {
	for _, r := range readings {
		*f = append(*f, Facet{Kind: FacetMono, Number: int64(r)})
	}
}

func (f *facets) wall(readings ...Wall) {
	for _, r := range readings {
		*f = append(*f, Facet{Kind: FacetWall, Number: int64(r)})
	}
}

func (f *facets) name(name string) { *f = append(*f, Facet{Kind: FacetName, Name: name}) }

func (f *facets) record(r *Record) {
	f.name(r.Holder)
	f.number(r.DurationSeconds, r.Transitions)
	f.wall(r.Acquire, r.Renew)
}
