package trace

import "encoding/binary"

// Exchange is a request that was sent, executed and answered with success before anything else happened. It stands for
// three events: RequestSent, Written or RequestApplied, and ResponseHandled.
type Exchange struct {
	// Seq is the number of the first of the three events.
	Seq                    uint64
	Candidate, Incarnation int32
	Request                uint64
	Verb                   Verb
	Object                 Object
	Status                 int16
	// Sent, Applied and Handled are the times of the three events, in nanoseconds since the start of the run.
	Sent, Applied, Handled int64
	// Writes is the holder that the request would write, "" for a Get.
	Writes string
	// Changed tells whether the request has changed the object. Version and the fields below are the object's after it, Base
	// is the version that the request was conditioned on.
	Changed       bool
	Version, Base uint64
	Holder        string
	Transitions   int64
	LeaseSeconds  int64
}

// Applies returns the kind of the event at the service.
func (x *Exchange) Applies() Kind {
	if x.Changed {
		return Written
	}
	return RequestApplied
}

// ExchangeKinds are those of the events that an exchange may stand for.
const ExchangeKinds = KindSet(1<<RequestSent | 1<<RequestApplied | 1<<Written | 1<<ResponseHandled)

// ExchangeSink is a Sink that takes in an exchange as one. Exchange does what Observe does with each of its three events. A
// type that has embedded an ExchangeSink and has an Observe of its own needs an Exchange of its own too.
type ExchangeSink interface {
	Sink
	Exchange(*Exchange)
}

// Fill makes e the event of that kind, one of the three.
func (x *Exchange) Fill(e *Event, k Kind) {
	*e = Event{
		Kind: k, Candidate: x.Candidate, Incarnation: x.Incarnation, Request: x.Request, Verb: x.Verb, Object: x.Object,
	}
	switch k {
	case RequestSent:
		e.Seq, e.At, e.Holder, e.Amount = x.Seq, x.Sent, x.Writes, x.Applied-x.Sent
	case ResponseHandled:
		e.Seq, e.At, e.Status = x.Seq+2, x.Handled, x.Status
	default:
		e.Seq, e.At, e.Status, e.Version, e.Base = x.Seq+1, x.Applied, x.Status, x.Version, x.Base
		e.Holder, e.Transitions, e.Amount = x.Holder, x.Transitions, x.LeaseSeconds
	}
}

// Exchange adds the three events of an exchange to the hash, as Observe would one by one.
func (h *Hash) Exchange(x *Exchange) {
	if h.used >= flushAt {
		h.flush()
	}
	le := binary.LittleEndian
	who := pair(x.Candidate, x.Incarnation)
	what := uint64(x.Object)<<12 | uint64(x.Verb)<<8
	status := uint64(uint16(x.Status)) << 24
	text := h.text(x.Writes)
	b := (*[sentSize]byte)(h.pending[h.used:])
	le.PutUint64(b[0:], uint64(x.Sent))
	le.PutUint64(b[8:], who)
	le.PutUint64(b[16:], text<<40|uint64(RequestSent)<<16|what)
	le.PutUint64(b[24:], x.Request)
	le.PutUint64(b[32:], uint64(x.Applied-x.Sent))
	h.used += sentSize
	text = h.text(x.Holder)
	c := (*[recordSize + handledSize]byte)(h.pending[h.used:])
	le.PutUint64(c[0:], uint64(x.Applied))
	le.PutUint64(c[8:], who)
	le.PutUint64(c[16:], text<<40|status|uint64(x.Applies())<<16|what)
	le.PutUint64(c[24:], x.Request)
	le.PutUint64(c[32:], uint64(x.LeaseSeconds))
	le.PutUint64(c[40:], x.Version)
	le.PutUint64(c[48:], x.Base)
	le.PutUint64(c[56:], uint64(x.Transitions))
	le.PutUint64(c[64:], uint64(x.Handled))
	le.PutUint64(c[72:], who)
	le.PutUint64(c[80:], status|uint64(ResponseHandled)<<16|what)
	le.PutUint64(c[88:], x.Request)
	h.used += recordSize + handledSize
}
