package machine

import (
	"slices"
	"time"
)

// attempt is one tryAcquireOrRenew.
type attempt struct {
	step step
	// startedAt is `now`, which the library reads once, before the first request.
	startedAt Mono
	// sentAt is when the request in flight was sent.
	sentAt Mono
}

// leftover is an attempt that an earlier Run has left running, with its request.
type leftover struct {
	attempt attempt
	request Request
}

// leftResponded handles an answer to an attempt that an earlier Run has left. It shares with the Run in progress the lock and what was observed, but
// not the attempt's own state.
func (m *Machine) leftResponded(r *Response) {
	for i := range m.left {
		l := &m.left[i]
		if l.request.ID != r.ID {
			continue
		}
		detached, sent := m.detached, len(m.out)
		m.swap(l)
		m.detached = true
		m.attemptResponded(r)
		goesOn := m.detached
		m.detached = detached
		m.swap(l)
		for o := range m.out[sent:] {
			if m.out[sent+o].Kind == Send {
				m.out[sent+o].Request = &l.request
			}
		}
		if !goesOn {
			m.left = slices.Delete(m.left, i, i+1)
		}
		return
	}
}

// swap exchanges the attempt and request in progress with those that an earlier Run has left.
func (m *Machine) swap(l *leftover) {
	m.attempt, l.attempt = l.attempt, m.attempt
	m.request, l.request = l.request, m.request
}

type step uint8

const (
	stepOptimistic step = iota
	stepGet
	stepCreate
	stepUpdate
)

// beginAttempt starts with the optimistic update where the last record observed is the candidate's own and
// still counts, else with a Get.
func (m *Machine) beginAttempt() {
	m.attempt.startedAt = m.now.Mono
	r := &m.request.Record
	r.Holder, r.DurationSeconds, r.Transitions = m.cfg.Identity, m.cfg.leaseSeconds(), 0
	r.Renew, r.Acquire = m.now.Wall, m.now.Wall
	if r.Coordination != nil {
		r.Coordination = nil
	}
	if m.cfg.Profile.Electing == ByCoordinator {
		m.sendStep(stepGet, Get)
		return
	}
	if m.cfg.Profile.Renewal == Optimistic && m.own && m.leaseValid(m.now.Mono) && m.versionIsOfObserved() {
		// These two stay in the record when the optimistic update fails, whatever follows.
		r.Acquire, r.Transitions = m.observed.Acquire, m.observed.Transitions
		m.sendStep(stepOptimistic, Update)
		return
	}
	m.sendStep(stepGet, Get)
}

// sendStep sends the request of the attempt's next step: it chooses the context, stamps the record of a write and notes when it was sent.
func (m *Machine) sendStep(s step, v Verb) {
	m.attempt.step = s
	scope := ScopeRun
	switch {
	case m.cfg.Profile.Context == ContextNone:
		scope = ScopeNone
	case m.phase == Renewing || m.cfg.Profile.Deadline == FromRenewal:
		scope = ScopePoll
	}
	m.boundAcquisition()
	if v != Get {
		m.stamp()
	}
	m.attempt.sentAt = m.now.Mono
	m.send(&m.request, v, scope)
	if !m.detached {
		m.awaitAnswer(&m.request)
	}
}

// stamp sets the renewTime of a write, with StampRequest: to the wall clock's time, or to later where two writes would carry the same
// one as far as the lock's unit of time goes. While a clock that was set back is behind the last renewTime, each write adds the time
// that has passed on the monotonic clock, a second at most, so that the wall clock catches up.
func (m *Machine) stamp() {
	r := &m.request.Record
	if m.cfg.Profile.Stamp == StampRequest {
		r.Renew = m.now.Wall
		if unit := m.cfg.unit(); m.stamped != 0 && r.Renew < m.stamped+unit {
			paced := min(m.now.Mono-m.stampedAt, Mono(time.Second))
			r.Renew = m.stamped + max(unit, Wall(paced))
		}
		m.stamped, m.stampedAt = r.Renew, m.now.Mono
	}
}

