package machine

// attempt is one tryAcquireOrRenew.
type attempt struct {
	step step
	// startedAt is `now`, which the library reads once, before the first request.
	startedAt Mono
	// sentAt is when the request in flight was sent.
	sentAt Mono
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
	if m.cfg.Profile.Renewal == Optimistic && m.IsLeader() && m.leaseValid(m.now.Mono) {
		// These two stay in the record when the optimistic update fails, whatever follows.
		r.Acquire, r.Transitions = m.observed.Acquire, m.observed.Transitions
		m.sendStep(stepOptimistic, Update)
		return
	}
	m.sendStep(stepGet, Get)
}

func (m *Machine) sendStep(s step, v Verb) {
	m.attempt.step = s
	scope := ScopeRun
	if m.phase == Renewing {
		scope = ScopePoll
	}
	m.send(v, scope)
}

func (m *Machine) attemptResponded(r *Response) {
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
		m.attemptEnded(false)
	}
}

// got handles the answer of the attempt's Get.
func (m *Machine) got(r *Response) {
	switch r.Outcome {
	case Done:
	case NotFound:
		m.sendStep(stepCreate, Create)
		return
	default:
		m.attemptEnded(false)
		return
	}
	if m.changed(r) {
		m.observe(r.Record, m.now.Mono)
	}
	if m.phase == Renewing && m.cfg.Profile.Foreign == ForeignObeyed && r.Record.Holder != m.cfg.Identity {
		m.pollFailed()
		return
	}
	if r.Record.Holder != "" && m.leaseValid(m.attempt.startedAt) && !m.IsLeader() {
		m.attemptEnded(false)
		return
	}
	if m.IsLeader() {
		m.request.Record.Acquire = r.Record.Acquire
		m.request.Record.Transitions = r.Record.Transitions
		m.emit(MetricSlowPath)
	} else {
		m.request.Record.Transitions = r.Record.Transitions + 1
	}
	m.sendStep(stepUpdate, Update)
}

// written handles a Create or Update that the lock took.
func (m *Machine) written() {
	at := m.now.Mono
	if m.cfg.Profile.LeaseFrom == FromSend {
		at = m.attempt.sentAt
	}
	m.observe(&m.request.Record, at)
	m.attemptEnded(true)
}
