package trace

// Exchange is a request that was sent, executed and answered with success before anything else happened. It stands for
// three events: RequestSent, Written or RequestApplied, and ResponseHandled. Runs with a coordinator have none.
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
	// event is the one that AtService has returned last.
	event Event
}

// Applies returns the kind of the event at the service: Written if the request has changed the object, otherwise RequestApplied.
func (x *Exchange) Applies() Kind {
	if x.Changed {
		return Written
	}
	return RequestApplied
}

// AtService returns the event at the service. It is good until the memory of x is used for another exchange.
func (x *Exchange) AtService() *Event {
	if x.event.Seq != x.Seq+1 {
		x.Fill(&x.event, x.Applies())
	}
	return &x.event
}

// ExchangeKinds are those of the events that an exchange may stand for.
const ExchangeKinds = KindSet(1<<RequestSent | 1<<RequestApplied | 1<<Written | 1<<ResponseHandled)

// ReadKinds are the kinds of event that a sink with WritesOnly need not see about a Get: see ExchangeSink.
const ReadKinds = KindSet(1<<RequestLost | 1<<RequestRefused | 1<<RequestApplied | 1<<ResponseLost | 1<<ResponseHandled)

// ExchangeSink is a Sink that takes in an exchange as one. Exchange does what Observe does with each of its three events.
// WritesOnly tells that the sink need not be told of exchanges of a Get, nor of events of ReadKinds about another Get. A type that has embedded an
// ExchangeSink and has an Observe of its own needs an Exchange of its own too.
type ExchangeSink interface {
	Sink
	Exchange(*Exchange)
	WritesOnly() bool
}

// Fill makes e the event of kind k that x stands for. k must be the kind of one of its three events.
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
	who := pair(x.Candidate, x.Incarnation)
	what := uint64(x.Object)<<12 | uint64(x.Verb)<<8
	status := uint64(uint16(x.Status)) << 24
	var text uint64
	if x.Writes != "" {
		if !h.isLast(x.Writes) {
			h.text(x.Writes)
		}
		text = h.lastNum << 40
	}
	h.add(moment(x.Sent, who) ^ matter(text|uint64(RequestSent)<<16|what, x.Request) ^ uint64(x.Applied-x.Sent))
	text = h.lastNum << 40
	if !h.isLast(x.Holder) {
		text = h.text(x.Holder) << 40
	}
	h.add(moment(x.Applied, who) ^ matter(text|status|uint64(x.Applies())<<16|what, x.Request) ^
		object(x.LeaseSeconds, x.Version, x.Base, x.Transitions))
	h.add(moment(x.Handled, who) ^ matter(status|uint64(ResponseHandled)<<16|what, x.Request))
}
