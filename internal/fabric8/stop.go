package fabric8

import "interregnum/elector/machine"

// stop ends the loops (LeaderElector.stopLeading). A candidate that last saw its own name in the record, and has ReleaseOnCancel,
// reads the record once more, to release the lock. The Run of any other candidate ends at once.
func (m *Machine) stop() {
	m.disarm()
	if m.observed != m.cfg.Identity || !m.cfg.ReleaseOnCancel {
		m.finish()
		return
	}
	m.phase = machine.Draining
	m.send(machine.Get)
}

// looked takes the answer to the read of a stopping leader. If the record is still its own, it sends the release
// (LeaderElector.release). Otherwise, or after an error, it ends the Run.
func (m *Machine) looked(r *machine.Response) {
	if r.Outcome != machine.Done || r.Record.Holder != m.cfg.Identity {
		m.finish()
		return
	}
	m.phase = machine.Releasing
	m.request.Record = machine.Record{
		DurationSeconds: 1, Acquire: m.now.Wall, Renew: m.now.Wall, Transitions: r.Record.Transitions,
	}
	m.send(machine.Update)
}

// released handles the answer to the release, and ends the Run. If the release has succeeded, the program is told of it as of
// any change of leader.
func (m *Machine) released(r *machine.Response) {
	if r.Outcome == machine.Done {
		m.observe("")
	}
	m.finish()
}

// finish ends the Run. A program that leads learns now at the latest that it leads no longer.
func (m *Machine) finish() {
	m.disarm()
	m.tellStopped()
	m.phase = machine.Returned
	m.emit(machine.Return)
}

// tellStopped tells a program that leads that it does so no longer.
func (m *Machine) tellStopped() {
	if m.working {
		m.working = false
		m.emit(machine.StopWork)
		m.emit(machine.Stopped)
	}
}

// disarm stops the timer of the next attempt.
func (m *Machine) disarm() {
	if m.armed {
		m.armed = false
		m.emit(machine.StopTimer).Timer = machine.Retry
	}
}
