package page

import (
	"interregnum/internal/trace"
	"interregnum/reports/internal/axis"
)

const (
	// maxRequests is how many requests a page shows one by one.
	maxRequests = 24_000
	// Around the start of an overlap, aroundOverlap requests before and after it are kept rather than others, at most maxKept
	// in a run.
	aroundOverlap = 1_000
	maxKept       = 8_000
	// requestBins is the number of parts of the horizon in which requests are counted.
	requestBins = 500
)

// request is one request of a candidate, with its answer. A time is none if the event did not happen.
type request struct {
	id                          uint64
	candidate                   int32
	verb                        trace.Verb
	object                      trace.Object
	sent, arrived, done, gaveUp int64
	sentSeq, arriveSeq, doneSeq uint64
	giveUpSeq                   uint64
	way                         int64
	arrival, ending             trace.Kind
	wrote, kept, counted        bool
	cause                       trace.Cause
	status                      int16
	version                     uint64
	holder                      string
}

const none int64 = -1

// requestLog keeps requests in the order in which they were sent. If there are too many, it drops the least important ones
// first, and of these the oldest.
type requestLog struct {
	all     []*request
	open    map[requestKey]*request
	horizon int64
	// count and bad are how many requests were sent, and how many of them failed, in each part of the horizon.
	count, bad [requestBins]int
	total      int
	// kept is how many requests are marked as kept, and ahead how many of the next ones will be.
	kept, ahead int
	// of has the requests by candidate, once the run is over.
	of [][]*request
}

// requestKey names a request. Ids are unique only among the requests of one candidate.
type requestKey struct {
	candidate int32
	id        uint64
}

// init prepares an empty log for a run with that horizon in nanoseconds.
func (l *requestLog) init(horizon int64) {
	l.horizon, l.open = horizon, map[requestKey]*request{}
}

// observe records an event of a request in the log, and returns true. It returns false, and does nothing, if e is not about a
// request. It ignores events of a request that it does not know. It also counts requests that failed, in l.bad.
func (l *requestLog) observe(e *trace.Event) bool {
	if e.Kind < trace.RequestSent || e.Kind > trace.GaveUp {
		return false
	}
	key := requestKey{e.Candidate, e.Request}
	if e.Kind == trace.RequestSent {
		l.sent(key, e)
		return true
	}
	r := l.open[key]
	if r == nil && e.Kind == trace.GaveUp {
		r = l.find(key)
	}
	if r == nil {
		return true
	}
	r.advance(e)
	if e.Kind == trace.RequestLost || r.ending != 0 {
		delete(l.open, key)
	}
	if r.fate() >= late && !r.counted {
		r.counted = true
		l.bad[l.bin(r.sent)]++
	}
	return true
}

// advance records in r an event of the request that came after it was sent.
func (r *request) advance(e *trace.Event) {
	switch e.Kind {
	case trace.RequestApplied, trace.Written, trace.RequestRefused, trace.RequestLost:
		r.arrived, r.arriveSeq, r.arrival, r.status = e.At, e.Seq, e.Kind, e.Status
		if e.Kind == trace.Written {
			r.wrote, r.version = true, e.Version
		}
	case trace.ResponseLost, trace.ResponseHandled, trace.ResponseLate:
		r.done, r.doneSeq, r.ending = e.At, e.Seq, e.Kind
	case trace.GaveUp:
		r.gaveUp, r.giveUpSeq, r.cause = e.At, e.Seq, e.Cause
	}
}

// sent adds to the log the request that e says was sent. It marks the request as kept if an overlap began shortly before. It
// counts the request in l.total and l.count. It drops others if there are too many.
func (l *requestLog) sent(key requestKey, e *trace.Event) {
	r := &request{id: e.Request, candidate: e.Candidate, verb: e.Verb, object: e.Object, sent: e.At, sentSeq: e.Seq, way: e.Amount,
		arrived: none, done: none, gaveUp: none, holder: e.Holder}
	if l.ahead > 0 && l.kept < maxKept {
		l.ahead--
		l.keep(r)
	}
	l.open[key] = r
	l.total++
	l.count[l.bin(e.At)]++
	if l.all = append(l.all, r); len(l.all) >= 2*maxRequests {
		l.thin()
	}
}

// find returns a request that has ended already; nil if it is not among the latest ones in the log.
func (l *requestLog) find(key requestKey) *request {
	for i := len(l.all) - 1; i >= max(0, len(l.all)-4*aroundOverlap); i-- {
		if l.all[i].candidate == key.candidate && l.all[i].id == key.id {
			return l.all[i]
		}
	}
	return nil
}

// keepAround marks the latest aroundOverlap requests and as many of the next ones as kept, until maxKept are. It is called when
// an overlap begins.
func (l *requestLog) keepAround() {
	for i := max(0, len(l.all)-aroundOverlap); i < len(l.all) && l.kept < maxKept; i++ {
		l.keep(l.all[i])
	}
	l.ahead = aroundOverlap
}

// keep marks a request as kept, so that others are dropped before it.
func (l *requestLog) keep(r *request) {
	if !r.kept {
		r.kept = true
		l.kept++
	}
}

// finish drops requests that are too many for the page, and sets l.of to the remaining ones by candidate. candidates is the number
// of candidates. It is called once the run is over.
func (l *requestLog) finish(candidates int) {
	l.thin()
	l.of = make([][]*request, candidates)
	for _, r := range l.all {
		l.of[r.candidate] = append(l.of[r.candidate], r)
	}
}

// thin drops requests from the log until no more than maxRequests are left, the least important ones first, but none of the last
// aroundOverlap.
func (l *requestLog) thin() {
	l.all = thin(l.all, maxRequests, aroundOverlap, func(r **request) int { return (*r).importance() })
}

// importance returns the rank of a request, from 0 to 3: for a read, a write, one that failed, and one that is kept. Requests of
// a low rank are dropped first.
func (r *request) importance() int {
	if r.kept {
		return 3
	}
	return min(r.fate(), late)
}

// bin returns the part of the horizon, of requestBins parts, in which an instant lies.
func (l *requestLog) bin(at int64) int {
	return axis.Scale{Horizon: l.horizon, Columns: requestBins}.Column(at)
}
