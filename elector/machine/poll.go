package machine

// This file is how client-go renews: by polls, one after the other. A profile with FromRenewal renews as strict.go says.

// beginPoll arms the deadline and the ticker of a poll and makes its first attempt at once, as
// wait.PollUntilContextTimeout does. With TicksDropped it is wait.PollImmediateUntil, whose ticker starts in nextTry.
func (m *Machine) beginPoll() {
	m.expired, m.buffered = false, false
	m.set(Deadline, m.cfg.RenewDeadline)
	m.beginAttempt()
	if !m.cfg.Profile.TicksDropped {
		m.startTicker()
	}
}

// startTicker arms the ticker of a poll for a RetryPeriod from now.
func (m *Machine) startTicker() {
	m.tickAt = m.now.Mono.Add(m.cfg.RetryPeriod)
	m.set(Tick, m.cfg.RetryPeriod)
}

// tick begins the next attempt if the poll waits for a tick. Otherwise it keeps one tick or drops it, as the profile
// says. It arms the ticker for the next time on its grid, however late this tick was handled, as Go's runtime does for
// a time.Ticker.
func (m *Machine) tick() {
	late := m.now.Mono - m.tickAt
	period := Mono(m.cfg.RetryPeriod)
	if m.await == awaitTick {
		m.await = awaitNothing
		m.beginAttempt()
	} else {
		m.buffered = !m.cfg.Profile.TicksDropped
	}
	m.tickAt += period * (1 + late/period)
	m.setAt(Tick, m.tickAt)
}

// nextTry begins the next attempt of a poll if a tick was kept, and otherwise waits for a tick. If the poll's context has
// ended, the poll fails.
func (m *Machine) nextTry() {
	switch {
	case m.expired || m.cancelled:
		m.pollFailed()
	case m.buffered:
		m.buffered = false
		m.beginAttempt()
	default:
		m.await = awaitTick
		if !m.armed[Tick] {
			m.startTicker() // with TicksDropped, once the first attempt of a poll has failed
		}
	}
}

// pollSucceeded ends a poll that has renewed the lease, and waits a RetryPeriod before the next one. If Run is cancelled, it
// ends the loop of renewals instead.
func (m *Machine) pollSucceeded() {
	m.endPoll()
	if m.cancelled {
		m.loopEnded()
		return
	}
	m.await = awaitRetry
	m.set(Retry, m.cfg.RetryPeriod)
}

// pollFailed ends a poll that could not renew the lease. The candidate stops leading: see loopEnded. Before that, with
// EventAtFailure it has the lock record an event, and without WorkFirst it turns the metric off.
func (m *Machine) pollFailed() {
	m.endPoll()
	if m.cfg.Profile.EventAtFailure {
		m.emit(RecordEvent).Text = "stopped leading"
	}
	if !m.cfg.Profile.WorkFirst {
		m.emit(MetricOff)
	}
	m.loopEnded()
}

// endPoll stops the timers of a poll and reports a new leader, if one was seen.
func (m *Machine) endPoll() {
	m.stop(Deadline)
	m.stop(Tick)
	m.report()
}
