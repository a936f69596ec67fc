package ttl

import "interregnum/elector/machine"

// fromSend tells whether an entry counts from when the request that made or refreshed it was sent, instead of from the
// answer.
func (m *Machine) fromSend() bool { return m.cfg.Profile.CountsFromSend() }

// hold sets heldFrom, the instant that the entry counts from, after a request has made or refreshed the entry.
func (m *Machine) hold() {
	m.heldFrom = m.now.Mono
	if m.fromSend() {
		m.heldFrom = m.sentAt
	}
}

// lead starts the work and the wait for the first refresh.
func (m *Machine) lead() {
	m.led, m.phase = true, machine.Renewing
	m.emit(machine.MetricOn)
	m.emit(machine.StartWork)
	m.held()
}

// held goes on leading after a refresh that has succeeded, or when leading begins: it sets the deadline from heldFrom, and waits
// for the next refresh.
func (m *Machine) held() {
	m.set(machine.Deadline, m.heldFrom, m.cfg.RenewDeadline)
	m.awaitRefresh()
}

// awaitRefresh sets the time of the next refresh: a RetryPeriod from now. With FromSend it counts from when the last request was
// sent, so that the time that requests take is never added.
func (m *Machine) awaitRefresh() {
	from := m.now.Mono
	if m.fromSend() {
		from = m.sentAt
	}
	m.set(machine.Retry, from, m.cfg.RetryPeriod)
}

// refresh asks the lock to let the entry last another TTL.
func (m *Machine) refresh() { m.send(machine.Refresh, machine.ScopePoll) }

// refreshed handles the answer to a refresh: after a success the candidate goes on leading, after a failure it tries again. If the
// entry is lost, the deadline has passed or Run is cancelled, it stops leading.
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

// checkDeadline stops a leader whose deadline has passed, before anything else is done with the input. A process that was frozen
// gets its timers in the order in which they came due, and the deadline is hardly ever the first. It returns true if it has
// stopped the leader and the input was only a timer, so that nothing is left to handle. Without FromSend, and when Run unwinds,
// it does nothing and returns false.
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
		if m.workFirst() { // and not only in leave: not every lock heeds the end of a context
			m.emit(machine.MetricOff)
			m.tellStopped()
		}
	}
	return in.Kind == machine.Fired
}

// leave stops leading: it sets the metric to off, stops the timers, and gives the entry up in the profile's order. With
// WorkFirst it ends the work's context, and waits until the work has returned, at most until the entry has run out; only then
// the release comes. If RenewDeadline has passed since heldFrom, or the entry is lost, it tells the program at once that it
// leads no longer. Otherwise it tells the program when the work has returned or that time is over. Without WorkFirst the release
// comes at once, the work's context ends after it, and the program is told when Run ends.
func (m *Machine) leave() {
	workFirst := m.workFirst()
	if workFirst {
		m.stopWork()
	}
	if !m.told { // otherwise checkDeadline has done both
		m.emit(machine.MetricOff)
	}
	m.stop(machine.Retry)
	m.stop(machine.Deadline)
	m.phase = machine.Draining
	// The program is told when the work has returned, or at the latest when the work should have ended.
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

// outlived is called when the time to drain is over and the work has not returned. It tells the program that it leads no longer,
// and waits for the work until the entry runs out.
func (m *Machine) outlived() {
	m.set(machine.Deadline, m.heldFrom, m.cfg.LeaseDuration)
	m.tellStopped()
}

// workFirst tells whether the work must have returned, and the program been told, before the entry is given up.
func (m *Machine) workFirst() bool { return m.cfg.Profile.EndsWorkFirst() }

// stopWork ends the work's context, if work has started and its context has not ended.
func (m *Machine) stopWork() {
	if m.IsLeader() {
		m.workEnds = true
		m.emit(machine.StopWork)
	}
}

// workReturned handles the return of OnStartedLeading. While the candidate leads, nothing follows from it: the work can go on in
// goroutines of its own. While the candidate drains, the release or the end of Run follows.
func (m *Machine) workReturned() {
	m.workOver = true
	if m.phase == machine.Draining {
		m.stop(machine.Deadline)
		m.giveUp()
	}
}

// giveUp releases the entry. If the configuration does not say so, or the entry is lost, it ends Run instead. With WorkFirst it
// first tells the program that it leads no longer: after the release another may lead.
func (m *Machine) giveUp() {
	if !m.cfg.ReleaseOnCancel || m.lost {
		m.finish()
		return
	}
	if m.workFirst() {
		m.tellStopped()
	}
	m.phase, m.expired = machine.Releasing, false
	m.set(machine.Deadline, m.now.Mono, m.cfg.RenewDeadline)
	m.send(machine.Resign, machine.ScopeRelease)
}

// released handles the answer to the release: it ends Run, even if the release has failed.
func (m *Machine) released(o machine.Outcome) {
	if o == machine.Done {
		m.holder = ""
	}
	m.finish()
}
