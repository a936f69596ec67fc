package check

import (
	"time"

	"interregnum/internal/reuse"
	"interregnum/internal/trace"
)

// expiringFold is single-record of a key and a row: nobody's entry takes the place of one that has not run out, was not
// released and was not deleted, by the clock that decides; only its maker refreshes or releases it; and tokens grow, of a
// row while nobody deletes it.
type expiringFold struct {
	header *trace.Header
	// clocks are the candidates' and, last, the service's.
	clocks []trace.Clock
	// fastest is the service's highest rate so far.
	fastest  uint64
	key, row entryState
	// sent is what the clock of a statement's sender showed then.
	sent map[requestID]int64
}

// requestID identifies a request of a run: its sender, and its number among those of the sender.
type requestID struct {
	candidate int32
	request   uint64
}

// entryState is what the fold knows of the entry of a key or row. free tells that anybody may take the entry.
type entryState struct {
	exists, free bool
	candidate    int32
	incarnation  int32
	token        uint64
	// at is when it was last written: true time in ns of a key, the statement's in µs of a row.
	at    int64
	lasts time.Duration
}

// reset begins the judgement of a run with a lock that expires by itself: h.Service must not be nil.
func (f *expiringFold) reset(h *trace.Header) {
	*f = expiringFold{header: h, clocks: f.clocks[:0], sent: reuse.Cleared(f.sent), fastest: uint64(million + h.Service.DriftPPM)}
	for i := range h.Candidates {
		c := &h.Candidates[i]
		f.clocks = append(f.clocks, trace.NewClock(c.Offset, c.DriftPPM))
	}
	f.clocks = append(f.clocks, trace.NewClock(h.Service.Offset, h.Service.DriftPPM))
}

// follow handles events that change no entry: it keeps the clocks up to date, and when each statement on a row was sent.
func (f *expiringFold) follow(e *trace.Event) {
	switch e.Kind {
	case trace.ClockChanged:
		f.clocks[e.Candidate].Change(e)
	case trace.ServiceClock:
		f.clocks[len(f.clocks)-1].Change(e)
		f.fastest = max(f.fastest, uint64(million+int64(e.Rate)))
	case trace.RequestSent:
		if e.Object == trace.Row {
			f.sent[requestID{e.Candidate, e.Request}] = micros(&f.clocks[e.Candidate], e.At)
		}
	case trace.RequestLost, trace.RequestApplied:
		delete(f.sent, requestID{e.Candidate, e.Request})
	}
}

// observe updates an entry by an event that writes or ends it, and returns true if that was allowed, as expiringFold says. A
// delete and an expiry always are.
func (f *expiringFold) observe(e *trace.Event) bool {
	s := &f.key
	if e.Object == trace.Row {
		s = &f.row
	}
	switch e.Kind {
	case trace.Deleted:
		s.exists = false
		return true
	case trace.Expired:
		// One that ends early is still there for all that follows. The clock shows whole nanoseconds.
		s.free = s.free || e.At-s.at >= trace.TrueTime(int64(s.lasts-1), f.fastest, false)
		return true
	}
	at := f.now(e)
	lasts := f.header.Candidates[e.Candidate].LeaseDuration
	if e.Object == trace.Row && s.at < at-s.lasts.Microseconds() {
		s.free = true
	}
	mine := s.exists && s.candidate == e.Candidate && s.incarnation == e.Incarnation && s.token == e.Version
	fine := false
	switch {
	case e.Holder == "": // a row that has expired is still its maker's to release
		fine = mine && e.Verb == trace.Release
		s.free = true
		return fine
	case e.Verb == trace.Refresh:
		fine = mine && !s.free
	case e.Verb == trace.Create && e.Object == trace.Row:
		fine = !s.exists
	default:
		fine = (!s.exists || s.free) && e.Version > s.token
	}
	if unit := f.header.Service.Precision.Microseconds(); e.Object == trace.Row && unit > 1 {
		at -= at % unit
	}
	*s = entryState{
		exists: true, candidate: e.Candidate, incarnation: e.Incarnation, token: e.Version, at: at, lasts: lasts,
	}
	return fine
}

// now returns when the write e was made, by the clock that decides. For a key this is true time in nanoseconds. For a
// row it is in microseconds, by the sender's clock when it sent the statement or by the service's clock. It also drops
// the row's entry in f.sent.
func (f *expiringFold) now(e *trace.Event) int64 {
	if e.Object == trace.Key {
		return e.At
	}
	id := requestID{e.Candidate, e.Request}
	at := f.sent[id]
	delete(f.sent, id)
	if !f.header.Candidates[e.Candidate].OwnNow {
		at = micros(&f.clocks[len(f.clocks)-1], e.At)
	}
	return at
}

// epochNs is where true time starts, as a wall clock shows it: 2000-01-01T00:00:00Z.
const epochNs = 946684800 * int64(time.Second)

// micros returns what a wall clock shows at the instant at, in nanoseconds of true time since the start. The result is in
// microseconds since 1970.
func micros(c *trace.Clock, at int64) int64 { return (epochNs + c.Wall(at)) / int64(time.Microsecond) }
