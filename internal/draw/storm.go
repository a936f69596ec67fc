package draw

import "interregnum/scenarios/plan"

// storm draws the faults: few or many, from a subset of the kinds (after Groce et al., Swarm Testing, ISSTA 2012).
func (d *drawing) storm() {
	all := d.space.Limits.Kinds()
	kinds := make([]plan.FaultKind, 0, len(all))
	for _, k := range all {
		if d.oneIn(2) {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		return
	}
	n := int(d.spread(1, 25))
	d.plan.Faults = make([]plan.Fault, 0, n)
	for range n {
		d.plan.Faults = append(d.plan.Faults, d.fault(pick(d, kinds...)))
	}
	if d.oneIn(8) {
		d.together(d.goodbye())
	}
	if d.space.Restless && d.oneIn(4) {
		d.together(d.cutOff())
	}
}

// together has the faults be about one election, and adds them to the plan.
func (d *drawing) together(faults []plan.Fault) {
	d.inElection(faults)
	d.plan.Faults = append(d.plan.Faults, faults...)
}

// goodbye returns faults in which a leader reaches nobody for a while, is asked to stop, and has slow messages, so that its release may meet a
// successor. By chance these hardly ever come together.
func (d *drawing) goodbye() []plan.Fault {
	calm := d.calm()
	at, leader := min(calm-1, d.moment(calm)), []string{plan.RoleLeader}
	until, late := min(calm, at+d.timings.LeaseDuration), d.even(d.most()/2)+d.most()/2
	slow := plan.Fault{Kind: plan.FaultDelay, At: at, Until: &until, On: leader, Request: &plan.Delay{Min: late, Max: late}}
	cut := max(0, at-d.even(d.timings.RenewDeadline))
	faults := []plan.Fault{slow, {Kind: plan.FaultCancel, At: at, On: leader}}
	if cut < at {
		faults = append(faults, plan.Fault{Kind: plan.FaultPartition, At: cut, Until: &at, On: leader})
	}
	return faults
}

// cutOff returns faults in which some answers to a leader are late or lost, and soon after that it reaches nobody any
// more. So the leader and the others may count from different renewals. By chance these hardly ever come together.
func (d *drawing) cutOff() []plan.Fault {
	calm := d.calm()
	at, leader := min(calm-1, d.moment(calm)), []string{plan.RoleLeader}
	until := at + 1 + d.even(2*d.timings.RetryPeriod)
	cut := until + d.even(d.timings.RetryPeriod)
	healed := cut + 2*d.timings.LeaseDuration
	answers := plan.Fault{Kind: plan.FaultLose, At: at, Until: &until, On: leader, Leg: plan.ResponseLeg}
	if d.oneIn(2) {
		late := d.even(d.timings.RenewDeadline)
		answers = plan.Fault{Kind: plan.FaultDelay, At: at, Until: &until, On: leader, Response: &plan.Delay{Min: late, Max: late}}
	}
	return []plan.Fault{answers, {Kind: plan.FaultPartition, At: cut, Until: &healed, On: leader}}
}
