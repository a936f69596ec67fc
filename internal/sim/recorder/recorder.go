// Package recorder makes the trace of a run.
package recorder

import (
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
	"interregnum/internal/trace"
)

// Recorder numbers the events of a run, hashes them, and shows them to sinks.
type Recorder struct {
	// Count is how many events there were; Last is the last one, or the one that is being filled in.
	Count uint64
	Last  trace.Event
	// NoHash leaves events out of the hash.
	NoHash bool

	time *queue.Timeline
	hash *trace.Hash
	// ofReads are the kinds of event that some sink wants that are about a Get.
	ofReads trace.KindSet
	// sinks are all, and alone are those that want the events of an exchange one by one. singly are the kinds that some of the latter want.
	sinks, alone []listener
	singly       trace.KindSet
	// writes are the sinks that take in an exchange as one and want one of its events, and looks those of them that want exchanges
	// which only read too.
	writes, looks []trace.ExchangeSink
}

// listener is a sink, and the kinds of event that it wants.
type listener struct {
	wanted trace.KindSet
	sink   trace.Sink
}

// Reset makes r the recorder of a new run with that timeline. Each sink gets the events of the kinds that it wants.
func (r *Recorder) Reset(time *queue.Timeline, sinks []trace.Sink) {
	r.Count, r.Last, r.time = 0, trace.Event{}, time
	if r.hash == nil {
		r.hash = trace.NewHash()
	} else {
		r.hash.Reset()
	}
	r.sinks, r.alone, r.singly = r.sinks[:0], r.alone[:0], 0
	r.writes, r.looks, r.ofReads = r.writes[:0], r.looks[:0], 0
	for _, s := range sinks {
		l := listener{trace.KindsWanted(s), s}
		r.sinks = append(r.sinks, l)
		if whole, is := s.(trace.ExchangeSink); is {
			r.wholly(whole, l.wanted)
			continue
		}
		r.ofReads |= l.wanted
		r.alone = append(r.alone, l)
		r.singly |= l.wanted & trace.ExchangeKinds
	}
}

// wholly adds s, a sink that takes in an exchange as one and wants the kinds wanted, to r.writes if those are of an exchange at all, and
// to r.looks if some are of one that only reads. It adds to r.ofReads what s has to see of a read. A sink that needs no reads is not
// added to r.looks.
func (r *Recorder) wholly(s trace.ExchangeSink, wanted trace.KindSet) {
	if wanted&trace.ExchangeKinds != 0 {
		r.writes = append(r.writes, s)
	}
	if s.WritesOnly() {
		r.ofReads |= wanted &^ trace.ReadKinds
		return
	}
	r.ofReads |= wanted
	if wanted&trace.ExchangeKinds&^(1<<trace.Written) != 0 {
		r.looks = append(r.looks, s)
	}
}

// Passes tells whether nobody is to see an event of kind k about a Get of a seat. If so it counts one, which need not be made.
func (r *Recorder) Passes(k trace.Kind, s *seat.Seat) bool {
	if !r.NoHash || r.ofReads.Has(k) {
		return false
	}
	r.Count++
	r.Last.Candidate = s.Index // that an error would name
	return true
}

// PassesLook tells whether nobody is to see an exchange of a seat that only reads. If so it counts its events, which need not be made.
func (r *Recorder) PassesLook(s *seat.Seat) bool {
	if !r.NoHash || len(r.looks) > 0 || r.singly != 0 {
		return false
	}
	r.Count += 3
	r.Last.Candidate = s.Index // that an error would name
	return true
}

// Hash returns the hash of all events; with NoHash, of none.
func (r *Recorder) Hash() trace.Sum { return r.hash.Sum() }

// Event begins an event of kind k about a seat, at this instant. The caller fills it in and passes it to Emit, before it begins
// another one: both would be r.Last.
func (r *Recorder) Event(k trace.Kind, s *seat.Seat) *trace.Event {
	e := &r.Last
	*e = trace.Event{}
	e.At, e.Kind, e.Candidate, e.Incarnation = int64(r.time.Now), k, s.Index, s.Incarnation
	return e
}

// EventOfNobody begins an event of kind k about no candidate, at this instant. The caller fills it in and passes it to Emit,
// before it begins another one.
func (r *Recorder) EventOfNobody(k trace.Kind) *trace.Event {
	r.Last = trace.Event{At: int64(r.time.Now), Kind: k, Candidate: trace.Nobody}
	return &r.Last
}

// Emit hashes an event, numbers it, and shows it to the sinks that want events of its kind.
func (r *Recorder) Emit(e *trace.Event) {
	if !r.NoHash {
		r.hash.Observe(e)
	}
	r.show(e, r.sinks)
}

// show numbers an event, and shows it to those of the listeners that want its kind.
func (r *Recorder) show(e *trace.Event, to []listener) {
	e.Seq = r.Count + 1
	r.Count = e.Seq
	for i := range to {
		if l := &to[i]; l.wanted.Has(e.Kind) {
			l.sink.Observe(e)
		}
	}
}

// Exchange hashes the three events of x (sent, executed, answered) unless r.NoHash is set, numbers them, and shows each to the
// sinks that want its kind. Sinks that take in an exchange as one get x instead. It sets x.Seq to the number of the first
// event, and overwrites r.Last.
func (r *Recorder) Exchange(x *trace.Exchange) {
	if !r.NoHash {
		r.hash.Exchange(x)
	}
	x.Seq = r.Count + 1
	to := r.looks
	if x.Verb != trace.Get {
		to = r.writes
	}
	for _, s := range to {
		s.Exchange(x)
	}
	if r.singly == 0 {
		r.Count += 3
	} else {
		r.pass(x, trace.RequestSent)
		r.pass(x, x.Applies())
		r.pass(x, trace.ResponseHandled)
	}
	r.Last.Candidate = x.Candidate // that an error would name
}

// pass numbers the event of kind k that x stands for, and shows it to those sinks in r.alone that want events of that kind.
func (r *Recorder) pass(x *trace.Exchange, k trace.Kind) {
	if !r.singly.Has(k) {
		r.Count++
		return
	}
	x.Fill(&r.Last, k)
	r.show(&r.Last, r.alone)
}
