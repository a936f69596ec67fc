package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/trace"
	"interregnum/plan"
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

// exchange makes the attempt of a node whose timer Retry is due, in one go, and returns true. It draws how long the request and its
// answer take. It returns false, and undoes that draw, if anything else can happen before the answer, or if it is not certain that
// the first answer ends the attempt as usual.
func (w *world) exchange(n *node) bool {
	d := &n.direct
	if w.noShortcut || d.lock == nil || !w.network.Spares(&n.Line, d.lock.Object) {
		return false
	}
	now := n.Clock.Now(w.Now)
	sight := d.lock.Peek(w.service.Records())
	record := sight.Record()
	if record == nil {
		return false
	}
	verb := d.machine.Settled(now.Mono, record)
	if verb == 0 || verb == machine.Update && !d.lock.Current(sight) {
		return false
	}
	before := n.Line.Mark()
	arrives := w.Now + w.network.Usual(&n.Line, plan.RequestLeg)
	answered := arrives + w.network.Usual(&n.Line, plan.ResponseLeg)
	then := n.Clock.Now(answered)
	if !w.quiet(answered) || then.Mono-now.Mono >= d.patience {
		n.Line.Return(before)
		return false
	}
	n.requests++
	w.service.Requests++
	x := &w.exchanged
	x.Sent, x.Applied, x.Handled = int64(w.Now), int64(arrives), int64(answered)
	w.Now = answered
	if verb == machine.Update {
		w.renew(n, x, sight, now, then)
	} else {
		w.look(n, x, sight, then)
	}
	return true
}

// quiet tells whether nothing happens from now until the instant at, or at it, and the horizon is later. Entries until then of timers
// that were stopped or set anew it handles at once: all that comes of them is an entry for a later time.
func (w *world) quiet(at clock.Instant) bool {
	for w.NextAt() <= at {
		if e := w.First(); e.Kind != timerDue || w.live(e) {
			return false
		}
		stale := w.Pop()
		w.timerUp(&stale)
	}
	return at < w.Horizon
}

// look makes the attempt of a follower that finds a lease that has not run out, and tells the sinks if one is to see it; answered is
// what its clocks show now, when it is answered. It draws the jitter, and arms Retry.
func (w *world) look(n *node, x *trace.Exchange, sight simlock.Sight, answered machine.Now) {
	d := &n.direct
	life, record := d.lock.Look(sight), sight.Record()
	if !w.PassesLook(&n.Seat) {
		x.Changed, x.Writes, x.Base = false, "", 0
		w.tellExchange(n, x, machine.Get, record)
	}
	d.machine.LookedOn(answered, record, life)
	w.arm(n, machine.Retry, answered.Mono.Add(machine.Jittered(n.Plan.RetryPeriod, w.jitter(n))))
}

// renew makes the attempt of a leader that renews its lease, and tells the sinks; began is what its clocks showed when the attempt
// began, and answered what they show now. It arms Retry and, if the profile counts from the last renewal, Deadline.
func (w *world) renew(n *node, x *trace.Exchange, sight simlock.Sight, began, answered machine.Now) {
	d := &n.direct
	record := d.machine.Renewal(began)
	x.Writes, x.Base = record.Holder, d.lock.Version()
	x.Changed = d.lock.Renew(w.service.Records(), sight, record)
	w.tellExchange(n, x, machine.Update, record)
	from := d.machine.Renewed(answered, d.lock.Life())
	if n.Plan.Profile.CountsFromRenewal() {
		w.arm(n, machine.Deadline, from.Add(n.Plan.RenewDeadline))
	}
	w.arm(n, machine.Retry, from.Add(n.Plan.RetryPeriod))
}

// tellExchange tells the sinks of the node's exchange x, whose request has that verb. record is what the object says after it.
// The caller has filled in the times, and what the request writes. There is only one exchange at a time: the next one overwrites it.
func (w *world) tellExchange(n *node, x *trace.Exchange, verb machine.Verb, record *machine.Record) {
	lock := n.direct.lock
	x.Candidate, x.Incarnation, x.Request = n.Index, n.Incarnation, n.requests
	x.Verb, x.Object = trace.Verb(verb), trace.Object(lock.Object)
	x.Status, x.Version = statusOK, lock.Version()
	x.Holder, x.Transitions, x.LeaseSeconds = record.Holder, record.Transitions, record.DurationSeconds
	w.Recorder.Exchange(x)
}

// statusOK is HTTP's.
const statusOK = 200
