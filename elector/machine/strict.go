package machine

// This file has the part of the algorithm that client-go does not have: a deadline that counts from the last renewal,
// and an end of leading in which the work ends before the lock is released.

// boundAcquisition limits how long a request of an attempt to acquire waits for its answer, to RenewDeadline. An answer
// that never comes must not keep the candidate from trying again. Each request has this time for itself, since a lease
// counts from the request that was acknowledged. With one limit for the whole attempt, an attempt that is refused,
// reads and writes again could end too late each time. It would then renew for ever a lease under which nobody works.
func (m *Machine) boundAcquisition() {
	if m.phase == Acquiring && m.cfg.Profile.FromRenewal && !m.expired {
		m.set(Deadline, m.cfg.RenewDeadline)
	}
}

// awaitRenewal waits for the next attempt, until a RetryPeriod after the last one began. So the time that requests take
// is never added. If the last attempt was won, it moves the deadline too.
func (m *Machine) awaitRenewal(won bool) {
	if won {
		m.setAt(Deadline, m.renewedAt).Wait = m.cfg.RenewDeadline
	}
	m.await = awaitRetry
	m.setAt(Retry, m.attempt.startedAt).Wait = m.cfg.RetryPeriod
}

// renewalEnded goes on after an attempt to renew; won is true if it succeeded. It reports a new leader, if one was seen. It
// stops leading if the deadline has passed or Run is cancelled, and otherwise waits for the next attempt.
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

// checkDeadline stops a leader whose deadline has passed, before anything else is done with the input: it ends the work's
// context, and then lets the poll fail or abandons the request in flight. With WorkFirst it tells the program even if that request
// is not answered. A process that was frozen gets its timers in the order in which they came due, and the deadline is hardly ever
// the first. It returns true if the input needs no more handling, since it was only a timer. It is called only with FromRenewal;
// for any other machine than such a leader, and when Run unwinds, it does nothing and returns false.
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
		if m.cfg.Profile.EndsWorkFirst() { // and not only in drain: not every lock heeds the end of a context
			m.emit(MetricOff)
			m.tellStopped()
		}
	}
	return in.Kind == Fired
}

// drain ends the work's context and waits for the work to return, at most until others can take the lease as expired. It tells
// the program that it has stopped leading when the work has returned, or at the latest when the work should have ended. What
// is then left of the lease is for a program that reacts only to this call, and exits. The release always comes after it.
func (m *Machine) drain() {
	m.stopWork()
	if !m.told { // otherwise checkDeadline has done both
		m.emit(MetricOff)
	}
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

// outlived tells the program that it has stopped leading although its work has not returned in time, and waits for the
// work until the lease runs out.
func (m *Machine) outlived() {
	m.setAt(Deadline, m.renewedAt).Wait = m.cfg.LeaseDuration
	m.tellStopped()
}

// workReturned handles the return of OnStartedLeading. A drain ends by it. While the candidate leads, nothing follows from it:
// the work can go on in goroutines of its own, as it does in many controllers. With UntilReturned the renewals end.
func (m *Machine) workReturned() {
	m.workOver = true
	switch {
	case m.phase == Draining:
		m.drained()
	case m.phase == Renewing && m.untilReturn():
		m.cancelled = true
		m.endLoop()
	}
}

// drained stops the wait for the work, which has returned, and goes on to the release or the end of Run. With WorkFirst it first
// tells the program that it has stopped leading: after the release another may lead.
func (m *Machine) drained() {
	m.stop(Deadline)
	if m.cfg.Profile.EndsWorkFirst() {
		m.tellStopped()
	}
	m.loopEnded()
}
