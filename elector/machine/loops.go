package machine

// tryAcquire begins the next attempt to acquire. If Run's context has ended, it ends Run instead (the head of the loop in
// wait.JitterUntilWithContext).
func (m *Machine) tryAcquire() {
	if m.cancelled {
		m.finish()
		return
	}
	m.expired = false
	m.beginAttempt()
}

// attemptEnded goes on after an attempt; won is true if the attempt has acquired or renewed the lock. An attempt that was left
// running, by this Run or an earlier one, is over, and nothing follows. After one to acquire, a new leader is reported and
// acquireEnded goes on. After one to renew, the poll succeeds or tries again or, with FromRenewal, renewalEnded goes on.
func (m *Machine) attemptEnded(won bool) {
	switch {
	case m.detached:
		m.detached = false
	case m.phase == Acquiring:
		m.report()
		m.acquireEnded(won)
	case m.cfg.Profile.Deadline == FromRenewal:
		m.renewalEnded(won)
	case won:
		m.pollSucceeded()
	default:
		m.nextTry()
	}
}

// attemptAborted goes on after an attempt that ended in a swallowed panic, as after one that failed. Unlike attemptEnded it
// reports no new leader after an attempt to acquire, as in the library's acquire. An attempt that was left running is over,
// and nothing follows.
func (m *Machine) attemptAborted() {
	if m.detached {
		m.detached = false
		return
	}
	if m.phase == Acquiring {
		m.acquireEnded(false)
		return
	}
	if m.cfg.Profile.Deadline == FromRenewal {
		m.renewalEnded(false)
		return
	}
	m.nextTry()
}

// acquireEnded starts to lead if the attempt to acquire was won and, with FromRenewal, its write was answered within
// RenewDeadline. Otherwise it waits for the next attempt or, if Run is cancelled, ends Run.
func (m *Machine) acquireEnded(won bool) {
	if m.cfg.Profile.Deadline == FromRenewal {
		m.stop(Deadline)
		// If the attempt took too long, nobody may work under its lease: the next attempt renews it first.
		won = won && m.now.Mono < m.renewedAt.Add(m.cfg.RenewDeadline)
	}
	switch {
	case won:
		m.emit(RecordEvent).Text = "became leader"
		m.emit(MetricOn)
		m.lead()
	case m.cancelled:
		m.finish()
	default:
		m.await = awaitRetry
		o := m.setAt(Retry, m.now.Mono)
		o.Wait, o.Jitter = m.cfg.RetryPeriod, true
	}
}

// lead starts the work, and then the first poll or the first wait for a renewal. If Run is cancelled already, it ends the work's
// context at once, and stops leading too unless the renewals go on until the work returns.
func (m *Machine) lead() {
	m.led, m.workOver = true, false
	m.emit(StartWork)
	m.phase = Renewing
	if m.cancelled {
		m.stopWork()
		if !m.untilReturn() {
			m.loopEnded()
			return
		}
		m.cancelled = false // the renewals have a context of their own
	}
	if m.cfg.Profile.Deadline == FromRenewal {
		m.expired = false
		m.awaitRenewal(true)
		return
	}
	m.beginPoll()
}

// beginPoll arms the deadline and the ticker of a poll and makes its first attempt at once, as
// wait.PollUntilContextTimeout does. With TicksDropped it is wait.PollImmediateUntil, whose ticker starts in nextTry.
func (m *Machine) beginPoll() {
	m.expired, m.buffered = false, false
	m.set(Deadline, m.cfg.RenewDeadline)
	m.beginAttempt()
	if m.cfg.Profile.Ticks == TicksKept {
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
		m.buffered = m.cfg.Profile.Ticks == TicksKept
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
// EventAtFailure it has the lock record an event, and with ReleaseFirst it turns the metric off.
func (m *Machine) pollFailed() {
	m.endPoll()
	if m.cfg.Profile.StopEvent == EventAtFailure {
		m.emit(RecordEvent).Text = "stopped leading"
	}
	if m.cfg.Profile.Stopping == ReleaseFirst {
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

// loopEnded goes on after the loop of renewals. With WorkFirst it first drains the work, and with UntilReturned it first waits
// until the work has returned; it is called again after that. Otherwise it begins to release the lock, if the configuration
// says so, or else ends Run.
func (m *Machine) loopEnded() {
	m.await = awaitNothing
	m.stop(Retry)
	if m.cfg.Profile.Stopping == WorkFirst && m.phase == Renewing {
		m.drain()
		return
	}
	if m.untilReturn() && m.phase == Renewing && !m.workOver {
		m.awaitWork()
		return
	}
	if !m.cfg.ReleaseOnCancel {
		m.finish()
		return
	}
	m.phase = Releasing
	m.expired = false
	if m.cfg.Profile.Release == ReleaseBlind {
		m.releaseBlindly()
		return
	}
	m.set(Deadline, m.cfg.RenewDeadline)
	m.sendOfRelease(Get)
}
