package ttl

import (
	"time"

	"interregnum/elector/machine"
)

// Machine is one candidate in one Run, or in several one after the other: see Again. It takes the inputs of machine.Machine and
// gives its outputs, so that one host drives both. Use New; a Machine must not be copied once it has started.
type Machine struct {
	cfg machine.Config
	now machine.Now
	out []machine.Output

	phase machine.Phase
	// cancelled: Run's context has ended. expired: the timer Deadline has ended the context of requests.
	cancelled, expired bool
	// led: OnStartedLeading was called. workEnds: its context has ended. workOver: it has returned. told:
	// OnStoppedLeading was called.
	led, workEnds, workOver, told bool
	// lost: the lock has said that the entry is no longer this candidate's.
	lost  bool
	armed [machine.Timers]bool

	// request is the last request other than a watch, in flight or answered; watch is the last watch. requests counts
	// both.
	request, watch machine.Request
	requests       uint64
	// waiting: request is in flight. abandoned: its context has ended. watching: watch is in flight.
	waiting, abandoned, watching bool
	// unwatchable: the lock has said that it cannot be watched.
	unwatchable bool
	// known: the last look has found an entry. alarmed: a watch has caused that look.
	known, alarmed bool
	// beaten: somebody else has made an entry during this attempt.
	beaten bool

	// sentAt is when the last request was sent.
	sentAt machine.Mono
	// heldFrom is the instant that the entry counts from: see FromSend of machine.Profile.
	heldFrom machine.Mono

	holder, reported string
}

// New returns a machine that has not started. LeaseDuration is the lock's TTL. Of the profile only FromSend and
// WorkFirst count: see the package comment. New does not check the configuration: see machine.Timings.
func New(cfg machine.Config) Machine { return Machine{cfg: cfg} }

// Step tells the machine what happened, appends to out what the host must do about it, and returns out. Pointers in the outputs
// are valid until the next step.
func (m *Machine) Step(now machine.Now, in *machine.Input, out []machine.Output) []machine.Output {
	m.now, m.out = now, out
	if !m.checkDeadline(in) {
		m.take(in)
	}
	out, m.out = m.out, nil
	return out
}

// take passes one input to the method for its kind. Started begins to acquire, and Unwinding ends Run unless it has ended.
func (m *Machine) take(in *machine.Input) {
	switch in.Kind {
	case machine.Started:
		m.phase = machine.Acquiring
		m.look()
	case machine.Cancelled:
		m.cancel()
	case machine.Fired:
		m.fired(in.Timer)
	case machine.Responded:
		m.responded(&in.Response)
	case machine.WorkReturned:
		m.workReturned()
	case machine.Unwinding:
		if m.phase != machine.Returned {
			m.finish()
		}
	}
}

// Again prepares for another Run of the same candidate. The holder last seen is kept, and whether the lock can be watched.
func (m *Machine) Again() {
	m.phase = machine.Idle
	m.cancelled, m.expired, m.lost, m.led, m.workEnds, m.workOver = false, false, false, false, false, false
	m.known, m.alarmed, m.told = false, false, false
}

// Phase returns the present phase of Run.
func (m *Machine) Phase() machine.Phase { return m.phase }

// IsLeader tells whether the work may run: it has started, and its context has not ended.
func (m *Machine) IsLeader() bool { return m.led && !m.workEnds }

// WorkUntil returns the time at which the context of the term's work ends at the latest, on the process's monotonic clock. The
// bool is false if no work has started. It is also false without FromSend, which gives no such time.
func (m *Machine) WorkUntil() (machine.Mono, bool) {
	return m.heldFrom.Add(m.cfg.RenewDeadline), m.led && m.fromSend()
}

// Leader returns the holder last seen, "" if there was none.
func (m *Machine) Leader() string { return m.holder }

// Healthy tells whether this candidate is as it should be: it is false only if the candidate leads and its entry ran out longer
// than tolerance ago.
func (m *Machine) Healthy(now machine.Mono, tolerance time.Duration) bool {
	return !m.IsLeader() || time.Duration(now-m.heldFrom) <= m.cfg.LeaseDuration+tolerance
}

// fired handles a timer that is due: the deadline, or the time of the next refresh or look. A timer that was stopped meanwhile
// is ignored.
func (m *Machine) fired(t machine.Timer) {
	if !m.armed[t] {
		return
	}
	m.armed[t] = false
	switch {
	case t == machine.Deadline:
		m.expire()
	case m.phase == machine.Renewing:
		m.refresh()
	default:
		m.look()
	}
}

