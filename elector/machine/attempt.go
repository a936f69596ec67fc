package machine

import (
	"math"
	"time"
)

// attempt is one attempt to acquire or renew the lock (tryAcquireOrRenew of the library).
type attempt struct {
	step step
	// startedAt is when the attempt began. The library reads this time once, before the first request, and calls it
	// `now`.
	startedAt Mono
	// sentAt is when the request in flight was sent.
	sentAt Mono
}

// step says which request of an attempt is in flight, or was answered last. stepOptimistic is the update of a leader that reads
// nothing before; stepUpdate is one after a Get.
type step uint8

const (
	stepOptimistic step = iota
	stepGet
	stepCreate
	stepUpdate
)

// beginAttempt sends the first request of an attempt: an optimistic update if renewsAtOnce says so, otherwise a Get.
func (m *Machine) beginAttempt() {
	m.startAttempt()
	if m.renewsAtOnce(m.now.Mono) {
		m.keepTerm()
		m.sendStep(stepOptimistic, Update)
		return
	}
	m.sendStep(stepGet, Get)
}

// startAttempt stores when the attempt begins, and makes the record that it writes if it comes to that: holder and duration are
// there already (see begin). The record is the first of a new term, unless keepTerm or a later step changes it.
func (m *Machine) startAttempt() {
	m.attempt.startedAt = m.now.Mono
	r := &m.request.Record
	r.Renew, r.Acquire, r.Transitions = m.now.Wall, m.now.Wall, 0
	if r.Coordination != nil {
		r.Coordination = nil
	}
}

// renewsAtOnce tells whether an attempt that begins at that time first tries an optimistic update. That is so if the profile
// says neither ReadFirst nor ByCoordinator, the record last observed is the candidate's own and has not run out by then, and the
// lock's version is that of this record.
func (m *Machine) renewsAtOnce(at Mono) bool {
	p := &m.cfg.Profile
	return !p.ReadFirst && !p.ByCoordinator && m.own && m.leaseValid(at) && m.versionIsOfObserved()
}

// keepTerm copies the acquireTime and the transitions of the record last observed into the record that the attempt writes, so
// that the term goes on. If the optimistic update fails, the attempt goes on with these two values.
func (m *Machine) keepTerm() {
	r := &m.request.Record
	r.Acquire, r.Transitions = m.observed.Acquire, m.observed.Transitions
}

// sendStep sends a request of verb v as the attempt's step s. It chooses the context, limits the wait of an attempt to acquire
// (see boundAcquisition), stamps the record of a write, and stores in m.attempt when the request was sent. The machine then waits
// for the answer.
func (m *Machine) sendStep(s step, v Verb) {
	m.attempt.step = s
	scope := ScopeRun
	switch {
	case m.cfg.Profile.ContextNone:
		scope = ScopeNone
	case m.phase == Renewing || m.cfg.Profile.FromRenewal:
		scope = ScopePoll
	}
	m.boundAcquisition()
	if v != Get {
		m.stamp()
	}
	m.attempt.sentAt = m.now.Mono
	m.send(&m.request, v, scope)
	m.awaitAnswer(&m.request)
}

// stamp sets the renewTime of a write, if the profile says StampRequest. It takes the wall clock's time, or a later one
// if two writes would otherwise be less than one Unit of the lock apart. While the wall clock is behind the last
// renewTime because it was set back, each write adds the time that has passed on the monotonic clock, at most a second,
// so that the wall clock catches up.
func (m *Machine) stamp() {
	r := &m.request.Record
	if m.cfg.Profile.StampRequest {
		r.Renew = m.now.Wall
		if unit := m.cfg.unit(); m.stamped != 0 && r.Renew < m.stamped+unit {
			paced := min(m.now.Mono-m.stampedAt, Mono(time.Second))
			r.Renew = m.stamped + max(unit, Wall(paced))
		}
		m.stamped, m.stampedAt = r.Renew, m.now.Mono
	}
}

