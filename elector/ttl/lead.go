package ttl

import "interregnum/elector/machine"

// fromSend is whether an entry counts from when the request that made or refreshed it was sent, or else from when
// that was answered.
func (m *Machine) fromSend() bool { return m.cfg.Profile.CountsFromSend() }

// hold notes that the last request has made or refreshed the entry.
func (m *Machine) hold() {
	m.heldFrom = m.now.Mono
	if m.fromSend() {
		m.heldFrom = m.sentAt
	}
}

// lead starts the work.
func (m *Machine) lead() {
	m.led, m.phase = true, machine.Renewing
	m.emit(machine.MetricOn)
	m.emit(machine.StartWork)
	m.held()
}

// held goes on after a refresh that succeeded, or as leading begins.
func (m *Machine) held() {
	m.set(machine.Deadline, m.heldFrom, m.cfg.RenewDeadline)
	m.awaitRefresh()
}

// awaitRefresh waits a RetryPeriod: after the last request was sent, where all counts from that, so that the time
// that requests take is never added to it.
func (m *Machine) awaitRefresh() {
	from := m.now.Mono
	if m.fromSend() {
		from = m.sentAt
	}
	m.set(machine.Retry, from, m.cfg.RetryPeriod)
}

// refresh sends the request that has the entry last for another TTL.
func (m *Machine) refresh() { m.send(machine.Refresh, machine.ScopePoll) }

// refreshed handles the answer to a refresh: it goes on leading, tries again, or stops leading where the entry is lost or time is over.
func (m *Machine) refreshed(o machine.Outcome) {
	switch {
	case o == machine.Conflict:
		m.lost = true
		m.holder = ""
		m.leave()
	case m.expired || m.cancelled:
		m.leave()
	case o == machine.Done:
		m.hold()
		m.held()
	default:
		m.awaitRefresh()
	}
}

// checkDeadline stops a leader whose deadline has passed before it looks at anything else: a process that was frozen
// finds its timers in the order in which they came due, and the deadline is hardly ever the first. It tells whether that was
// all there is to the input: a timer that led here says no more.
func (m *Machine) checkDeadline(in *machine.Input) bool {
	if !m.fromSend() || m.phase != machine.Renewing || m.expired || in.Kind == machine.Unwinding ||
		m.now.Mono < m.heldFrom.Add(m.cfg.RenewDeadline) {
		return false
	}
	m.expired = true
	m.stopWork()
	m.stop(machine.Deadline)
	switch {
	case !m.waiting:
		m.leave()
	case in.Kind != machine.Responded || in.Response.ID != m.request.ID:
		m.abandon()
	}
	return in.Kind == machine.Fired
}

// leave stops leading: the work is told to end, and the entry is released in the order that the profile has.
func (m *Machine) leave() {
	workFirst := m.cfg.Profile.EndsWorkFirst()
	if workFirst {
		m.stopWork()
	}
	m.emit(machine.MetricOff)
	m.stop(machine.Retry)
	m.stop(machine.Deadline)
	m.phase = machine.Draining
	// The program is told when the work has returned, and at the latest when it should have ended anyway.
	until := m.heldFrom.Add(m.cfg.RenewDeadline)
	inTime := !workFirst || !m.lost && !m.expired && m.now.Mono < until
	if !inTime {
		m.tellStopped()
	}
	switch {
	case !workFirst || m.workOver:
		m.giveUp()
	case inTime:
		m.set(machine.Deadline, until, 0)
	default:
		m.set(machine.Deadline, m.heldFrom, m.cfg.LeaseDuration)
	}
}

// outlived tells the program that it has stopped leading although its work has not returned in time, and waits for the work until the entry runs out.
func (m *Machine) outlived() {
	m.set(machine.Deadline, m.heldFrom, m.cfg.LeaseDuration)
	m.tellStopped()
}

func (m *Machine) stopWork() {
	if m.IsLeader() {
		m.workEnds = true
		m.emit(machine.StopWork)
	}
}

// workReturned is the end of OnStartedLeading. While the candidate leads it means nothing: the work may go on in
// goroutines of its own.
func (m *Machine) workReturned() {
	m.workOver = true
	if m.phase == machine.Draining {
		m.stop(machine.Deadline)
		m.giveUp()
	}
}

// giveUp releases the entry if that is wanted and there is one, and otherwise ends Run.
func (m *Machine) giveUp() {
	if !m.cfg.ReleaseOnCancel || m.lost {
		m.finish()
		return
	}
	m.phase, m.expired = machine.Releasing, false
	m.set(machine.Deadline, m.now.Mono, m.cfg.RenewDeadline)
	m.send(machine.Resign, machine.ScopeRelease)
}

// released ends Run once the release was answered, however.
func (m *Machine) released(o machine.Outcome) {
	if o == machine.Done {
		m.holder = ""
	}
	m.finish()
}
