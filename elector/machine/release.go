package machine

// sendRelease sends the write of a record without a holder, which lasts a second and has that number of transitions.
func (m *Machine) sendRelease(transitions int64) {
	m.release.Record = Record{
		DurationSeconds: 1,
		Renew:           m.now.Wall,
		Acquire:         m.now.Wall,
		Transitions:     transitions,
	}
	m.sendOfRelease(Update)
}

// sendOfRelease sends a request of the release, with that verb, and waits for its answer.
func (m *Machine) sendOfRelease(verb Verb) {
	m.send(&m.release, verb, ScopeRelease)
	m.awaitAnswer(&m.release)
}

// releaseResponded handles an answer to a request of the release (tryRelease of the library). After a read, if mayRelease
// allows it, it writes the release on the version just read. After a conflict it reads again, unless the profile says
// ReleaseBlind or ReleaseOnce. In all other cases Run ends; a release that was accepted is observed before that.
func (m *Machine) releaseResponded(r *Response) {
	m.hear(r)
	if m.release.Verb == Get && r.Outcome == Done && m.cfg.Profile.OwnByTerm {
		m.read(r) // the lock now has the version of this record, and another Run may follow
	}
	switch {
	case m.release.Verb == Get && r.Outcome == Done && m.mayRelease(r.Record):
		m.sendRelease(r.Record.Transitions)
		return
	case m.release.Verb == Get:
	case r.Outcome == Done:
		m.observe(&m.release.Record, m.now.Mono)
	case r.Outcome == Conflict && m.cfg.Profile.Release != ReleaseBlind && m.cfg.Profile.Release != ReleaseOnce:
		m.sendOfRelease(Get)
		return
	}
	m.finish()
}

// mayRelease tells whether the release may overwrite the record that it has read: with ReleaseOwned if that record is the
// candidate's own, otherwise if the candidate believes that it leads.
func (m *Machine) mayRelease(r *Record) bool {
	if m.cfg.Profile.Release == ReleaseOwned {
		return m.mine(r)
	}
	return m.own
}
