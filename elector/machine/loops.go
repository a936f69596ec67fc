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

// attemptEnded goes on after an attempt; won is true if the attempt has acquired or renewed the lock. After one to acquire, a new
// leader is reported first.
func (m *Machine) attemptEnded(won bool) {
	if m.phase == Acquiring {
		m.report()
	}
	m.goOn(won)
}

// goOn goes on after an attempt to acquire with acquireEnded. After one to renew, the poll succeeds or tries again or, with
// FromRenewal, renewalEnded goes on. Nothing follows after an attempt of a Run that has returned.
func (m *Machine) goOn(won bool) {
	switch {
	case m.phase == Returned:
	case m.phase == Acquiring:
		m.acquireEnded(won)
	case m.cfg.Profile.FromRenewal:
		m.renewalEnded(won)
	case won:
		m.pollSucceeded()
	default:
		m.nextTry()
	}
}

// acquireEnded starts to lead if the attempt to acquire was won and, with FromRenewal, its write was answered within
// RenewDeadline. Otherwise it waits for the next attempt or, if Run is cancelled, ends Run.
func (m *Machine) acquireEnded(won bool) {
	if m.cfg.Profile.FromRenewal {
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
	if m.cfg.Profile.FromRenewal {
		m.expired = false
		m.awaitRenewal(true)
		return
	}
	m.beginPoll()
}

// loopEnded goes on after the loop of renewals. With WorkFirst it first drains the work, and with UntilReturned it first waits
// until the work has returned; it is called again after that. Otherwise it begins to release the lock, if the configuration
// says so, or else ends Run.
func (m *Machine) loopEnded() {
	m.await = awaitNothing
	m.stop(Retry)
	if m.cfg.Profile.WorkFirst && m.phase == Renewing {
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
