package machine

import (
	"bytes"
	"time"
)

// Machine is one candidate's Run, or several one after the other: see Again. Use New; a Machine must not be
// copied once it has started.
type Machine struct {
	cfg Config
	now Now
	out []Output

	phase Phase
	await await
	// cancelled: the context of Run or, with UntilReturned, that of the renewals has ended. expired: the deadline of the poll or release has passed.
	cancelled, expired bool
	// led: OnStartedLeading was called. workEnds: its context has ended. workOver: it has returned. told:
	// OnStoppedLeading was called.
	led, workEnds, workOver, told bool
	armed                         [Timers]bool
	// tickAt is when the ticker is next due, on the grid that began with the poll; buffered: a tick came while nobody
	// waited for one.
	tickAt   Mono
	buffered bool

	attempt attempt
	// request belongs to the attempt, and release to the release of the lock. requests counts both.
	request, release Request
	requests         uint64
	// awaited is the number of the request that awaitResponse waits for.
	awaited uint64
	// left are attempts that go on although nothing waits for them: see old.go.
	left []leftover

	observed    Record
	observedAt  Mono
	hasObserved bool
	// own: the record last observed is this candidate's.
	own bool
	// gone: the lock object that was observed is no longer there. forgot: the last Get brought no object. unread: a Get
	// outside of renewals, or one that may have moved the lock, has brought no record, so that the lock's version may
	// belong to a record that was not observed.
	gone, forgot, unread bool
	// earlier: the lock was observed in an earlier Run, and this one has not yet found out whether it is still there.
	earlier bool
	// longestSeconds is the longest duration of all records that were observed.
	longestSeconds int64
	// termAcquire and termTransitions are from the last write that was acknowledged. They identify this candidate's
	// term.
	termAcquire     Wall
	termTransitions int64
	// termObject is the object of that write, and object the one that the last answer was about.
	termObject, object uint64
	// renewedAt is when the last renewal that was acknowledged was sent.
	renewedAt Mono
	// stamped is the last renewTime that was sent, and stampedAt is when it was sent.
	stamped   Wall
	stampedAt Mono

	seen     Record
	seenRaw  []byte
	hasSeen  bool
	reported string
	// another: reported is another candidate's name, which Settled asks for again and again.
	another bool
}

// Phase is where in Run a machine is.
type Phase uint8

const (
	// Idle has not started.
	Idle Phase = iota
	// Acquiring tries to take the lock.
	Acquiring
	// Renewing holds the lock and renews it.
	Renewing
	// Draining has stopped leading and waits for the work to return.
	Draining
	// Releasing has stopped renewing and gives the lock up.
	Releasing
	// Returned means that Run has ended.
	Returned
)

// await is what the next step waits for.
type await uint8

const (
	awaitNothing await = iota
	awaitResponse
	awaitRetry
	awaitTick
)

// New returns a machine that has not started. It does not check the configuration: see Timings.Validate.
func New(cfg Config) (m Machine) {
	m.begin(cfg)
	return m
}

// Reset makes m what New returns. It keeps only memory.
func (m *Machine) Reset(cfg Config) {
	seenRaw := m.seenRaw[:0]
	*m = Machine{}
	m.begin(cfg)
	m.seenRaw = seenRaw
}

// begin sets in m, which is zero, what a machine of that configuration starts with, and what all records say that it writes to
// take or keep the lock.
func (m *Machine) begin(cfg Config) {
	m.cfg, m.termTransitions = cfg, -1 // no record has that number
	m.request.Record.Holder, m.request.Record.DurationSeconds = cfg.Identity, cfg.leaseSeconds()
}

// Step tells the machine what happened, and appends to out what the host must do about it. With FromRenewal it first stops a
// leader whose deadline has passed (see checkDeadline). Pointers in the outputs are good until the next step.
func (m *Machine) Step(now Now, in *Input, out []Output) []Output {
	m.now, m.out = now, out
	if m.cfg.Profile.FromRenewal && m.checkDeadline(in) {
		out, m.out = m.out, nil
		return out
	}
	switch in.Kind {
	case Started:
		m.phase = Acquiring
		m.tryAcquire()
	case Cancelled:
		m.cancel()
	case Fired:
		m.fired(in.Timer)
	case Responded:
		m.responded(&in.Response)
	case WorkReturned:
		m.workReturned()
	case Unwinding:
		m.unwind()
	}
	out, m.out = m.out, nil
	return out
}

