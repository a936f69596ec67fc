package machine

// releaseBlindly sets no timer Deadline, so that its request ends with its answer only.
func (m *Machine) releaseBlindly() {
	if !m.own || m.forgot && m.cfg.Profile.Object != ObjectOfLock {
		m.finish()
		return
	}
	m.sendRelease(m.observed.Transitions)
}

func (m *Machine) sendRelease(transitions int64) {
	m.release.Record = Record{
		DurationSeconds: 1,
		Renew:           m.now.Wall,
		Acquire:         m.now.Wall,
		Transitions:     transitions,
	}
	m.sendOfRelease(Update)
}

func (m *Machine) sendOfRelease(verb Verb) {
	m.send(&m.release, verb, ScopeRelease)
	m.awaitAnswer(&m.release)
}

// releaseResponded is tryRelease: it writes on the version just read, whoever holds it, if this candidate
// believes that it leads or, with ReleaseOwned, if that record is its own.
func (m *Machine) releaseResponded(r *Response) {
	m.hear(r)
	if m.release.Verb == Get && r.Outcome == Done && m.cfg.Profile.Own == OwnByTerm {
		m.read(r) // the lock now has the version of this record, and another Run may follow
	}
	switch {
	case m.release.Verb == Get && r.Outcome == Done && m.mayRelease(r.Record):
		m.sendRelease(r.Record.Transitions)
		return
	case m.release.Verb == Get:
	case r.Outcome == Done:
		m.observe(&m.release.Record, m.now.Mono)
	case r.Outcome == Conflict && m.cfg.Profile.Release != ReleaseBlind:
		m.sendOfRelease(Get)
		return
	}
	m.finish()
}

func (m *Machine) mayRelease(r *Record) bool {
	if m.cfg.Profile.Release == ReleaseOwned {
		return m.mine(r)
	}
	return m.own
}
