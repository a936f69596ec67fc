package scenarios

import (
	"slices"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
)

var (
	// candidateFields are the fields of a candidate, id first: defaults have all but that.
	candidateFields = []string{
		"id", "identity", "profile", "lock", "leaseDuration", "renewDeadline", "retryPeriod", "releaseOnCancel",
		"requestTimeout", "client", "jitter", "drain", "returnsAfter", "writeEvery", "startAt", "rejoin", "sameElector", "clock",
		"onLoss", "elections", "livenessProbe", "now", "precision", "coordinated", "binaryVersion", "emulationVersion", "strategy",
	}
	probeFields = []string{"period", "failureThreshold", "tolerance", "restartAfter"}
)

// candidate decodes n into a candidate; id is required. Fields that n does not have keep the values of base. A request timeout of
// half the RenewDeadline becomes a duration here.
func (d *decoder) candidate(n *node, base *Candidate) Candidate {
	c := *base
	c.Jitter, c.Rejoin, c.LivenessProbe, c.Client = clone(c.Jitter), clone(c.Rejoin), clone(c.LivenessProbe), c.Client.Clone()
	c.FirstJitters = slices.Clone(c.FirstJitters)
	timeoutByKind(n, &c)
	d.mapping(n, "a candidate", candidateFields, func(name string, n *node) { d.candidateField(name, n, &c) })
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
	case "coordinated", "binaryVersion", "emulationVersion", "strategy":
		d.coordinatedField(name, n, c)
	case "id":
		c.ID = d.word(n)
	case "identity":
		c.Identity = d.word(n)
	case "profile":
		c.Profile = d.profile(n)
	case "lock":
		c.Lock = plan.Lock(d.oneOf(n, "kind of lock", plan.LockNames()))
	case "leaseDuration":
		c.LeaseDuration = d.duration(n)
	case "renewDeadline":
		c.RenewDeadline = d.duration(n)
	case "retryPeriod":
		c.RetryPeriod = d.duration(n)
	case "releaseOnCancel":
		c.ReleaseOnCancel = d.boolean(n)
	case "requestTimeout":
		c.RequestTimeout = d.requestTimeout(n)
	case "client":
		c.Client = d.client(n, c.Client)
	case "jitter":
		d.jitter(n, c)
	case "drain":
		c.Drain = d.duration(n)
	case "returnsAfter":
		c.ReturnsAfter = d.duration(n)
	case "writeEvery":
		c.WriteEvery = d.duration(n)
	case "startAt":
		c.StartAt = d.duration(n)
	case "rejoin":
		c.Rejoin = new(d.duration(n))
	case "sameElector":
		c.SameElector = d.boolean(n)
	case "onLoss":
		c.OnLoss = plan.OnLoss(d.oneOf(n, "thing to do", lossNames()))
	case "elections":
		d.electionNames(n)
	case "livenessProbe":
		c.LivenessProbe = d.livenessProbe(n, c.LivenessProbe)
	case "clock":
		d.clock(n, &c.Clock)
	case "now":
		c.Now = plan.Now(d.oneOf(n, "clock", []string{string(plan.CallerNow), string(plan.DatabaseNow)}))
	case "precision":
		c.Precision = d.duration(n)
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

// lossNames returns the values that the field onLoss may have.
func lossNames() []string {
	return []string{string(plan.LossExit), string(plan.LossRejoin), string(plan.LossIgnore)}
}

// livenessProbe decodes n into a probe. Fields that n does not have keep the values of inherited, or the built-in ones if it
// is nil.
func (d *decoder) livenessProbe(n *node, inherited *plan.LivenessProbe) *plan.LivenessProbe {
	p := builtinProbe()
	if inherited != nil {
		p = *inherited
	}
	d.mapping(n, "a liveness probe", probeFields, func(name string, n *node) {
		switch name {
		case "period":
			p.Period = d.duration(n)
		case "failureThreshold":
			p.FailureThreshold = int(d.whole(n))
		case "tolerance":
			p.Tolerance = d.duration(n)
		case "restartAfter":
			p.RestartAfter = d.duration(n)
		}
	})
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

// jitter decodes n into c.Jitter and c.FirstJitters: one number for all draws, or a list of numbers for the first draws, the last
// of which is for all after them too.
func (d *decoder) jitter(n *node, c *Candidate) {
	c.Jitter, c.FirstJitters = nil, nil
	if n.kind != listKind {
		c.Jitter = new(d.number(n))
		return
	}
	d.list(n, "numbers", func(_ int, n *node) { c.FirstJitters = append(c.FirstJitters, d.number(n)) })
	if len(n.items) == 0 {
		d.fail("want a number, or a list of one and more")
		return
	}
	last := len(c.FirstJitters) - 1
	c.Jitter, c.FirstJitters = &c.FirstJitters[last], c.FirstJitters[:last:last]
}

// clone returns a pointer to a copy of what p points to, nil for nil.
func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
