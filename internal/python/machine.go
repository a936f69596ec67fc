package python

import (
	"time"

	"interregnum/elector/machine"
)

// Machine is one candidate's run (LeaderElection.run). It takes the inputs of machine.Machine and gives its outputs. Use
// New; a Machine must not be copied once it has started.
type Machine struct {
	cfg machine.Config
	now machine.Now
	out []machine.Output

	phase machine.Phase
	// waiting: a request is in flight. armed: the candidate sleeps. renewed: the last attempt has renewed the lease.
	waiting, armed, renewed bool

	request  machine.Request
	requests uint64
	// began is when the attempt began, and until is when the leader stops trying to renew.
	began, until machine.Wall

	// observed is the record last seen, if known, and observedAt is when that was.
	observed   machine.Record
	observedAt machine.Wall
	known      bool
	// working: the work runs.
	working bool
}

// New returns a machine that has not started. Of the profile nothing counts, nor does ReleaseOnCancel. New does not check
// the configuration.
func New(cfg machine.Config) Machine { return Machine{cfg: cfg} }

// Step tells the machine what happened, and appends to out what the host must do about it. Pointers in the outputs are good
// until the next step.
func (m *Machine) Step(now machine.Now, in *machine.Input, out []machine.Output) []machine.Output {
	m.now, m.out = now, out
	switch in.Kind {
	case machine.Started:
		m.start()
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

// Again prepares for another run of the same elector, which still knows the record.
func (m *Machine) Again() { m.phase, m.renewed = machine.Idle, false }

// IsLeader tells whether the work runs; the client has no such question.
func (m *Machine) IsLeader() bool { return m.working }

// Healthy returns true: the client has no health check.
func (m *Machine) Healthy(machine.Mono, time.Duration) bool { return true }

// start begins to acquire the lock, unless the process was told to end before.
func (m *Machine) start() {
	if m.phase == machine.Returned {
		m.emit(machine.Return)
		return
	}
	m.phase = machine.Acquiring
	m.try()
}

// cancel ends the process.
func (m *Machine) cancel() {
	started := m.phase != machine.Idle
	m.phase = machine.Returned
	if m.armed {
		m.armed = false
		m.emit(machine.StopTimer).Timer = machine.Retry
	}
	m.waiting = false
	m.endWork()
	if started {
		m.emit(machine.Return)
	}
}

// fired goes on after a sleep: it begins the next attempt, and with that another time to renew in if the last one has
// renewed the lease. A leader whose time to renew is over stops instead.
func (m *Machine) fired() {
	if !m.armed {
		return
	}
	m.armed = false
	switch {
	case m.phase == machine.Renewing && m.renewed:
		m.beginToRenew()
	case m.phase == machine.Renewing && millis(m.now.Wall) >= m.until:
		m.endWork()
		m.emit(machine.Stopped)
		m.phase = machine.Returned
		m.emit(machine.Return)
	default:
		m.try()
	}
}

// beginToRenew gives the leader RenewDeadline from now, and begins the first attempt.
func (m *Machine) beginToRenew() {
	m.phase, m.renewed = machine.Renewing, false
	m.until = millis(m.now.Wall) + machine.Wall(m.cfg.RenewDeadline)
	m.try()
}

// ended goes on after an attempt: a candidate that has acquired the lock works and renews at once; all others sleep.
func (m *Machine) ended(won bool) {
	if won && m.phase == machine.Acquiring {
		m.working = true
		m.emit(machine.StartWork)
		m.beginToRenew()
		return
	}
	m.renewed, m.armed = won, true
	o := m.emit(machine.SetTimer)
	o.Timer, o.At, o.Wait = machine.Retry, m.now.Mono, m.cfg.RetryPeriod
}

// endWork tells the work, if it runs, to end.
func (m *Machine) endWork() {
	if m.working {
		m.working = false
		m.emit(machine.StopWork)
	}
}

// emit appends an output of that kind and returns it, so that the caller can fill in its other fields.
func (m *Machine) emit(k machine.OutputKind) *machine.Output {
	m.out = append(m.out, machine.Output{})
	o := &m.out[len(m.out)-1]
	o.Kind = k
	return o
}

// millis cuts a time to whole milliseconds, in which the client counts.
func millis(w machine.Wall) machine.Wall { return w.Truncate(time.Millisecond) }
