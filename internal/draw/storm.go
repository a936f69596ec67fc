package draw

import "interregnum/plan"

// storm draws the plan's faults: few or many, from a subset of the kinds (after Groce et al., Swarm Testing, ISSTA 2012). Now and
// then it adds those of goodbye and, in a restless space, those of cutOff. It adds none if it has drawn no kind.
func (d *drawing) storm() {
	kinds := d.sheet.chosen[:0]
	for _, k := range d.allowed() {
		if d.oneIn(2) {
			kinds = append(kinds, k)
		}
	}
	d.sheet.chosen = kinds
	if len(kinds) == 0 {
		return
	}
	for range int(d.spread(1, 25)) {
		d.add(pick(d, kinds...))
	}
	if d.oneIn(8) {
		d.together(d.goodbye)
	}
	if d.space.Restless && d.oneIn(4) {
		d.together(d.cutOff)
	}
}

// allowed returns the kinds of fault that the limits allow for the plan. The result is good until the next call.
func (d *drawing) allowed() []plan.FaultKind {
	d.sheet.allowed = d.space.Limits.appendKinds(d.sheet.allowed[:0], d.someClients, d.allClients)
	return d.sheet.allowed
}

// together calls draw, which adds faults to the plan, and then calls inElection for all of these faults at once: those that
// name an election name the same one.
func (d *drawing) together(draw func()) {
	before := len(d.plan.Faults)
	draw()
	d.inElection(d.plan.Faults[before:])
}

// goodbye adds faults to the plan in which a leader reaches nobody for a while, is asked to stop, and has slow requests, so
// that its release can arrive when it has a successor. By chance these hardly ever come together.
func (d *drawing) goodbye() {
	calm, t := d.calm(), d.sheet
	at, leader := min(calm-1, d.moment(calm)), t.on(plan.RoleLeader)
	until, late := min(calm, at+d.timings.LeaseDuration), d.even(d.most()/2)+d.most()/2
	cut := max(0, at-d.even(d.timings.RenewDeadline))
	d.plan.Faults = append(d.plan.Faults,
		plan.Fault{Kind: plan.FaultDelay, At: at, Until: t.durations.Put(until), On: leader, Request: t.fixed(late)},
		plan.Fault{Kind: plan.FaultCancel, At: at, On: leader})
	if cut < at {
		d.plan.Faults = append(d.plan.Faults,
			plan.Fault{Kind: plan.FaultPartition, At: cut, Until: t.durations.Put(at), On: leader})
	}
}

// cutOff adds faults to the plan in which some answers to a leader are late or lost, and soon after that it reaches nobody for
// two LeaseDurations. So the leader and the others can count from different renewals. By chance these hardly ever come
// together.
func (d *drawing) cutOff() {
	calm, t := d.calm(), d.sheet
	at, leader := min(calm-1, d.moment(calm)), t.on(plan.RoleLeader)
	until := at + 1 + d.even(2*d.timings.RetryPeriod)
	cut := until + d.even(d.timings.RetryPeriod)
	healed := cut + 2*d.timings.LeaseDuration
	answers := plan.Fault{Kind: plan.FaultLose, At: at, Until: t.durations.Put(until), On: leader, Leg: plan.ResponseLeg}
	if d.oneIn(2) {
		late := d.even(d.timings.RenewDeadline)
		answers = plan.Fault{Kind: plan.FaultDelay, At: at, Until: answers.Until, On: leader, Response: t.fixed(late)}
	}
	d.plan.Faults = append(d.plan.Faults, answers,
		plan.Fault{Kind: plan.FaultPartition, At: cut, Until: t.durations.Put(healed), On: leader})
}
