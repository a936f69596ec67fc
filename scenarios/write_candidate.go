package scenarios

import "interregnum/plan"

// usualCandidate has the default of each field.
var usualCandidate = plan.DefaultCandidate()

// candidateMembers returns the fields to write for a candidate: the id, and those that differ from the default.
func candidateMembers(c *Candidate) members {
	return membersOf(plan.CandidateFields(), c, &usualCandidate)
}

// drawsValue returns the value to write for a candidate's draws: a number, or a list if the first ones have numbers of their own; nil
// if they are drawn.
func drawsValue(of plan.Draws) any {
	var all []literal
	for _, j := range *of.First {
		all = append(all, floatText(j))
	}
	switch {
	case *of.Rest == nil:
		return nil
	case all == nil:
		return floatText(**of.Rest)
	}
	return append(all, floatText(**of.Rest))
}

// probeMembers returns the fields to write for a probe: the period, and those that differ from the default.
func probeMembers(p *plan.LivenessProbe) members {
	usual := builtinProbe()
	usual.Period = 0 // no probe has that
	return membersOf(probeFields, p, &usual)
}
