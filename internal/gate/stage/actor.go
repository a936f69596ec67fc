package stage

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// actor is a candidate of a stage at one instant of its life: its methods add faults to the stage, and advance the actor.
type actor struct {
	*stage
	id string
	// now is the true time, and local is what the candidate's clock shows. That clock has run driftPPM fast since the true time
	// since, at which it showed sinceOnClock.
	now, local          time.Duration
	driftPPM            int64
	since, sinceOnClock time.Duration
	// Three times on the candidate's clock: polled is when its last poll began, ticking is when that poll's ticker started, and
	// observed is when it last saw a new record.
	polled, ticking, observed time.Duration
	bucket                    bucket
	// due is how long before the candidate's next call that finds a full bucket one request of other traffic comes; 0 for none.
	due time.Duration
}

// wait advances a by the duration given as local, on the candidate's clock: to the first nanosecond of true time at which that
// clock shows so much more.
func (a *actor) wait(local time.Duration) {
	a.local += local
	goal := a.local - a.sinceOnClock
	passed := bound.True(goal, a.driftPPM)
	if bound.Local(passed, a.driftPPM) < goal {
		passed++
	}
	a.pass(a.since + passed - a.now)
}

// pass advances a by d, in true time. It sets a.now, and a.local to what the candidate's clock shows then.
func (a *actor) pass(d time.Duration) {
	a.now += d
	a.local = a.sinceOnClock + bound.Local(a.now-a.since, a.driftPPM)
}

// setRate sets the drift of the candidate's clock, in parts per million, from a.now on, and adds the fault that does so. It does
// nothing if the clock has that drift already.
func (a *actor) setRate(driftPPM int64) {
	if driftPPM != a.driftPPM {
		a.rate(a.id, a.now, driftPPM)
		a.driftPPM, a.since, a.sinceOnClock = driftPPM, a.now, a.local
	}
}

// trip returns the length of a round trip without a fault, in true time.
func (a *actor) trip() time.Duration { return 2 * a.leg }

// outcome says what becomes of a request.
type outcome uint8

const (
	answered outcome = iota
	// refused: an error comes in place of the operation. hidden: the operation is applied, and an error comes as its answer.
	// conflict is as hidden, with the error 409.
	refused
	hidden
	conflict
	// lost: the request never arrives. unheard: the request is applied, and its answer is lost.
	lost
	unheard
)

// request adds the faults with which the candidate's next request has outcome o after the time given as took, in true time. It
// advances a past the request, and returns when the request arrives at the service, in true time. A took below a round trip
// counts as a round trip. If took is longer than the client's timeout allows, the request first waits in the client's limiter. If
// the request or its answer is lost, the request lasts for the client's timeout, and took gives only that wait. v is the verb of
// the request for an error; 0 means any verb.
func (a *actor) request(v machine.Verb, o outcome, took time.Duration) (arrival time.Duration) {
	took = a.hold(took)
	arrival = a.now + a.leg
	switch o {
	case refused, hidden, conflict:
		f := scenarios.Fault{Kind: plan.FaultError, Verb: v, Status: 500, Applied: o != refused}
		if o == conflict {
			f.Status = 409
		}
		a.fault(f, a.id, a.now, arrival)
	case lost, unheard:
		leg := plan.ResponseLeg
		if o == lost {
			leg = plan.RequestLeg
		}
		a.fault(scenarios.Fault{Kind: plan.FaultLose, Leg: leg}, a.id, a.now, arrival)
		a.wait(a.cfg.RequestTimeout)
		return arrival
	}
	if took = max(took, a.trip()); took > a.trip() {
		back := always(took - a.leg)
		a.fault(scenarios.Fault{Kind: plan.FaultDelay, Response: &back}, a.id, a.now, arrival)
	}
	a.pass(took)
	return arrival
}

// hold adds a wait in the client's limiter for the part of took that is longer than the client's timeout allows, and advances a
// past that wait. If a.cfg.Client is set, it takes a token instead, with other traffic before it to make it wait, and adds
// refusals with retries. It returns what remains of took, which is in true time.
func (a *actor) hold(took time.Duration) time.Duration {
	wait := took - a.direct() + slack
	before := a.now
	switch {
	case a.cfg.Client != nil:
		a.token(max(0, wait-slack))
		return a.again(took - (a.now - before))
	case !a.limited() || wait <= slack:
		return took
	}
	local := bound.Local(wait, a.driftPPM)
	a.fault(scenarios.Fault{Kind: plan.FaultDelay, Limiter: local}, a.id, a.now, a.now)
	a.wait(local)
	return took - (a.now - before)
}

// direct returns the longest round trip, in true time, of a request that waits in no limiter and is sent once. It is shorter than
// the request timeout, if there is one.
func (a *actor) direct() time.Duration {
	r := max(a.env.MaxRoundTrip, a.trip())
	if a.cfg.Client == nil {
		r = a.answer()
	}
	if f := bound.True(a.cfg.RequestTimeout, a.driftPPM); f > 0 {
		return min(r, f-slack)
	}
	return r
}

// longest returns the longest round trip, in true time, of a request in a poll: what answer returns, but shorter than
// RenewDeadline.
func (a *actor) longest() time.Duration {
	return min(a.answer(), bound.True(a.cfg.RenewDeadline, a.driftPPM)-slack)
}

// answer returns the longest time, in true time, after which a request can still be answered. It includes waits for tokens and
// retries. The request timeout counts, unless the request first waits in the limiter (see limited); RenewDeadline does not.
func (a *actor) answer() time.Duration {
	r := max(a.env.MaxRoundTrip, a.trip())
	if a.cfg.Client != nil {
		return max(a.direct(), bound.ClientTrip(a.cfg, a.env)-slack)
	}
	if a.limited() {
		r -= 2 * slack // so that what it waits in the limiter is no longer than what the timeout leaves
	}
	if f := bound.True(a.cfg.RequestTimeout, a.driftPPM); f > 0 && !a.limited() {
		r = min(r, f-slack)
	}
	return r
}

// limited tells whether an answer can take longer than the client's timeout, because the request waits in the client's limiter
// first. It is false with a.cfg.Client, whose waits are computed, for a lock that expires by itself, and for a profile that ends
// in time.
func (a *actor) limited() bool {
	f := a.cfg.RequestTimeout
	return f > 0 && a.cfg.Client == nil && !a.lock().Expires() && !a.cfg.Profile.EndsInTime() &&
		a.env.MaxRoundTrip > bound.True(f, -a.env.MaxDriftPPM)
}
