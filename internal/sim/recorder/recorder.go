// Package recorder makes the trace of a run.
package recorder

import (
	"interregnum/internal/reuse"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
	"interregnum/internal/trace"
)

// Recorder numbers the events of a run, hashes them, and shows them to sinks.
type Recorder struct {
	// Count is how many events there were; Last is the last one, or the one that is being filled in.
	Count uint64
	Last  trace.Event

	time *queue.Timeline
	hash *trace.Hash
	// sinks are those that want to see events of each kind, and all is their memory.
	sinks [trace.Kinds][]trace.Sink
	all   []trace.Sink
}

// Reset makes it the recorder of a new run with that timeline. Each sink gets the events of the kinds that it wants.
func (r *Recorder) Reset(time *queue.Timeline, sinks []trace.Sink) {
	r.Count, r.Last, r.time = 0, trace.Event{}, time
	if r.hash == nil {
		r.hash = trace.NewHash()
	} else {
		r.hash.Reset()
	}
	all := reuse.Sized(r.all, trace.Kinds*len(sinks))[:0]
	for k := range trace.Kind(trace.Kinds) {
		before := len(all)
		for _, s := range sinks {
			if selective, ok := s.(trace.Selective); !ok || selective.Wants(k) {
				all = append(all, s)
			}
		}
		r.sinks[k] = all[before:]
	}
	r.all = all
}

// Hash returns the hash of all events.
func (r *Recorder) Hash() trace.Sum { return r.hash.Sum() }

// Event begins an event of kind k about a seat, at this instant. The caller fills it in and passes it to Emit.
func (r *Recorder) Event(k trace.Kind, s *seat.Seat) *trace.Event {
	e := &r.Last
	*e = trace.Event{}
	e.At, e.Kind, e.Candidate, e.Incarnation = int64(r.time.Now), k, s.Index, s.Incarnation
	return e
}

// EventOfNobody begins an event of kind k about no candidate, at this instant. The caller fills it in and passes it to
// Emit.
func (r *Recorder) EventOfNobody(k trace.Kind) *trace.Event {
	r.Last = trace.Event{At: int64(r.time.Now), Kind: k, Candidate: trace.Nobody}
	return &r.Last
}

// Emit hashes an event, numbers it, and shows it to the sinks that want events of its kind.
func (r *Recorder) Emit(e *trace.Event) {
	r.hash.Observe(e)
	r.show(e)
}

// show numbers an event, and shows it to the sinks that want events of its kind.
func (r *Recorder) show(e *trace.Event) {
	e.Seq = r.Count + 1
	r.Count = e.Seq
	for _, s := range r.sinks[e.Kind] {
		s.Observe(e)
	}
}

// Exchange does what Emit does with each of the three events of x.
func (r *Recorder) Exchange(x *trace.Exchange) {
	r.hash.Exchange(x)
	r.exchanged(x, trace.RequestSent)
	r.exchanged(x, x.Applies())
	r.exchanged(x, trace.ResponseHandled)
	r.Last.Candidate = x.Candidate // that an error would name
}

// exchanged numbers the event of x of kind k, and shows it to the sinks that want it.
func (r *Recorder) exchanged(x *trace.Exchange, k trace.Kind) {
	if len(r.sinks[k]) > 0 {
		r.showOf(x, k)
		return
	}
	r.Count++
}

// showOf numbers the event of x of kind k, and shows it to the sinks.
func (r *Recorder) showOf(x *trace.Exchange, k trace.Kind) {
	x.Fill(&r.Last, k)
	r.show(&r.Last)
}
