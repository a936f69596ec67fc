package search

import (
	"slices"
	"time"

	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// fault draws a fault of that kind that is over by an instant.
func (w *swarm) fault(kind plan.FaultKind, calm time.Duration) scenarios.Fault {
	f := scenarios.Fault{Kind: kind, At: min(calm-1, w.moment(calm))}
	if kind.Window() {
		until := max(f.At+1, min(calm, f.At+w.length()))
		f.Until = &until
	}
	if kind != plan.FaultOutage && kind != plan.FaultDelete {
		f.On = w.aim()
	}
	switch kind {
	case plan.FaultDelay:
		w.delay(&f)
	case plan.FaultLose:
		f.Leg = []plan.Leg{plan.BothLegs, plan.RequestLeg, plan.ResponseLeg, plan.ResponseLeg}[w.IntN(4)]
		if w.one(2) {
			probability := w.Float64()
			f.Probability = &probability
		}
	case plan.FaultError:
		f.Status = []int{403, 429, 500, 503, 504}[w.IntN(5)]
		if w.target.Limits.MaxRoundTrip == 0 && w.one(4) {
			f.Status = 409
		}
		f.Applied = w.one(2)
		verbs := w.target.verbs()
		f.Verb = verbs[w.IntN(len(verbs))]
	case plan.FaultRestart:
		f.Identity = []plan.Identity{plan.SameIdentity, plan.NewIdentity}[w.IntN(2)]
	case plan.FaultClock:
		w.clock(&f)
	case plan.FaultPause:
		w.pause(&f)
	}
	objects := w.target.Kind().Objects()
	if len(objects) > 1 && slices.Contains(kind.Fields(), "object") && w.one(2) {
		f.Object = objects[w.IntN(len(objects))].String()
	}
	one := []scenarios.Fault{f}
	w.inElection(one)
	return one[0]
}

// goodbye returns faults in which a leader reaches nobody for a while, is asked to stop, and has slow messages, so that its release may meet a
// successor. By chance these hardly ever come together.
func (w *swarm) goodbye(calm time.Duration) []scenarios.Fault {
	at, leader := min(calm-1, w.moment(calm)), []string{plan.RoleLeader}
	until, late := min(calm, at+w.timings.LeaseDuration), w.even(w.most()/2)+w.most()/2
	slow := scenarios.Fault{Kind: plan.FaultDelay, At: at, Until: &until, On: leader, Request: &plan.Delay{Min: late, Max: late}}
	cut := max(0, at-w.even(w.timings.RenewDeadline))
	faults := []scenarios.Fault{slow, {Kind: plan.FaultCancel, At: at, On: leader}}
	if cut < at {
		faults = append(faults, scenarios.Fault{Kind: plan.FaultPartition, At: cut, Until: &at, On: leader})
	}
	return faults
}

// moment draws when a fault begins: half of them at any time, the others about the instants that matter to a leader that
// has had no trouble yet: a renewal, the deadline of its poll, the end of its lease.
func (w *swarm) moment(calm time.Duration) time.Duration {
	if w.one(2) {
		return w.even(calm)
	}
	trip := w.s.Network.Request.Max + w.s.Network.Response.Max
	at := 2*trip + time.Duration(w.IntN(12))*(w.timings.RetryPeriod+trip)
	switch w.IntN(4) {
	case 0:
		at += w.timings.LeaseDuration
	case 1:
		at += w.timings.RetryPeriod + w.timings.RenewDeadline
	}
	near := w.spread(1, w.timings.RetryPeriod)
	if w.one(2) {
		near = -near
	}
	return max(0, at+near)
}

// length draws how long a fault lasts: over orders of magnitude, or about as long as something that counts.
func (w *swarm) length() time.Duration {
	t := &w.timings
	if w.one(2) {
		return w.spread(time.Millisecond, 2*t.LeaseDuration)
	}
	all := []time.Duration{t.RetryPeriod, t.RenewDeadline, t.LeaseDuration, t.RetryPeriod + t.RenewDeadline}
	return all[w.IntN(len(all))] + w.spread(1, t.RetryPeriod) - w.spread(1, t.RetryPeriod) + t.RetryPeriod
}

// aim draws whom a fault is on: mostly the leader.
func (w *swarm) aim() []string {
	switch w.IntN(6) {
	case 0:
		return nil
	case 1:
		return []string{plan.RoleFollower}
	case 2:
		return []string{w.s.Candidates[w.IntN(len(w.s.Candidates))].ID}
	}
	return []string{plan.RoleLeader}
}

// delay draws which legs a fault slows down, and by how much.
func (w *swarm) delay(f *scenarios.Fault) {
	leg := func() *plan.Delay {
		d := w.spread(time.Millisecond, max(time.Millisecond, w.most()))
		if w.one(3) {
			d = w.most() - w.spread(1, w.most())
		}
		return &plan.Delay{Min: d, Max: d}
	}
	which := w.IntN(3)
	if which != 0 {
		f.Request = leg()
	}
	if which != 1 {
		f.Response = leg()
	}
}

// clock draws whose clock a fault changes, and makes it a change of the drift or a jump, within the limits.
func (w *swarm) clock(f *scenarios.Fault) {
	if w.target.Kind().Expires() && w.one(3) {
		f.On = []string{plan.ServiceName}
	}
	if d := w.target.Limits.MaxDriftPPM; d > 0 && w.one(2) {
		drift := w.Int64N(2*d+1) - d
		f.DriftPPM = &drift
		return
	}
	most := time.Minute
	if w.target.bounds(f) {
		most = max(1, w.apart)
	}
	if f.Jump = w.even(2*most) - most; f.Jump == 0 {
		f.Jump = 1
	}
	if w.target.bounds(f) {
		w.apart -= f.Jump.Abs()
	}
}

// pause cuts a freeze to what is left of the time that processes may be frozen, and takes that off.
func (w *swarm) pause(f *scenarios.Fault) {
	left := w.target.Limits.MaxPause - w.frozen
	until := max(f.At+1, min(*f.Until, f.At+left))
	w.frozen += until - f.At
	f.Until = &until
}
