package machine

// What follows is the part of the algorithm that client-go has no like of: a deadline that counts from the last
// renewal, and an end in which the work comes before the lock.

// checkDeadline stops a leader whose deadline has passed before it looks at anything else: a process that was frozen
// finds its timers in the order in which they came due, and the deadline is hardly ever the first. It tells whether
// that was all there is to the input: a timer that led here says no more.
func (m *Machine) checkDeadline(in *Input) bool {
	if m.phase != Renewing || m.expired || in.Kind == Unwinding {
		return false
	}
	if m.now.Mono < m.renewedAt.Add(m.cfg.RenewDeadline) {
		return false
	}
	m.expired = true
	m.stopWork()
	m.stop(Deadline)
	switch {
	case m.await != awaitResponse:
		m.pollFailed()
	case in.Kind != Responded || in.Response.ID != m.awaited:
		m.emit(Abandon)
	}
	return in.Kind == Fired
}

// boundAcquisition gives a request of an attempt to acquire RenewDeadline to be answered: an answer that never comes must
// not keep the candidate from trying again. Each request has that time for itself, since a lease counts from the
// one that was acknowledged. Were it the attempt's, one that is refused, reads and writes again could end too late each
// time, and renew for ever a lease that nobody works on.
func (m *Machine) boundAcquisition() {
	if m.phase == Acquiring && m.cfg.Profile.Deadline == FromRenewal && !m.expired {
		m.set(Deadline, m.cfg.RenewDeadline)
	}
}

// renewalEnded goes on after an attempt to renew: it stops leading where its time is over or Run is cancelled, or waits for the next attempt.
func (m *Machine) renewalEnded(won bool) {
	m.report()
	switch {
	case m.expired:
		m.pollFailed()
	case m.cancelled:
		m.loopEnded()
	default:
		m.awaitRenewal(won)
	}
}

// awaitRenewal waits for the next attempt, a RetryPeriod after the last one began. The time that requests take is
// never added to it.
func (m *Machine) awaitRenewal(won bool) {
	if won {
		m.setAt(Deadline, m.renewedAt).Wait = m.cfg.RenewDeadline
	}
	m.await = awaitRetry
	m.setAt(Retry, m.attempt.startedAt).Wait = m.cfg.RetryPeriod
}

// drain ends the work's context and waits for the work to return, at most until others may take the lease for expired. The
// program is told that it has stopped leading once the work has returned, and at the latest when the work should have
// ended anyway: what is left of the lease is for a program that looks at nothing else, and exits then.
func (m *Machine) drain() {
	m.stopWork()
	m.emit(MetricOff)
	m.stop(Deadline)
	m.phase = Draining
	until := m.renewedAt.Add(m.cfg.RenewDeadline)
	inTime := m.own && !m.expired && m.now.Mono < until
	if !inTime {
		m.tellStopped()
	}
	if m.workOver {
		m.drained()
		return
	}
	if inTime {
		m.setAt(Deadline, until)
		return
	}
	m.setAt(Deadline, m.renewedAt).Wait = m.cfg.LeaseDuration
}

// outlived tells the program that it has stopped leading although its work has not returned in time, and waits for the work until the lease runs out.
func (m *Machine) outlived() {
	m.setAt(Deadline, m.renewedAt).Wait = m.cfg.LeaseDuration
	m.tellStopped()
}

// workReturned is the end of OnStartedLeading. While the candidate leads it means nothing: the work may go on in
// goroutines of its own, as it does in many controllers.
func (m *Machine) workReturned() {
	m.workOver = true
	if m.phase == Draining {
		m.drained()
	}
}

// drained goes on to the release once the work has returned while the lease still lasts.
func (m *Machine) drained() {
	m.stop(Deadline)
	m.loopEnded()
}