// Again prepares for another Run of the same candidate, after Run has ended. It keeps what the candidate has observed, as the
// library's elector does, and stores that this was in an earlier Run. An attempt that was left running goes on: see Detach.
func (m *Machine) Again() {
	m.phase, m.await = Idle, awaitNothing
	m.earlier = m.hasObserved
	m.cancelled, m.expired, m.led, m.workEnds, m.workOver, m.told = false, false, false, false, false, false
}

// Phase returns where in Run the machine is.
func (m *Machine) Phase() Phase { return m.phase }

// IsLeader returns what LeaderElector.IsLeader answers: whether the last observed holder is this candidate or, with
// OwnByTerm, whether its work may run.
func (m *Machine) IsLeader() bool {
	if m.cfg.Profile.OwnByTerm {
		return m.led && !m.workEnds
	}
	return m.own
}

// WorkUntil returns the time at which the context of the term's work ends at the latest, on the process's monotonic clock. The
// bool is false if no work has started, and with profiles that count RenewDeadline from a poll, which have no such time.
func (m *Machine) WorkUntil() (Mono, bool) {
	return m.renewedAt.Add(m.cfg.RenewDeadline), m.led && m.cfg.Profile.FromRenewal
}

// Leader returns the last observed holder, "" if there was none.
func (m *Machine) Leader() string { return m.observed.Holder }

// Healthy returns what LeaderElector.Check tests. It is false if a leader has not renewed for longer than LeaseDuration
// plus tolerance, and true for a candidate that does not lead.
func (m *Machine) Healthy(now Mono, tolerance time.Duration) bool {
	if !m.IsLeader() {
		return true
	}
	return time.Duration(now-m.observedAt) <= m.cfg.LeaseDuration+tolerance
}

// fired handles a timer that is due. Deadline ends a poll, a release or a drain (see expire), Tick is for tick, and Retry begins
// the next attempt or the next poll. A timer that was stopped meanwhile is ignored.
func (m *Machine) fired(t Timer) {
	if !m.armed[t] {
		return
	}
	m.armed[t] = false
	switch t {
	case Deadline:
		m.expire()
	case Tick:
		m.tick()
	case Retry:
		m.await = awaitNothing
		switch {
		case m.phase == Acquiring:
			m.tryAcquire()
		case m.cfg.Profile.FromRenewal:
			m.beginAttempt()
		default:
			m.beginPoll()
		}
	}
}

// cancel ends what depends on Run's context, which has ended. It ends the work's context, and then interrupts an attempt under
// way, stops leading or ends Run. In two cases it only ends the work's context: while Run drains or releases, and for a leader
// that renews until its work has returned. Before Run starts, it only sets m.cancelled. It does nothing if it was called before,
// or after Run has ended.
func (m *Machine) cancel() {
	if m.cancelled || m.phase == Returned {
		return
	}
	if m.phase == Renewing && m.untilReturn() {
		m.stopWork()
		return
	}
	m.cancelled = true
	if m.phase == Idle {
		return
	}
	m.stopWork()
	m.endLoop()
}

// endLoop ends what Run is doing, since its context has ended or, with UntilReturned, since a leader's work has returned. It
// interrupts an attempt that waits for an answer. Without one it ends Run or, for a leader, the renewals. It does nothing
// while Run drains or releases.
func (m *Machine) endLoop() {
	switch {
	case m.phase == Releasing || m.phase == Draining:
		// The release has a context of its own, and the work is told already.
	case m.await == awaitResponse:
		m.interrupt()
	case m.phase == Acquiring:
		m.finish()
	case m.await == awaitTick:
		m.pollFailed()
	default:
		m.loopEnded()
	}
}