// expire handles the timer Deadline. While the candidate drains, the time for the work is over: expire tells the program that it
// leads no longer or, if the program was told before, ends Run. In other phases expire ends the context of the request in flight
// or, if there is none, stops leading.
func (m *Machine) expire() {
	m.expired = true
	switch {
	case m.phase == machine.Draining && !m.told:
		m.outlived()
	case m.phase == machine.Draining:
		m.finish()
	case m.waiting:
		m.abandon()
	default:
		m.leave()
	}
}

// cancel handles the end of Run's context. It ends the work's context. Then it interrupts the request in flight; if there is
// none, it stops leading or, if the candidate does not lead, ends Run. Before Run starts, and while the candidate drains or
// releases, it only ends the work's context. It does nothing if it was called before, or after Run has ended.
func (m *Machine) cancel() {
	if m.cancelled || m.phase == machine.Returned {
		return
	}
	m.cancelled = true
	m.stopWork()
	switch m.phase {
	case machine.Idle, machine.Draining, machine.Releasing:
		return // nothing has begun, or the release has a context of its own
	}
	switch {
	case m.waiting:
		m.abandon()
	case m.phase == machine.Renewing:
		m.leave()
	default:
		m.finish()
	}
}

// responded handles an answer to the watch or to the request in flight, by the phase. An answer to anything else is ignored.
func (m *Machine) responded(r *machine.Response) {
	switch {
	case m.watching && r.ID == m.watch.ID:
		m.watching = false
		m.watchEnded(r.Outcome)
	case m.waiting && r.ID == m.request.ID:
		m.waiting = false
		switch m.phase {
		case machine.Acquiring:
			m.answered(r)
		case machine.Renewing:
			m.refreshed(r.Outcome)
		case machine.Releasing:
			m.released(r.Outcome)
		}
	}
}

// finish ends Run: it stops all timers, the watch and the work, and tells the program, unless it was told before, that it leads
// no longer. If the candidate still led, its metric is set to off.
func (m *Machine) finish() {
	for t := range machine.Timer(machine.Timers) {
		m.stop(t)
	}
	m.unwatch()
	if m.phase == machine.Renewing && !m.told {
		m.emit(machine.MetricOff)
	}
	m.stopWork()
	m.phase, m.waiting = machine.Returned, false
	m.tellStopped()
	m.emit(machine.Return)
}

// tellStopped tells the program, once, that it leads no longer.
func (m *Machine) tellStopped() {
	if !m.told {
		m.told = true
		m.emit(machine.Stopped)
	}
}

// report emits an output that tells the program of a new holder, if the holder has changed.
func (m *Machine) report() {
	if m.holder != m.reported {
		m.reported = m.holder
		m.emit(machine.NewLeader).Text = m.holder
	}
}

// emit appends an output of that kind and returns it, so that the caller can fill in its other fields.
func (m *Machine) emit(k machine.OutputKind) *machine.Output { return machine.Emit(&m.out, k) }

// set arms a timer for the time at plus wait, and returns the output, so that the caller can fill in its other fields.
func (m *Machine) set(t machine.Timer, at machine.Mono, wait time.Duration) *machine.Output {
	m.armed[t] = true
	o := m.emit(machine.SetTimer)
	o.Timer, o.At, o.Wait = t, at, wait
	return o
}

// stop disarms a timer, and has the host stop it. It does nothing to a timer that is not armed.
func (m *Machine) stop(t machine.Timer) {
	if m.armed[t] {
		m.armed[t] = false
		m.emit(machine.StopTimer).Timer = t
	}
}

// send makes the host send a new request, with that verb and scope, and stores the time. It marks the request as Ended if its
// context has ended already.
func (m *Machine) send(verb machine.Verb, scope machine.Scope) {
	m.requests++
	m.request.ID, m.request.Verb, m.request.Scope = m.requests, verb, scope
	m.request.Ended = m.expired || m.cancelled && scope != machine.ScopeRelease
	m.waiting, m.abandoned, m.sentAt = true, false, m.now.Mono
	m.emit(machine.Send).Request = &m.request
}

// abandon ends the context of the request in flight, unless it has done so before. The machine still waits for an answer.
func (m *Machine) abandon() {
	if !m.abandoned {
		m.abandoned = true
		m.emit(machine.Abandon)
	}
}
