package explain

import (
	"slices"

	"interregnum/internal/trace"
)

// request is one that a candidate has sent.
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
	// ofRelease tells that it is part of a release.
	ofRelease bool
	// appliedAt is -1 before. appliedAs is the kind of that event.
	appliedAt int64
	appliedAs trace.Kind
	// read is the record that a get found.
	read record
}

// attempt is where in one attempt to acquire or renew a candidate is. An attempt is an update, a get and an update or
// create, or a part of that; each follows the answer before at once.
type attempt struct {
	// mono and wall are what the clocks showed when it began.
	mono, wall int64
	// got tells that it has asked for the record; over that nothing can follow.
	got, over bool
	// answeredAt is when the last answer, or the lack of one, came.
	answeredAt int64
}

// begin takes in that the candidate sends a request, and starts a new attempt if the request does not belong to the present one.
func (a *attempt) begin(at int64, verb trace.Verb, c *clock) {
	if a.over || a.answeredAt != at || a.got == (verb == trace.Get) {
		*a = attempt{mono: c.mono(at), wall: c.wall(at)}
	}
	a.answeredAt = never
	a.over = a.got
	a.got = a.got || verb == trace.Get
}

// end takes in the answer to a request of the attempt, or that there is none, and whether the attempt is over: it goes on after a Get that succeeded,
// and after an optimistic update that failed.
func (a *attempt) end(at int64, verb trace.Verb, fine bool) {
	a.answeredAt = at
	a.over = a.over || fine != (verb == trace.Get)
}

// pair is where in a call of a lock on two objects a candidate is.
type pair struct {
	// verb is the call's, which began at.
	verb trace.Verb
	at   int64
	// foreign is the read of the first object, if that named another; its id is 0 else.
	foreign request
}

// sent notes a request. Of two objects, the call is what was sent.
func (c *candidate) sent(e *trace.Event) {
	if c.about.First(e.Object) {
		c.pair = pair{verb: e.Verb, at: e.At}
	}
	r := request{id: e.Request, verb: e.Verb, object: e.Object, sentAt: c.pair.at, holder: e.Holder, appliedAt: -1}
	r.ofRelease = e.Verb != trace.Get && e.Holder == "" || e.Verb == trace.Get && c.releasing && !e.Object.Expires()
	r.stamp = c.clock.wall(e.At)
	if !r.ofRelease {
		if c.about.First(e.Object) {
			c.attempt.begin(e.At, e.Verb, &c.clock)
		}
		c.hold.tries(e.At, trace.RequestSent)
		r.started = c.attempt.mono
		if !c.about.StampsRequests && !e.Object.Expires() {
			r.stamp = c.attempt.wall
		}
	}
	c.requests = append(c.requests, r)
}

// find returns the candidate's request of that number, nil where there is none.
func (c *candidate) find(id uint64) *request {
	if i := slices.IndexFunc(c.requests, func(r request) bool { return r.id == id }); i >= 0 {
		return &c.requests[i]
	}
	return nil
}

// lost takes in that a request, or its answer, is gone.
func (c *candidate) lost(e *trace.Event) {
	if r := c.find(e.Request); r != nil && r.ofRelease {
		c.hold.releaseAnswered(r, e.Kind)
	}
	c.forget(e.Request)
}

// forget drops a request of which nothing more will be heard.
func (c *candidate) forget(id uint64) {
	c.requests = slices.DeleteFunc(c.requests, func(r request) bool { return r.id == id })
}

// handled takes in that the candidate has got the answer to a request.
func (c *candidate) handled(e *trace.Event) {
	found := c.find(e.Request)
	if found == nil {
		return
	}
	r := *found
	c.forget(r.id)
	if r.ofRelease {
		c.hold.releaseAnswered(&r, e.Kind)
		return
	}
	fine := e.Status/100 == 2 && r.appliedAt >= 0
	if r.verb == trace.Refresh && e.Status == 409 && r.appliedAt >= 0 {
		c.hold.toldAt = e.At
	}
	vacant := r.verb == trace.Get && e.Status == 404
	if c.about.Last(r.object) || !fine {
		c.attempt.end(e.At, r.verb, fine || vacant)
	} else {
		c.attempt.answeredAt = e.At // the call goes on with the other object
	}
	switch {
	case r.verb != trace.Get && fine && !c.about.Last(r.object):
	case r.verb != trace.Get && fine:
		c.hold.acknowledged(&r, e.At)
		c.seen.own()
	case r.verb == trace.Get && fine && len(c.about.Objects) == 2:
		c.readPair(&r, e.At)
	case r.verb == trace.Get && fine:
		c.hold.read(&r, e.At, c.identity)
		c.seen.read(&r, e.At, c.clock.mono(e.At), c.about.ComparesSeconds)
	case vacant:
		c.seen.gone = true
	}
}

// readPair takes in a read of one of two objects. Another holder counts only once both have been read; the second read of an update says nothing,
// since the object is overwritten.
func (c *candidate) readPair(r *request, at int64) {
	switch {
	case c.pair.verb != trace.Get:
	case !c.about.Last(r.object):
		if r.read.holder != "" && r.read.holder != c.identity {
			c.pair.foreign = *r
		}
	case c.pair.foreign.id != 0:
		c.hold.read(&c.pair.foreign, at, c.identity)
	default:
		c.hold.read(r, at, c.identity)
	}
}

// observation is what a candidate has seen of the record.
type observation struct {
	known bool
	look  look
	// at is when its lease began, for the candidate: when it handled the answer that showed it something new; -1 where that was a write of its own. mono is what its clock showed.
	at, mono int64
	record   record
	gone     bool
}

// read takes in a record that was read. The lease counts anew if the record looks different or the lock had been gone.
func (o *observation) read(r *request, at, mono int64, bySecond bool) {
	l := r.read.look(bySecond)
	if !o.known || o.gone || l != o.look {
		o.at, o.mono, o.record = at, mono, r.read
	}
	o.known, o.gone, o.look = true, false, l
}

// own takes in that a write of the candidate's own was acknowledged: what it observes no longer began with an answer to a read.
func (o *observation) own() { o.at = -1 }
