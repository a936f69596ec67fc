package machine

// Coordination is what a record of a coordinated election says beside who holds the lock. It is not changed once it is
// in a record.
type Coordination struct {
	// Strategy is how the coordinator elects.
	Strategy string
	// PreferredHolder is who shall lead next. If it is set, the holder's term is to end.
	PreferredHolder string
}

// appointed handles the record that a candidate of a coordinated election has read (tryCoordinatedRenew of the library). The
// candidate renews the lease if the record names it as holder, has not run out and names no preferred holder. Otherwise the
// attempt ends as failed: the candidate never takes a lease that is not its own.
func (m *Machine) appointed(r *Record) {
	expired := !m.hasObserved || m.observedAt.Add(r.Duration()) < m.attempt.startedAt
	if expired || !m.own || r.preferredHolder() != "" {
		m.attemptEnded(false)
		return
	}
	m.emit(MetricSlowPath)
	m.request.Record.Acquire, m.request.Record.Transitions = r.Acquire, r.Transitions
	if r.strategy() != "" {
		m.request.Record.Coordination = &Coordination{Strategy: r.strategy()}
	}
	m.sendStep(stepUpdate, Update)
}

// strategy returns the strategy that the record names, "" where it names none.
func (r *Record) strategy() string {
	if r.Coordination == nil {
		return ""
	}
	return r.Coordination.Strategy
}

// preferredHolder returns the candidate to which the lease shall pass, "" where the record names none.
func (r *Record) preferredHolder() string {
	if r.Coordination == nil {
		return ""
	}
	return r.Coordination.PreferredHolder
}

// sameCoordination tells whether two records name the same strategy and the same preferred holder.
func (r *Record) sameCoordination(s *Record) bool {
	return r.Coordination == s.Coordination ||
		r.strategy() == s.strategy() && r.preferredHolder() == s.preferredHolder()
}
