package coordinated

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/coordinator"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/service"
	"interregnum/internal/sim/stream"
)

// Requests sends the coordinator's requests about the Lease. Their answers come to Election.Answered.
type Requests interface {
	// Ask sends a request about the Lease, with that verb and record.
	Ask(verb machine.Verb, record *machine.Record)
	// GiveUp ends the wait for the answer to the last request.
	GiveUp()
}

// controller is the API server's coordinator.
type controller struct {
	*member
	requests Requests
	// awaited is the number of pings without an answer, and pinged the number of the first post of them.
	awaited int
	pinged  uint64
	elected machine.Record
	// collecting is the entry of the next collection of expired LeaseCandidates.
	collecting uint64
	order      stream.Stream
}

// answerTimeout is how long the coordinator waits for answers. Its client has no timeout of its own. After this time
// client-go gives up a connection on which nothing comes.
const answerTimeout = 45 * time.Second

// begins tells whether the cache holds a Lease or a LeaseCandidate.
func (c *controller) begins() bool { return c.lease != nil || len(c.cache) > 0 }

// wants tells whether the LeaseCandidate has no ping that is yet to be answered.
func (c *controller) wants(object *service.Candidacy, _ bool) bool { return !object.Ignored() }

// period returns how often the cached objects are handed out once more: every ten minutes.
func (c *controller) period() time.Duration { return 10 * time.Minute }

// work makes one step of the controller: it pings candidates, elects one, does nothing, or only schedules another step. A step
// that waits for answers ends only with them, or after answerTimeout. The step first shuffles c.cache, in an order drawn from the
// seed, since a real cache lists the candidates in no order.
func (c *controller) work() {
	c.order.OpenAll(c.Seed, "lister", c.Index).Shuffle(len(c.cache), func(i, j int) {
		c.cache[i], c.cache[j] = c.cache[j], c.cache[i]
	})
	all := make([]coordinator.Candidate, len(c.cache))
	for i := range c.cache {
		all[i] = c.cache[i].Candidate
	}
	now := c.Clock.Now(c.Now).Wall
	d := coordinator.Step(c.lease, all, now)
	switch d.Verdict {
	case coordinator.Idle:
		c.done()
	case coordinator.Again:
		c.again()
	case coordinator.Ping:
		c.awaited, c.pinged = len(d.Pings), c.sent+1
		for _, i := range d.Pings {
			object := c.cache[i]
			object.Ping = now
			c.mail(post{verb: machine.Update, object: object})
		}
		c.waitAtMost(answerTimeout)
	case coordinator.Elect:
		c.elected = d.Lease
		c.ask(machine.Create, &d.Lease)
	}
}

// ask sends a request about the Lease, with that verb and record, and waits for the answer at most answerTimeout.
func (c *controller) ask(verb machine.Verb, record *machine.Record) {
	c.requests.Ask(verb, record)
	c.waitAtMost(answerTimeout)
}

// again ends a step of the controller and schedules the next one, after coordinator.Requeue.
func (c *controller) again() {
	c.addAfter(coordinator.Requeue)
	c.done()
}

// answered counts the answer p if it is to a ping of this step. After the last such answer the step ends, and the next one
// is scheduled. It ignores the answer to a delete, and a late one to a ping of an earlier step.
func (c *controller) answered(p *post) {
	if p.verb != machine.Update || c.awaited == 0 || p.id < c.pinged {
		return
	}
	c.awaited--
	if c.awaited == 0 {
		c.patience = 0
		c.again()
	}
}

// gaveUp ends a step because an answer has not come in time. If it was the answer to a ping, the next step is scheduled. If it
// was the answer to a request about the Lease, no longer waited for, none is.
func (c *controller) gaveUp() {
	if c.awaited > 0 {
		c.awaited = 0
		c.again()
		return
	}
	c.requests.GiveUp()
	c.done()
}

// leaseAnswered goes on with the election after the answer to a request about the Lease with that verb. status is the HTTP
// status; ok is true if the request succeeded; found is the record in the answer. If the Lease to create exists already, it is
// read and then amended. After a success the next step is scheduled; after any other failure none is.
func (c *controller) leaseAnswered(verb machine.Verb, status int, ok bool, found *machine.Record) {
	c.patience = 0
	switch {
	case verb == machine.Create && status == service.StatusConflict:
		c.ask(machine.Get, &machine.Record{})
	case !ok:
		c.done() // no step follows: the source returns no interval with these errors
	case verb == machine.Get:
		c.amend(found)
	default:
		c.again()
	}
}

// amend sends an update that puts the elected candidate into the existing Lease. If that changes nothing, it sends none: the
// step ends, and the next one is scheduled.
func (c *controller) amend(existing *machine.Record) {
	record, changed := coordinator.Amend(existing, &c.elected, c.Clock.Now(c.Now).Wall)
	if !changed {
		c.again()
		return
	}
	c.ask(machine.Update, &record)
}

// collect sends a delete for each cached LeaseCandidate that has expired, and schedules the next collection.
func (c *controller) collect() {
	now := c.Clock.Now(c.Now).Wall
	for i := range c.cache {
		if object := c.cache[i]; object.Expired(now) {
			c.mail(post{verb: machine.Resign, object: object})
		}
	}
	c.scheduleCollect()
}

// scheduleCollect schedules the next collection of expired LeaseCandidates, coordinator.Collection from now.
func (c *controller) scheduleCollect() {
	c.collecting = c.Schedule(c.Now+clock.Instant(coordinator.Collection), collectDue, c.Index)
}
