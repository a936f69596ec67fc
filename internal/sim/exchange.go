package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// This file is a short cut, and no more: a run is the same without it. Nearly all attempts are alike. A leader's first
// request renews its lease, or a follower finds a lease that counts, and nothing else happens before the answer. Such an
// attempt is made in one go.

// direct is what a node needs for the short cut. It is empty if the node never takes it.
type direct struct {
	machine *machine.Machine
	lock    *simlock.Single
	// patience is how long, on the node's clock, an attempt waits for its answer.
	patience machine.Mono
}

// directly returns what the attempts of candidate c need for the short cut, with an elector of that machine and lock. It returns
// an empty direct if they never take it: the lock is no *simlock.Single, or the candidate has a client.
func directly(c *plan.Candidate, m *machine.Machine, lock client) direct {
	single, is := lock.(*simlock.Single)
	if !is || c.Client != nil {
		return direct{}
	}
	patience := c.RenewDeadline
	if c.RequestTimeout > 0 {
		patience = min(patience, c.RequestTimeout)
	}
	return direct{m, single, machine.Mono(patience)}
}

// exchange makes the attempt of a node whose timer Retry is due, in one go, and returns true. It returns false, and has done
// nothing, if anything else can happen before the answer, or if it is not certain that the first answer ends the attempt as
// usual.
func (w *world) exchange(n *node) bool {
	d := &n.direct
	if w.noShortcut || d.lock == nil || !w.network.Spares(&n.Line, d.lock.Object) {
		return false
	}
	latest := w.Now + n.Line.Longest()
	if latest >= w.NextAt() || latest >= w.Horizon {
		return false
	}
	now := n.Clock.Now(w.Now)
	sight := d.lock.Peek(w.service.Records())
	record := sight.Record()
	if record == nil || n.Clock.Mono(latest)-now.Mono >= d.patience {
		return false
	}
	switch d.machine.Settled(now.Mono, record) {
	case machine.Get:
		w.look(n, sight)
		return true
	case machine.Update:
		if d.lock.Current(sight) {
			w.renew(n, sight, now)
			return true
		}
	}
	return false
}

// look makes the attempt of a follower that finds a lease that has not run out. It draws how long the request and its answer
// take, and the jitter. It moves the time to when that attempt is over, tells the sinks, and arms Retry.
func (w *world) look(n *node, sight simlock.Sight) {
	d := &n.direct
	x := w.newExchange(n, machine.Get)
	x.Applied = int64(w.travel(n, plan.RequestLeg))
	life, record := d.lock.Look(sight), sight.Record()
	x.Changed, x.Writes, x.Base = false, "", 0
	w.tellExchange(n, x, record)
	answered := n.Clock.Now(w.Now)
	d.machine.LookedOn(answered, record, life)
	w.arm(n, machine.Retry, answered.Mono.Add(machine.Jittered(n.Plan.RetryPeriod, w.jitter(n))))
}

// renew makes the attempt of a leader that renews its lease; now is what its clocks show. It draws how long the request and its
// answer take, and tells the sinks. It moves the time to when that attempt is over, and arms Retry and, if the profile counts
// from the last renewal, Deadline.
func (w *world) renew(n *node, sight simlock.Sight, now machine.Now) {
	d := &n.direct
	x := w.newExchange(n, machine.Update)
	x.Applied = int64(w.travel(n, plan.RequestLeg))
	record := d.machine.Renewal(now)
	x.Writes, x.Base = record.Holder, d.lock.Version()
	x.Changed = d.lock.Renew(w.service.Records(), sight, record)
	w.tellExchange(n, x, record)
	from := d.machine.Renewed(n.Clock.Now(w.Now), d.lock.Life())
	if n.Plan.Profile.CountsFromRenewal() {
		w.arm(n, machine.Deadline, from.Add(n.Plan.RenewDeadline))
	}
	w.arm(n, machine.Retry, from.Add(n.Plan.RetryPeriod))
}

// newExchange numbers and counts a request of the node that leaves now, and returns the exchange with its number, sender,
// verb, object and time. The caller fills in the rest. There is only one exchange at a time: the next call overwrites it.
func (w *world) newExchange(n *node, verb machine.Verb) *trace.Exchange {
	n.requests++
	w.service.Requests++
	x := &w.exchanged
	x.Candidate, x.Incarnation, x.Request = n.Index, n.Incarnation, n.requests
	x.Verb, x.Object, x.Sent = trace.Verb(verb), trace.Object(n.direct.lock.Object), int64(w.Now)
	return x
}

// tellExchange draws how long the answer takes, moves the time to when it is handled, and tells the sinks of the exchange.
// record is what the object says after the request.
func (w *world) tellExchange(n *node, x *trace.Exchange, record *machine.Record) {
	x.Handled = int64(w.travel(n, plan.ResponseLeg))
	x.Status, x.Version = statusOK, n.direct.lock.Version()
	x.Holder, x.Transitions, x.LeaseSeconds = record.Holder, record.Transitions, record.DurationSeconds
	w.Recorder.Exchange(x)
}

// statusOK is HTTP's.
const statusOK = 200

// travel draws how long a message takes that the node sends or gets now, on that leg and without faults. It moves w.Now to
// when the message arrives, and returns that time.
func (w *world) travel(n *node, leg plan.Leg) clock.Instant {
	w.Now += w.network.Usual(&n.Line, leg)
	return w.Now
}
