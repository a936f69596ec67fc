package scenarios

import (
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
)

var probeFields = []plan.Field[plan.LivenessProbe]{
	plan.FieldAt("period", func(p *plan.LivenessProbe) *time.Duration { return &p.Period }),
	plan.FieldAt("failureThreshold", func(p *plan.LivenessProbe) *int { return &p.FailureThreshold }),
	plan.FieldAt("tolerance", func(p *plan.LivenessProbe) *time.Duration { return &p.Tolerance }),
	plan.FieldAt("restartAfter", func(p *plan.LivenessProbe) *time.Duration { return &p.RestartAfter }),
}

// candidate decodes n into a candidate; id is required. Fields that n does not have keep the values of base. A request timeout of
// half the RenewDeadline becomes a duration here.
func (d *decoder) candidate(n *node, base *Candidate) Candidate {
	c := *base
	c.Jitter, c.Rejoin, c.LivenessProbe, c.Client = clone(c.Jitter), clone(c.Rejoin), clone(c.LivenessProbe), c.Client.Clone()
	c.FirstJitters = slices.Clone(c.FirstJitters)
	timeoutByKind(n, &c)
	d.mapping(n, "a candidate", names(plan.CandidateFields()), func(name string, n *node) { d.candidateField(name, n, &c) })
	d.need(n, "id", "it is the candidate's name")
	if c.RequestTimeout == half || c.RequestTimeout == halfOfKind {
		c.RequestTimeout = plan.HalfOf(c.RenewDeadline)
	}
	return c
}

// candidateField decodes n, the value of the field called name, into c. c is a candidate, or holds the defaults of candidates.
// The field elections is only checked. A name that is no field is ignored.
func (d *decoder) candidateField(name string, n *node, c *Candidate) {
	switch name {
	case "elections":
		d.electionNames(n)
	case "requestTimeout":
		c.RequestTimeout = d.requestTimeout(n)
	default:
		d.value(n, placeOf(plan.CandidateFields(), name, c))
	}
}

// profile decodes the name of a profile: see oneOf.
func (d *decoder) profile(n *node) machine.Profile {
	name := d.oneOf(n, "profile", machine.ProfileNames())
	if p, known := machine.ProfileNamed(name); known {
		return p
	}
	return machine.Profile{Name: name}
}

// livenessProbe decodes n into a probe. Fields that n does not have keep the values of inherited, or the built-in ones if it
// is nil.
func (d *decoder) livenessProbe(n *node, inherited *plan.LivenessProbe) *plan.LivenessProbe {
	p := builtinProbe()
	if inherited != nil {
		p = *inherited
	}
	fields(d, n, "a liveness probe", probeFields, &p)
	return &p
}

// electionNames checks that n, a candidate's elections, is a list of names that is not empty. It stores nothing; takesPart
// decodes the list.
func (d *decoder) electionNames(n *node) {
	d.list(n, "a list of elections, such as [main]", func(_ int, n *node) { d.word(n) })
	if len(n.items) == 0 {
		d.fail("names no election; leave it out if all are meant")
	}
}

// draws decodes n, a candidate's jitter: one number for all draws, or a list of numbers for the first draws, the last of which is
// for all after them too.
func (d *decoder) draws(n *node) (rest *float64, first []float64) {
	if n.kind != listKind {
		return new(d.number(n)), nil
	}
	d.list(n, "numbers", func(_ int, n *node) { first = append(first, d.number(n)) })
	if len(n.items) == 0 {
		d.fail("want a number, or a list of one and more")
		return nil, nil
	}
	last := len(first) - 1
	return &first[last], first[:last:last]
}

// clone returns a pointer to a copy of what p points to, nil for nil.
func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
