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

func (m *Machine) lead() {
	m.led, m.phase = true, machine.Renewing
	m.emit(machine.MetricOn)
	m.emit(machine.StartWork)
	m.held()
}

// held is what follows each success of a leader.
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

func (m *Machine) refresh() { m.send(machine.Refresh, machine.ScopePoll) }

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

// leave is the end of leading.
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

// outlived is work that has not returned although it should have ended. It is waited for at most until others may find
// the entry expired.
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

// giveUp releases the entry, where that is wanted and there is one.
func (m *Machine) giveUp() {
	if !m.cfg.ReleaseOnCancel || m.lost {
		m.finish()
		return
	}
	m.phase, m.expired = machine.Releasing, false
	m.set(machine.Deadline, m.now.Mono, m.cfg.RenewDeadline)
	m.send(machine.Resign, machine.ScopeRelease)
}

func (m *Machine) released(o machine.Outcome) {
	if o == machine.Done {
		m.holder = ""
	}
	m.finish()
}