// expire handles the timer Deadline. In a drain it tells the program that the work has outlived its time or, if the program was
// told before that it leads no longer, ends Run. Otherwise it interrupts the attempt or release that waits for an answer; if none
// does, the poll has failed.
func (m *Machine) expire() {
	m.expired = true
	switch {
	case m.phase == Draining && !m.told:
		m.outlived()
	case m.phase == Draining:
		m.finish()
	case m.await == awaitResponse:
		m.interrupt()
	default:
		m.pollFailed()
	}
}

// interrupt handles the end of a context during an attempt. It abandons the request if requests carry contexts. Otherwise a
// leader's poll fails and leaves its attempt running, and an attempt to acquire goes on.
func (m *Machine) interrupt() {
	switch {
	case !m.cfg.Profile.ContextNone:
		m.emit(Abandon)
	case m.phase == Renewing:
		m.leave()
		m.pollFailed()
	}
}

// unwind ends Run when a panic leaves it, as the deferred calls of Run, renew and acquire do: it finishes without releasing the
// lock. It does nothing if Run has ended.
func (m *Machine) unwind() {
	if m.phase == Returned {
		return
	}
	m.await = awaitNothing
	m.finish()
}

// responded hands an answer to the release or attempt that waits for it, or else to an attempt that was left running. It ignores
// an answer that nothing waits for.
func (m *Machine) responded(r *Response) {
	if m.await != awaitResponse || r.ID != m.awaited {
		m.leftResponded(r)
		return
	}
	m.await = awaitNothing
	if m.phase == Releasing {
		m.releaseResponded(r)
		return
	}
	m.attemptResponded(r)
}

// finish ends Run: it stops all timers and tells the program, unless it was told before, that it leads no longer.
func (m *Machine) finish() {
	for t := range Timer(Timers) {
		m.stop(t)
	}
	m.tellStopped()
	m.phase = Returned
	m.emit(Return)
}

// tellStopped tells the program, once, that it leads no longer. Before that it ends the work's context and records the event
// that the profile wants, if the candidate has led.
func (m *Machine) tellStopped() {
	if m.told {
		return
	}
	m.told = true
	if m.led {
		if !m.cfg.Profile.EventAtFailure {
			m.emit(RecordEvent).Text = "stopped leading"
		}
		m.stopWork()
	}
	m.emit(Stopped)
}

// stopWork ends the work's context, unless no work has started or the context has ended already.
func (m *Machine) stopWork() {
	if m.led && !m.workEnds {
		m.workEnds = true
		m.emit(StopWork)
	}
}

// report emits an output that tells the program of a new leader, if the observed holder has changed
// (maybeReportTransition of the library).
func (m *Machine) report() {
	if m.observed.Holder == m.reported {
		return
	}
	m.reported = m.observed.Holder
	m.another = m.reported != "" && m.reported != m.cfg.Identity
	m.emit(NewLeader).Text = m.reported
}

// observe stores r as the record last observed, as of the time at, and in m.own whether it is this candidate's. Its lease counts
// from then on.
func (m *Machine) observe(r *Record, at Mono) {
	m.saw(r, at)
	m.own = m.mine(r)
}

// saw stores r as the record last observed, as of the time at, from which its lease counts. It leaves m.own as it is.
func (m *Machine) saw(r *Record, at Mono) {
	m.observed.Set(r)
	m.observedAt, m.hasObserved = at, true
	m.earlier = false
	m.longestSeconds = max(m.longestSeconds, r.DurationSeconds)
}

// isThere stores that a Get has found the lock object, and read it: the object is not gone, the lock's version is that of the
// record read, and this Run has seen the lock.
func (m *Machine) isThere() { m.gone, m.unread, m.earlier = false, false, false }

// mine tells whether a record is this candidate's own: it carries its name and, with OwnByTerm, its term's acquireTime and
// transitions. If that time has no fraction of a second, the lock object must be the same too, since another candidate of the
// same name can have made the lock anew within the second.
func (m *Machine) mine(r *Record) bool {
	if r.Holder != m.cfg.Identity || !m.cfg.Profile.OwnByTerm {
		return r.Holder == m.cfg.Identity
	}
	acquire := m.termAcquire
	same := r.Acquire == acquire ||
		r.Acquire == acquire.Truncate(time.Microsecond) || r.Acquire == acquire.Truncate(time.Second)
	return same && r.Transitions == m.termTransitions && (r.Acquire != r.Acquire.Truncate(time.Second) || m.sameObject())
}

