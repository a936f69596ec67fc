package explain

import (
	"slices"

	"interregnum/internal/trace"
)

// candidate is what is known of one candidate.
type candidate struct {
	about    *trace.Candidate
	clock    trace.Clock
	identity string
	requests []request
	attempt  attempt
	pair     pair
	seen     observation
	claim    claim
	hold     hold
	// releasing is about the present Run: a Get after it gave up renewing is part of a release.
	releasing bool
}

// sent adds a request to c.requests. Unless it is part of a release, it also adds it to the present attempt, and tells c.hold
// that the candidate asks for the lock again. A call on two objects counts as sent with its first request, which begins c.pair
// anew.
func (c *candidate) sent(e *trace.Event) {
	if c.about.First(e.Object) {
		c.pair = pair{verb: e.Verb, at: e.At}
	}
	r := request{id: e.Request, verb: e.Verb, object: e.Object, sentAt: c.pair.at, holder: e.Holder, appliedAt: -1}
	r.ofRelease = e.Verb != trace.Get && e.Holder == "" || e.Verb == trace.Get && c.releasing && !e.Object.Expires()
	r.stamp = c.clock.Wall(e.At)
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

// find returns the request in c.requests with that number, nil if there is none.
func (c *candidate) find(id uint64) *request {
	if i := slices.IndexFunc(c.requests, func(r request) bool { return r.id == id }); i >= 0 {
		return &c.requests[i]
	}
	return nil
}

// lost removes a request from c.requests that was lost, or whose answer was lost or came too late. What became of a
// release's answer goes to c.hold.
func (c *candidate) lost(e *trace.Event) {
	if r := c.find(e.Request); r != nil && r.ofRelease {
		c.hold.releaseAnswered(r, e.Kind)
	}
	c.forget(e.Request)
}

// forget removes a request from c.requests, since nothing more will be heard of it.
func (c *candidate) forget(id uint64) {
	c.requests = slices.DeleteFunc(c.requests, func(r request) bool { return r.id == id })
}

// handled removes a request that was answered from c.requests, and updates c.attempt, c.hold, c.seen and, for a lock on two
// objects, c.pair by the answer. The answer to a release only goes to c.hold. It does nothing if the request is not in
// c.requests.
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
		c.seen.at = never // what is observed now comes from no read
	case r.verb == trace.Get && fine && len(c.about.Objects) == 2:
		c.readPair(&r, e.At)
	case r.verb == trace.Get && fine:
		c.hold.read(&r, e.At, c.identity)
		c.seen.read(&r, e.At, c.clock.Mono(e.At), c.about.ComparesSeconds)
	case vacant:
		c.seen.gone = true
	}
}

// readPair updates c.hold, or c.pair, by the read r of one of two objects, whose answer came at the time at, in nanoseconds of
// true time. Another holder counts only once both have been read: the read of the first object is kept in c.pair if it names
// another holder, and the read of the second hands that one to c.hold, or else itself. Reads of an Update say nothing, since
// it overwrites the second object.
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