// attemptResponded handles the answer to a request of an attempt: it goes on to the next step or ends the attempt.
func (m *Machine) attemptResponded(r *Response) {
	m.hear(r)
	switch {
	case r.Outcome == Panicked:
		m.attemptAborted()
	case m.attempt.step == stepOptimistic && r.Outcome != Done:
		m.sendStep(stepGet, Get)
	case m.attempt.step == stepGet:
		m.got(r)
	case r.Outcome == Done:
		m.written()
	default:
		m.forgot = m.attempt.step == stepUpdate && m.cfg.Profile.Object == ObjectLostByAny
		m.attemptEnded(false)
	}
}

// got handles the answer of the attempt's Get.
func (m *Machine) got(r *Response) {
	m.forgot = r.Outcome != Done
	switch r.Outcome {
	case Done:
	case NotFound:
		if m.cfg.Profile.Electing == ByCoordinator {
			m.attemptEnded(false)
			return
		}
		m.vacant()
		return
	default:
		m.attemptEnded(false)
		return
	}
	m.read(r)
	if m.cfg.Profile.Electing == ByCoordinator {
		m.appointed(r.Record)
		return
	}
	if m.phase == Renewing && m.cfg.Profile.Foreign == ForeignObeyed && !m.mine(r.Record) {
		m.pollFailed()
		return
	}
	if r.Record.Holder != "" && m.leaseValid(m.attempt.startedAt) && !m.own {
		m.attemptEnded(false)
		return
	}
	if m.own {
		m.request.Record.Acquire = r.Record.Acquire
		m.request.Record.Transitions = r.Record.Transitions
		if m.cfg.Profile.Renewal == Optimistic {
			m.emit(MetricSlowPath)
		}
	} else {
		m.request.Record.Transitions = r.Record.Transitions + 1
	}
	m.sendStep(stepUpdate, Update)
}

// read observes the record that a Get has brought, where it says anything new. What the machine knows of its own term may
// have changed since it last saw that record.
func (m *Machine) read(r *Response) {
	contradicts := m.cfg.Profile.Own == OwnByTerm && m.own != m.mine(r.Record)
	if m.changed(r) || m.gone || contradicts {
		m.observe(r.Record, m.now.Mono)
	}
	m.gone, m.unread = false, false
}

// versionIsOfObserved tells whether an update on the lock's version can replace only the record last observed. A lock on two objects may have read
// another's record in one of them before the other failed.
func (m *Machine) versionIsOfObserved() bool { return m.cfg.Profile.Own == OwnByName || !m.unread }

// vacant handles a Get that found no lock object. With VacancyWaitedOut its holder may have renewed until it went, so
// that its lease counts from when it was found gone. A candidate that has never seen the lock cannot know of a holder;
// one whose own lease has run out cannot know who has held the lock since.
func (m *Machine) vacant() {
	waits := m.cfg.Profile.Vacancy == VacancyWaitedOut && m.hasObserved
	switch {
	case waits && m.own && m.renewedAt.Add(m.cfg.LeaseDuration) > m.attempt.startedAt:
		m.request.Record.Acquire, m.request.Record.Transitions = m.observed.Acquire, m.observed.Transitions
	case waits:
		m.own = false
		if !m.gone {
			m.gone, m.observedAt = true, m.now.Mono
		}
		if m.observed.Holder != "" && m.leaseValid(m.attempt.startedAt) {
			m.attemptEnded(false)
			return
		}
		// Whoever deleted the lock did not mean to begin counting anew.
		m.request.Record.Transitions = m.observed.Transitions + 1
	}
	m.sendStep(stepCreate, Create)
}

// written handles a Create or Update that the lock took.
func (m *Machine) written() {
	m.forgot = false
	at := m.now.Mono
	if m.cfg.Profile.LeaseFrom == FromSend {
		at = m.attempt.sentAt
	}
	m.renewedAt = m.attempt.sentAt
	m.unread = false
	m.termAcquire, m.termTransitions = m.request.Record.Acquire, m.request.Record.Transitions
	m.termObject = m.object
	m.observe(&m.request.Record, at)
	m.attemptEnded(true)
}
