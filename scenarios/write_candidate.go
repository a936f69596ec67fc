package scenarios

import "interregnum/scenarios/plan"

// candidateMembers returns the fields to write for a candidate: the id, and those that differ from the default.
func candidateMembers(c *Candidate) members {
	var m members
	usual := builtinCandidate()
	m.add(true, "id", c.ID)
	m.add(c.Identity != "", "identity", c.Identity)
	m.add(c.Profile.Name != usual.Profile.Name, "profile", c.Profile.Name)
	m.add(c.Lock != usual.Lock, "lock", string(c.Lock))
	m.duration(c.LeaseDuration != usual.LeaseDuration, "leaseDuration", c.LeaseDuration)
	m.duration(c.RenewDeadline != usual.RenewDeadline, "renewDeadline", c.RenewDeadline)
	m.duration(c.RetryPeriod != usual.RetryPeriod, "retryPeriod", c.RetryPeriod)
	m.add(c.ReleaseOnCancel, "releaseOnCancel", literal("true"))
	m.duration(c.RequestTimeout != 0, "requestTimeout", c.RequestTimeout)
	if c.Client != nil {
		m.add(true, "client", clientMembers(c.Client))
	}
	if c.Jitter != nil {
		m.add(true, "jitter", jitterValue(c))
	}
	m.duration(c.Drain != 0, "drain", c.Drain)
	m.duration(c.ReturnsAfter != 0, "returnsAfter", c.ReturnsAfter)
	m.duration(c.WriteEvery != 0, "writeEvery", c.WriteEvery)
	m.duration(c.StartAt != 0, "startAt", c.StartAt)
	if c.Rejoin != nil {
		m.duration(true, "rejoin", *c.Rejoin)
	}
	m.add(c.SameElector, "sameElector", literal("true"))
	m.add(c.OnLoss != "", "onLoss", string(c.OnLoss))
	if c.LivenessProbe != nil {
		m.add(true, "livenessProbe", probeMembers(c.LivenessProbe))
	}
	clock := clockMembers(c.Clock)
	m.add(len(clock) > 0, "clock", clock)
	m.add(c.Now != "", "now", string(c.Now))
	m.duration(c.Precision != 0, "precision", c.Precision)
	m.add(c.Coordinated, "coordinated", literal("true"))
	m.add(c.BinaryVersion != "", "binaryVersion", c.BinaryVersion)
	m.add(c.EmulationVersion != "", "emulationVersion", c.EmulationVersion)
	m.add(c.Strategy != "", "strategy", c.Strategy)
	return m
}

// jitterValue returns the value to write for a candidate's draws: a number, or a list if the first ones have numbers of their own.
func jitterValue(c *Candidate) any {
	if len(c.FirstJitters) == 0 {
		return floatText(*c.Jitter)
	}
	var all []literal
	for _, j := range c.FirstJitters {
		all = append(all, floatText(j))
	}
	return append(all, floatText(*c.Jitter))
}

// probeMembers returns the fields to write for a probe: the period, and those that differ from the default.
func probeMembers(p *plan.LivenessProbe) (m members) {
	usual := builtinProbe()
	m.duration(true, "period", p.Period)
	m.add(p.FailureThreshold != usual.FailureThreshold, "failureThreshold", wholeText(int64(p.FailureThreshold)))
	m.duration(p.Tolerance != usual.Tolerance, "tolerance", p.Tolerance)
	m.duration(p.RestartAfter != usual.RestartAfter, "restartAfter", p.RestartAfter)
	return m
}