// hear stores in m.object which lock object a successful answer is about.
func (m *Machine) hear(r *Response) {
	if r.Outcome == Done {
		m.object = r.Object
	}
}

// sameObject tells whether the lock object of the last successful answer is the one that the term's last write was on.
// It is true if the lock does not tell.
func (m *Machine) sameObject() bool {
	return m.object == m.termObject || m.object == 0 || m.termObject == 0
}

// leaseValid tells whether the lease in the record last observed has not run out at that time. The lease counts from when the
// record was observed, by the monotonic clock, and lasts as long as the record says or, with ExpiryOwn, for LeaseDuration. It is
// false if no record was observed.
func (m *Machine) leaseValid(at Mono) bool {
	lasts := m.cfg.LeaseDuration
	if !m.cfg.Profile.ExpiryOwn {
		lasts = m.observed.Duration()
	}
	return m.hasObserved && m.observedAt.Add(lasts) > at
}

// changed tells whether a Get's record looks different from the one that the last Get returned, and stores it for the next
// comparison. If the answer has the record's bytes (Raw), it compares these; otherwise differs compares the fields.
func (m *Machine) changed(r *Response) bool {
	if r.Raw != nil {
		if bytes.Equal(m.seenRaw, r.Raw) {
			return false
		}
		m.seenRaw = append(m.seenRaw[:0], r.Raw...)
		return true
	}
	return m.differs(r.Record)
}

// differs tells whether a record looks different from the one that the last Get returned, and stores it for the next comparison. Unless
// the profile says CompareExact, two times in the same second look the same. The first record always looks different.
func (m *Machine) differs(record *Record) bool {
	seen := &m.seen
	acquire, renew := record.Acquire, record.Renew
	if !m.cfg.Profile.CompareExact {
		// As in the record's JSON text, where a time is RFC 3339 without a fraction.
		acquire, renew = acquire.Truncate(time.Second), renew.Truncate(time.Second)
	}
	if m.hasSeen && renew == seen.Renew && acquire == seen.Acquire && record.Holder == seen.Holder &&
		record.DurationSeconds == seen.DurationSeconds && record.Transitions == seen.Transitions &&
		record.sameCoordination(seen) {
		return false
	}
	seen.Set(record)
	seen.Acquire, seen.Renew, m.hasSeen = acquire, renew, true
	return true
}

// emit appends an output of kind k and returns it, for the caller to fill in.
func (m *Machine) emit(k OutputKind) *Output { return Emit(&m.out, k) }

// setAt arms a timer for the reading at of the monotonic clock, and returns the output, to which the caller may add a wait.
func (m *Machine) setAt(t Timer, at Mono) *Output {
	m.armed[t] = true
	o := m.emit(SetTimer)
	o.Timer, o.At = t, at
	return o
}

// set arms a timer for a wait that begins now.
func (m *Machine) set(t Timer, wait time.Duration) {
	m.setAt(t, m.now.Mono).Wait = wait
}

// stop disarms a timer and tells the host to stop it. It does nothing if the timer is not armed.
func (m *Machine) stop(t Timer) {
	if m.armed[t] {
		m.armed[t] = false
		m.emit(StopTimer).Timer = t
	}
}

// send numbers a request and makes the host send it, with that verb and context. It marks the request if its context has
// ended already. For a Get outside of renewals, or one that can move the lock, it sets m.unread.
func (m *Machine) send(r *Request, verb Verb, scope Scope) {
	m.requests++
	m.unread = m.unread || verb == Get && (m.phase != Renewing || m.cfg.FailedGetMoves)
	r.ID, r.Verb, r.Scope = m.requests, verb, scope
	r.Ended = scope != ScopeNone && (m.expired || m.cancelled && scope != ScopeRelease)
	m.emit(Send).Request = r
}

// awaitAnswer makes the machine wait for the answer to this request.
func (m *Machine) awaitAnswer(r *Request) {
	m.await, m.awaited = awaitResponse, r.ID
}