// attemptResponded handles the answer to a request of an attempt: it goes on to the next step, or ends the attempt as won or
// failed. After a panic no new leader is reported, as in the library's acquire. It sets m.forgot if the lock has lost its object by the
// answer.
func (m *Machine) attemptResponded(r *Response) {
	m.hear(r)
	switch {
	case r.Outcome == Panicked:
		m.goOn(false)
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

// got handles the answer of the attempt's Get. It sends the write that follows: an Update, or a Create where there is no lock
// (see vacant). It ends the attempt as failed if the Get failed or another's lease still counts. With ByCoordinator it goes on
// with appointed instead, and where there is no lock the attempt ends as failed. With ForeignObeyed a leader that reads
// another's record stops leading.
func (m *Machine) got(r *Response) {
	m.forgot = r.Outcome != Done
	switch r.Outcome {
	case Done:
	case NotFound:
		if m.cfg.Profile.ByCoordinator {
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
	if m.cfg.Profile.ByCoordinator {
		m.appointed(r.Record)
		return
	}
	if m.phase == Renewing && m.cfg.Profile.ForeignObeyed && !m.mine(r.Record) {
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
		if !m.cfg.Profile.ReadFirst {
			m.emit(MetricSlowPath)
		}
	} else {
		m.request.Record.Transitions = m.nextTransitions(r.Record.Transitions)
	}
	m.sendStep(stepUpdate, Update)
}

// read stores the record that a Get has returned as the one last observed, if it says anything new. The record also
// counts as new if the lock object was gone before, or if the machine's own term has changed since it last saw that
// record.
func (m *Machine) read(r *Response) {
	contradicts := m.cfg.Profile.OwnByTerm && m.own != m.mine(r.Record)
	if m.changed(r) || m.gone || contradicts {
		m.observe(r.Record, m.now.Mono)
	}
	m.isThere()
}

// versionIsOfObserved tells whether the lock's version belongs to the record last observed, so that an update replaces no
// other record. The version can belong to another record: a lock on two objects can read that record from one of them before
// the other fails. Without OwnByTerm it is always true, since client-go does not ask.
func (m *Machine) versionIsOfObserved() bool { return !m.cfg.Profile.OwnByTerm || !m.unread }

// vacant handles a Get that found no lock object. It sends a Create or, while it has to wait, ends the attempt as failed. With
// VacancyWaitedOut it waits for a lease, and otherwise never. The lease counts from when the object was found gone: up
// to then its holder may have renewed. What the candidate saw last does not tell who that was. Another may have taken a
// blank, or a lock that the candidate itself has released without hearing of it. So the wait is the same whatever that was: see
// longestLease. There are two exceptions. A candidate that has never seen the lock knows of no holder and creates it at once. So
// does the leader itself, while its own lease lasts.
func (m *Machine) vacant() {
	waits := m.cfg.Profile.VacancyWaitedOut && m.hasObserved
	switch {
	case waits && m.phase == Renewing && m.own && m.renewedAt.Add(m.cfg.LeaseDuration) > m.attempt.startedAt:
		m.request.Record.Acquire, m.request.Record.Transitions = m.observed.Acquire, m.observed.Transitions
	case waits:
		m.own = false
		if !m.gone || m.earlier {
			m.gone, m.observedAt, m.earlier = true, m.now.Mono, false
		}
		if m.observedAt.Add(m.longestLease()) > m.attempt.startedAt {
			m.attemptEnded(false)
			return
		}
		// A lock that was deleted and made anew goes on counting its transitions.
		m.request.Record.Transitions = m.nextTransitions(m.observed.Transitions)
	}
	m.sendStep(stepCreate, Create)
}

// nextTransitions returns the number of transitions of a new term, after one that has the number n: one more. With OwnByTerm it
// stays at the highest number that a Lease can carry. An API server refuses what client-go would write then.
func (m *Machine) nextTransitions(n int64) int64 {
	if m.cfg.Profile.OwnByTerm && n >= math.MaxInt32 {
		return n
	}
	return n + 1
}

// longestLease returns how long a lease of a holder that the candidate has not seen may last: as long as the longest that it has
// seen, and at least LeaseDuration.
func (m *Machine) longestLease() time.Duration {
	seen := Record{DurationSeconds: m.longestSeconds}
	return max(m.cfg.LeaseDuration, seen.Duration())
}

// written handles a Create or Update that the lock has accepted: it ends the attempt as won.
func (m *Machine) written() {
	m.accepted()
	m.attemptEnded(true)
}

// accepted stores the record that the lock has accepted as the one last observed, and as this candidate's own. It also stores
// when that write was sent, and what identifies the candidate's term from now on: acquireTime, transitions and object.
func (m *Machine) accepted() {
	m.forgot = false
	at := m.now.Mono
	if m.cfg.Profile.FromSend {
		at = m.attempt.sentAt
	}
	m.renewedAt = m.attempt.sentAt
	m.unread = false
	m.termAcquire, m.termTransitions = m.request.Record.Acquire, m.request.Record.Transitions
	m.termObject = m.object
	m.saw(&m.request.Record, at)
	m.own = true
}
