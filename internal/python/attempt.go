package python

import (
	"time"

	"interregnum/elector/machine"
)

// try begins an attempt (LeaderElection.try_acquire_or_renew).
func (m *Machine) try() {
	m.began = m.now.Wall
	m.send(machine.Get)
}

// responded handles an answer: the attempt goes on to its write, or ends.
func (m *Machine) responded(r *machine.Response) {
	if !m.waiting || r.ID != m.request.ID {
		return
	}
	m.waiting = false
	switch {
	case m.request.Verb != machine.Get:
		if r.Outcome == machine.Done {
			m.observe(&m.request.Record)
		}
		m.ended(r.Outcome == machine.Done)
	case r.Outcome == machine.Done:
		m.got(r.Record)
	case r.Outcome == machine.NotFound:
		m.write(machine.Create, m.stamp(), 0)
	default:
		m.ended(false)
	}
}

// got handles the record that an attempt has read. A record that names nobody, or has no times, is written over at once, and
// is not taken note of.
func (m *Machine) got(r *machine.Record) {
	acquire := m.stamp()
	if r.Holder != "" && r.Acquire != machine.NoTime && r.Renew != machine.NoTime {
		if !m.known || !same(r, &m.observed) {
			m.observe(r)
		}
		switch {
		case m.observed.Holder == m.cfg.Identity:
			acquire = m.observed.Acquire
		case m.observedAt+machine.Wall(m.cfg.LeaseDuration) > millis(m.began):
			m.ended(false)
			return
		}
	}
	m.write(machine.Update, acquire, r.Transitions)
}

// same tells whether two records say the same; the client does not look at transitions.
func same(a, b *machine.Record) bool {
	return a.Holder == b.Holder && a.DurationSeconds == b.DurationSeconds && a.Acquire == b.Acquire && a.Renew == b.Renew
}

// observe takes note of a record.
func (m *Machine) observe(r *machine.Record) {
	m.observed, m.observedAt, m.known = *r, millis(m.now.Wall), true
}

// stamp returns when the attempt began, in the microseconds of a record; Python's datetime rounds to the nearest one.
func (m *Machine) stamp() machine.Wall {
	return (m.began + machine.Wall(time.Microsecond/2)).Truncate(time.Microsecond)
}

// write sends the write of an attempt. It leaves the record's transitions as they are.
func (m *Machine) write(verb machine.Verb, acquire machine.Wall, transitions int64) {
	m.request.Record = machine.Record{
		Holder: m.cfg.Identity, DurationSeconds: int64(m.cfg.LeaseDuration.Seconds()), Acquire: acquire, Renew: m.stamp(),
		Transitions: transitions,
	}
	m.send(verb)
}

// send sends the next request. It has no context: only an answer ends it.
func (m *Machine) send(verb machine.Verb) {
	m.requests++
	m.request.ID, m.request.Verb, m.request.Scope = m.requests, verb, machine.ScopeNone
	m.waiting = true
	m.emit(machine.Send).Request = &m.request
}
