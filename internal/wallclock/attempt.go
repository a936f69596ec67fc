package wallclock

import (
	"time"

	"interregnum/elector/machine"
)

// try begins an attempt: one to renew if the candidate leads, otherwise one to acquire (try_acquire_or_renew,
// tryAcquireOrRenew, TryAcquireOrRenew).
func (m *Machine) try() {
	m.renews, m.waiting = m.phase == machine.Renewing, true
	m.begin()
}

// begin stores when an attempt begins, and sends its first request.
func (m *Machine) begin() {
	m.began = m.now.Wall
	m.send(machine.Get)
}

// responded handles an answer: the release ends, or the attempt goes on to its write or ends. If nothing waits for the answer it
// is that of an attempt that was left running, or is ignored.
func (m *Machine) responded(r *machine.Response) {
	if m.waiting && r.ID == m.request.ID {
		m.waiting = false
		if m.phase == machine.Releasing {
			m.released()
			return
		}
		over, won := m.goOn(r)
		m.waiting = !over
		if over {
			m.ended(won)
		}
		return
	}
	if i := m.leftBy(r.ID); i >= 0 {
		m.leftResponded(i, r)
	}
}

// goOn makes the attempt go on after an answer. over tells whether the attempt is over then; if it is not, its write was sent.
// won tells whether it has written the record.
func (m *Machine) goOn(r *machine.Response) (over, won bool) {
	switch {
	case m.request.Verb != machine.Get:
		if r.Outcome == machine.Done {
			m.observe(&m.request.Record)
		}
		return true, r.Outcome == machine.Done
	case r.Outcome == machine.Done:
		return m.got(r.Record), false
	case r.Outcome == machine.NotFound:
		m.write(machine.Create, m.stamp(), 0)
		return false, false
	}
	return true, false
}

// got handles the record that an attempt has read. It returns true, which ends the attempt, if another's lease has not run out.
// Otherwise it sends the write that renews or takes the lock, and returns false. A record without times, and in Python one that
// names nobody, is written over at once, without being observed first.
func (m *Machine) got(r *machine.Record) (over bool) {
	if r.Holder == "" && m.h.nobody == blank || r.Acquire == machine.NoTime || r.Renew == machine.NoTime {
		transitions := m.after(r)
		if m.h.blank == machine.Create {
			transitions = 0
		}
		m.write(m.h.blank, m.stamp(), transitions)
		return false
	}
	if !m.known || !m.h.same(r, &m.observed) {
		m.observe(r)
	}
	switch {
	case m.own():
		m.write(machine.Update, r.Acquire.Truncate(m.h.stamps), r.Transitions)
	case (r.Holder != "" || m.h.nobody == held) && !m.expired():
		return true
	default:
		m.write(machine.Update, m.stamp(), m.after(r))
	}
	return false
}

// after returns the number of transitions that a candidate writes when it takes the lock from the holder of r: one more than in r
// with the habit counts, otherwise that in r.
func (m *Machine) after(r *machine.Record) int64 {
	if m.h.counts {
		return r.Transitions + 1
	}
	return r.Transitions
}

// expired tells whether LeaseDuration has passed, by the wall clock in the client's unit, from when the candidate saw the
// record change. It asks as of the beginning of the attempt or, with the habit answered, as of now.
func (m *Machine) expired() bool {
	at := m.began
	if m.h.answered {
		at = m.now.Wall
	}
	return m.observedAt+machine.Wall(m.cfg.LeaseDuration.Truncate(m.h.unit)) <= at.Truncate(m.h.unit)
}

// observe stores the record as the one last seen, and that it was seen now.
func (m *Machine) observe(r *machine.Record) {
	m.observed, m.observedAt, m.known = *r, m.shown(), true
}

// stamp returns when the attempt began, by the process's wall clock, in the resolution in which the client writes times: rounded
// down or, with the habit rounds, to the nearest.
func (m *Machine) stamp() machine.Wall {
	at := m.began
	if m.h.rounds {
		at += machine.Wall(m.h.stamps / 2)
	}
	return at.Truncate(m.h.stamps)
}

// write sends the write of an attempt: a record that names the candidate, with that acquireTime and that number of
// transitions.
func (m *Machine) write(verb machine.Verb, acquire machine.Wall, transitions int64) {
	m.request.Record = machine.Record{
		Holder: m.cfg.Identity, DurationSeconds: m.seconds(), Acquire: acquire, Renew: m.stamp(), Transitions: transitions,
	}
	m.send(verb)
}

// seconds returns LeaseDuration as the record has it, in whole seconds; a fraction is dropped.
func (m *Machine) seconds() int64 { return int64(m.cfg.LeaseDuration / time.Second) }

// send sends the next request. It has no context: what ends it without an answer is Abandon.
func (m *Machine) send(verb machine.Verb) {
	m.requests++
	m.request.ID, m.request.Verb, m.request.Scope = m.requests, verb, machine.ScopeNone
	m.emit(machine.Send).Request = &m.request
}
