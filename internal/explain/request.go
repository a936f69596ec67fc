package explain

import (
	"interregnum/internal/trace"
)

// request is a request that a candidate has sent.
type request struct {
	id     uint64
	verb   trace.Verb
	object trace.Object
	sentAt int64
	// started is what the monotonic clock showed when its attempt began; stamp is the renewTime that it carries.
	started, stamp int64
	// stampedAt is when, in true time, a row's stamp was taken.
	stampedAt int64
	holder    string
	// ofRelease tells that the request is part of a release.
	ofRelease bool
	// appliedAt is when it was applied, -1 before that. appliedAs is the kind of that event.
	appliedAt int64
	appliedAs trace.Kind
	// read is the record that a get found.
	read record
}

// attempt is how far a candidate has come in one attempt to acquire or renew. An attempt is an update, then a get, and
// then an update or create; parts of that can be missing. Each request follows the answer before it at once.
type attempt struct {
	// mono and wall are what the clocks showed when it began.
	mono, wall int64
	// got tells that the attempt has asked for the record, over that no request can follow.
	got, over bool
	// answeredAt is when the last answer, or the lack of one, came.
	answeredAt int64
}

// begin adds a request with that verb to the attempt. The candidate, whose clock is c, sends it at the time at, in nanoseconds of
// true time. begin starts a new attempt if the request does not belong to the present one.
func (a *attempt) begin(at int64, verb trace.Verb, c *trace.Clock) {
	if a.over || a.answeredAt != at || a.got == (verb == trace.Get) {
		*a = attempt{mono: c.Mono(at), wall: c.Wall(at)}
	}
	a.answeredAt = never
	a.over = a.got
	a.got = a.got || verb == trace.Get
}

// end stores in a that a request with that verb was answered at the time at, in nanoseconds of true time, or that nobody waits
// for its answer any more. fine is true if it succeeded. The attempt is then over, unless it goes on: after a Get that succeeded,
// or after an optimistic update that failed.
func (a *attempt) end(at int64, verb trace.Verb, fine bool) {
	a.answeredAt = at
	a.over = a.over || fine != (verb == trace.Get)
}

// pair is how far a candidate has come in a call of a lock on two objects.
type pair struct {
	// verb is the call's verb, and at is when the call began.
	verb trace.Verb
	at   int64
	// foreign is the read of the first object, if that named another holder. Otherwise its id is 0.
	foreign request
}

// observation is what a candidate has seen of the record.
type observation struct {
	known bool
	look  look
	// at is when the observed lease began for the candidate: when it handled the answer that showed it something new.
	// It is -1 after a write of its own. mono is what its monotonic clock showed at that time.
	at, mono int64
	record   record
	gone     bool
}

// read updates the observation by the record that r has read, when its answer comes: at the time at, in nanoseconds of true time,
// at which the candidate's monotonic clock shows mono. The lease counts anew if the record looks different or the lock had been
// gone. With bySecond, times are compared in whole seconds.
func (o *observation) read(r *request, at, mono int64, bySecond bool) {
	l := r.read.look(bySecond)
	if !o.known || o.gone || l != o.look {
		o.at, o.mono, o.record = at, mono, r.read
	}
	o.known, o.gone, o.look = true, false, l
}
