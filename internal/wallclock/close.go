package wallclock

import (
	"time"

	"interregnum/elector/machine"
)

// close closes the elector (LeaderElector.close), and then releases the lock. If an attempt is under way it waits for that,
// but no longer than RetryPeriod cut to whole seconds. A leader that waits to try again after a failure is waited for in the
// same way.
func (m *Machine) close() {
	m.closing = true
	switch {
	case m.phase == machine.Acquiring && !m.waiting:
		m.stop(look, machine.Retry)
		m.tellStopped()
		m.release()
	case m.phase == machine.Renewing && m.renewed:
		m.release() // and the program is told at the end of the wait
	default:
		m.set(interrupt, m.cfg.RetryPeriod.Truncate(time.Second))
	}
}

// interrupted ends what is under way, since close waits no longer. The thread of run tells the program at once, and close
// releases the lock.
func (m *Machine) interrupted() {
	if m.waiting {
		m.waiting = false
		m.emit(machine.Abandon)
	}
	m.stop(machine.Deadline, interrupt, machine.Retry)
	m.tellStopped()
	m.release()
}

// release gives the lock up, if the candidate has last seen its own name. Otherwise there is nothing to give up, and the release
// is over.
func (m *Machine) release() {
	m.phase = machine.Releasing
	if !m.own() {
		m.released()
		return
	}
	m.request.Record = machine.Record{
		DurationSeconds: m.seconds(), Acquire: machine.NoTime, Renew: machine.NoTime, Transitions: m.observed.Transitions,
	}
	m.send(machine.Update)
	m.waiting = true
}

// released ends the run, since the release is over. If the program is yet to be told, at the end of the wait Retry, the run ends
// only then.
func (m *Machine) released() {
	if !m.armed[machine.Retry] {
		m.phase = machine.Returned
		m.emit(machine.Return)
	}
}

// told tells the program that it leads no longer, at the end of the wait in which the elector was closed. If the release is over
// too, the run ends.
func (m *Machine) told() {
	m.tellStopped()
	if m.phase == machine.Releasing && !m.waiting {
		m.released()
	}
}

// tellStopped ends the work, if it runs, and tells the program that it does not lead.
func (m *Machine) tellStopped() {
	m.endWork()
	m.emit(machine.Stopped)
}
