package fabric8

import (
	"time"

	"interregnum/elector/machine"
)

// Machine is one candidate's Run (LeaderElector.start). It takes the inputs of machine.Machine and gives its outputs. Use
// New; a Machine must not be copied once it has started.
type Machine struct {
	cfg machine.Config
	now machine.Now
	out []machine.Output

	phase machine.Phase
	// cancelled: the Run is to end once its attempt is over. waiting: a request is in flight.
	cancelled, waiting bool
	// armed: the timer of the next attempt is set. next is the time from which the attempt after that is scheduled.
	armed bool
	next  machine.Mono

	request  machine.Request
	requests uint64
	// began is when the attempt began, by the wall clock.
	began machine.Wall
	// renewBy is the last time, by the wall clock, at which an attempt to renew may begin.
	renewBy machine.Wall

	// observed is the holder last seen; known is false before the first.
	observed string
	known    bool
	// working: the program was last told that it leads.
	working bool
}

// New returns a machine that has not started. Of the profile nothing counts. New does not check the configuration.
func New(cfg machine.Config) Machine { return Machine{cfg: cfg} }

// Step tells the machine what happened, and appends to out what the host must do about it. Pointers in the outputs are good
// until the next step.
func (m *Machine) Step(now machine.Now, in *machine.Input, out []machine.Output) []machine.Output {
	m.now, m.out = now, out
	switch in.Kind {
	case machine.Started:
		m.acquire()
	case machine.Cancelled:
		m.cancel()
	case machine.Fired:
		m.fired()
	case machine.Responded:
		m.responded(&in.Response)
	}
	out, m.out = m.out, nil
	return out
}

// Again prepares for another Run. The client's elector runs once, so that this is a new one.
func (m *Machine) Again() { *m = New(m.cfg) }

// IsLeader tells whether the program was told last that it leads; the client has no such question.
func (m *Machine) IsLeader() bool { return m.working }

// Healthy returns true: the client has no health check.
func (m *Machine) Healthy(machine.Mono, time.Duration) bool { return true }

// acquire begins the loop that acquires, whose first attempt follows at once (LeaderElector.acquire). If the Run was cancelled
// before, it ends the Run instead.
func (m *Machine) acquire() {
	m.phase, m.next = machine.Acquiring, m.now.Mono
	if m.cancelled {
		m.finish()
		return
	}
	m.try()
}

// renew begins the loop that renews, whose first attempt follows at once (LeaderElector.renewWithTimeout), and gives the leader a
// RenewDeadline from now.
func (m *Machine) renew() {
	m.phase, m.next = machine.Renewing, m.now.Mono
	m.setRenewBy()
	m.try()
}

// setRenewBy gives the leader another RenewDeadline, from now. The client counts in whole milliseconds.
func (m *Machine) setRenewBy() {
	m.renewBy = m.now.Wall.Truncate(time.Millisecond) + machine.Wall(m.cfg.RenewDeadline.Truncate(time.Millisecond))
}

// fired begins the next attempt. A leader whose time to renew is over stops instead. If the timer was stopped meanwhile, it
// does nothing.
func (m *Machine) fired() {
	if !m.armed {
		return
	}
	m.armed = false
	if m.phase == machine.Renewing && m.now.Wall.Truncate(time.Millisecond) > m.renewBy {
		m.stop()
		return
	}
	if m.phase == machine.Acquiring {
		m.next = m.now.Mono
	}
	m.try()
}

// try begins an attempt (LeaderElector.tryAcquireOrRenew).
func (m *Machine) try() {
	m.began = m.now.Wall
	m.send(machine.Get)
}

// ended goes on after an attempt that met no error. won tells that it has written the record. A cancelled Run stops, and so
// does a leader that did not renew. Otherwise a candidate that has acquired begins to renew, and all others schedule the next
// attempt.
func (m *Machine) ended(won bool) {
	switch {
	case m.cancelled, m.phase == machine.Renewing && !won:
		m.stop()
	case !won:
		m.schedule()
	case m.phase == machine.Acquiring:
		m.renew()
	default:
		m.setRenewBy()
		m.schedule()
	}
}

// failed goes on after an attempt that met an error: in either loop another attempt follows, unless the Run was cancelled.
func (m *Machine) failed() {
	if m.cancelled {
		m.stop()
		return
	}
	m.schedule()
}

// schedule sets the timer for the next attempt. If its time is past, the attempt is due at once.
func (m *Machine) schedule() {
	m.armed = true
	o := m.emit(machine.SetTimer)
	o.Timer, o.At, o.Wait, o.Jitter = machine.Retry, m.next, m.cfg.RetryPeriod, m.phase == machine.Acquiring
	m.next = m.next.Add(m.cfg.RetryPeriod)
}

// cancel ends the Run. If a request is in flight, the Run ends only with its answer; before the start, only start ends it. If
// the Run stops already, cancel changes nothing.
func (m *Machine) cancel() {
	m.cancelled = true
	switch {
	case m.phase != machine.Acquiring && m.phase != machine.Renewing, m.waiting:
	default:
		m.stop()
	}
}
