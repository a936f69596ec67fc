package page

import (
	"slices"

	"interregnum/internal/trace"
	"interregnum/reports/internal/axis"
)

// How many requests a page shows one by one, how many around an overlap are kept before any others, and into how many
// parts the horizon is divided to count all of them.
const (
	maxRequests  = 24_000
	maxTreasured = 8_000
	aroundIt     = 1_000
	requestBins  = 500
)

// request is one request of a candidate, from sending to what became of its answer. A time is none where it did not
// come.
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
	wrote, treasured, counted   bool
	cause                       trace.Cause
	status                      int16
	version                     uint64
	holder                      string
}

const none int64 = -1

// requestLog holds requests in order of sending. When there are too many, the least telling go first, the oldest of
// them before others.
type requestLog struct {
	all     []*request
	open    map[requestKey]*request
	horizon int64
	// count and bad are how many were sent, and failed in any way, in each part of the horizon.
	count, bad [requestBins]int
	total      int
	treasured  int
	// ahead is how many more to treasure.
	ahead int
	// of are the requests by candidate, once the run is over.
	of [][]*request
}

type requestKey struct {
	candidate int32
	id        uint64
}

func (l *requestLog) init(horizon int64) {
	l.horizon, l.open = horizon, map[requestKey]*request{}
}

// observe takes in an event if it is one of a request, and tells whether it was. What becomes of a request that was not
// sent is passed over.
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
	if r.failed() && !r.counted {
		r.counted = true
		l.bad[l.bin(r.sent)]++
	}
	return true
}

// advance takes in what becomes of the request or of its answer.
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

// sent adds the request that a RequestSent event begins.
func (l *requestLog) sent(key requestKey, e *trace.Event) {
	r := &request{id: e.Request, candidate: e.Candidate, verb: e.Verb, object: e.Object, sent: e.At, sentSeq: e.Seq, way: e.Amount,
		arrived: none, done: none, gaveUp: none, holder: e.Holder}
	if l.ahead > 0 && l.treasured < maxTreasured {
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

// find looks for a request that has ended already, from the last one on.
func (l *requestLog) find(key requestKey) *request {
	for i := len(l.all) - 1; i >= max(0, len(l.all)-4*aroundIt); i-- {
		if l.all[i].candidate == key.candidate && l.all[i].id == key.id {
			return l.all[i]
		}
	}
	return nil
}

// treasure marks the requests that were sent shortly before now, and those that will be sent shortly after, to be kept
// before others; it is called when an overlap begins.
func (l *requestLog) treasure() {
	for i := max(0, len(l.all)-aroundIt); i < len(l.all) && l.treasured < maxTreasured; i++ {
		l.keep(l.all[i])
	}
	l.ahead = aroundIt
}

// keep marks a request to be kept before others.
func (l *requestLog) keep(r *request) {
	if !r.treasured {
		r.treasured = true
		l.treasured++
	}
}

// finish removes what is too much for the page and sorts the rest by candidate; it is called once the run is over.
func (l *requestLog) finish(candidates int) {
	l.thin()
	l.of = make([][]*request, candidates)
	for _, r := range l.all {
		l.of[r.candidate] = append(l.of[r.candidate], r)
	}
}

// thin leaves no more than maxRequests.
func (l *requestLog) thin() {
	for worth := 0; worth <= 3 && len(l.all) > maxRequests; worth++ {
		surplus, recent := len(l.all)-maxRequests, len(l.all)-aroundIt
		i := 0
		l.all = slices.DeleteFunc(l.all, func(r *request) bool {
			i++
			if surplus == 0 || i > recent || r.worth() > worth {
				return false
			}
			surplus--
			return true
		})
	}
}

// worth ranks how much a request tells, from 0 to 3; where there are too many requests, those of rank 0 are removed
// first.
func (r *request) worth() int {
	switch {
	case r.treasured:
		return 3
	case r.failed():
		return 2
	case r.wrote:
		return 1
	}
	return 0
}

// failed tells whether it went any other way than there and back.
func (r *request) failed() bool {
	return r.arrival == trace.RequestRefused || r.arrival == trace.RequestLost || r.gaveUp != none ||
		r.ending == trace.ResponseLost || r.ending == trace.ResponseLate
}

// bin returns in which part of the horizon an instant lies, of the parts in which requests are counted.
func (l *requestLog) bin(at int64) int {
	return axis.Scale{Horizon: l.horizon, Columns: requestBins}.Column(at)
}
