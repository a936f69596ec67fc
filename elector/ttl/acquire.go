package ttl

import "interregnum/elector/machine"

// look begins an attempt to acquire: it reads the entry. If Run is cancelled, it ends Run instead.
func (m *Machine) look() {
	m.expired, m.beaten = false, false
	if m.cancelled {
		m.finish()
		return
	}
	m.ask(machine.Get)
}

// ask sends a request of an attempt to acquire. With FromSend it also sets the deadline, RenewDeadline from now: a later answer
// is of no use, and the deadline ends the request so that the candidate can try again.
func (m *Machine) ask(verb machine.Verb) {
	scope := machine.ScopeRun
	if m.fromSend() {
		scope = machine.ScopePoll
		m.set(machine.Deadline, m.now.Mono, m.cfg.RenewDeadline)
	}
	m.send(verb, scope)
}

// answered handles the answer to a request of an attempt to acquire. An entry that was made or refreshed wins the attempt. If
// Create finds an entry, Replace follows, since that entry has perhaps expired; if Replace finds one, another Get follows.
// After any other answer to a write, and if the attempt cannot go on, the candidate waits for the next look. For the answer to
// a Get see looked.
func (m *Machine) answered(r *machine.Response) {
	m.stop(machine.Deadline)
	verb := m.request.Verb
	switch {
	case verb == machine.Get:
		m.looked(r)
	case r.Outcome == machine.Done:
		m.won()
	case verb == machine.Create && r.Outcome == machine.Conflict && m.going():
		m.ask(machine.Replace) // a store that keeps expired entries has one, or somebody was faster
	case verb == machine.Replace && r.Outcome == machine.Conflict && m.going():
		m.beaten = true
		m.ask(machine.Get) // find out who was faster, to watch that entry
	default:
		// Either an entry with this candidate's name is not its own, or nobody knows what became of the request.
		m.known = verb == machine.Refresh && r.Outcome == machine.Conflict
		m.wait()
	}
}

// going tells whether the attempt can go on: no deadline has passed in it, and Run is not cancelled.
func (m *Machine) going() bool { return !m.expired && !m.cancelled }

// looked handles the answer to a Get, and stores the holder. If there is no entry, it asks for one to be made, unless somebody
// else has made one during this attempt. If there is an entry in this candidate's name, it asks for a refresh: perhaps a request
// without an answer has made it, and only the lock knows. In all other cases, and if the attempt must not go on, it waits for the
// next look.
func (m *Machine) looked(r *machine.Response) {
	before := m.holder
	m.known = false
	switch r.Outcome {
	case machine.Done:
		m.known = true
		m.holder = r.Record.Holder
		m.alarmed = m.alarmed && m.holder == before
		if m.holder != before {
			m.unwatch() // that watch should have told of the change
		}
		if m.holder == m.cfg.Identity && m.going() {
			m.ask(machine.Refresh)
			return
		}
	case machine.NotFound:
		m.holder = ""
		if m.going() && !m.beaten {
			m.ask(machine.Create)
			return
		}
	}
	m.wait()
}

// won ends an attempt that has made an entry or found its own: the candidate leads or, if Run is cancelled, gives the
// entry up. With FromSend, if the answer took too long, the candidate does not lead yet: the next attempt refreshes the
// entry first.
func (m *Machine) won() {
	m.holder = m.cfg.Identity
	m.hold()
	m.report()
	if m.cancelled {
		m.giveUp()
		return
	}
	if m.fromSend() && m.now.Mono >= m.heldFrom.Add(m.cfg.RenewDeadline) {
		m.known = false
		m.wait()
		return
	}
	m.unwatch()
	m.alarmed, m.expired = false, false
	m.lead()
}

// wait ends an attempt that has not won, and waits for the next look. If Run is cancelled it ends Run instead. If the last look
// has found an entry and the lock can be watched, it also starts a watch, except right after a watch that told of no real
// change.
func (m *Machine) wait() {
	m.report()
	if m.cancelled {
		m.finish()
		return
	}
	// If the last watch told of a change and there was none, no new watch starts yet: watches may be broken.
	if m.known && !m.alarmed && !m.unwatchable && !m.watching {
		m.startWatch()
	}
	m.alarmed = false
	m.poll()
}

// poll sets the time of the next look: LeaseDuration from now while a watch is in flight on a known entry, otherwise RetryPeriod
// plus jitter.
func (m *Machine) poll() {
	if m.known && m.watching {
		m.set(machine.Retry, m.now.Mono, m.cfg.LeaseDuration)
		return
	}
	m.set(machine.Retry, m.now.Mono, m.cfg.RetryPeriod).Jitter = true
}

// startWatch asks the lock to tell when the entry changes or ends.
func (m *Machine) startWatch() {
	m.requests++
	m.watch.ID, m.watch.Verb, m.watch.Scope = m.requests, machine.Watch, machine.ScopeWatch
	m.watching = true
	m.emit(machine.Send).Request = &m.watch
}

// unwatch ends the watch in flight, if there is one.
func (m *Machine) unwatch() {
	if m.watching {
		m.watching = false
		m.emit(machine.Unwatch)
	}
}

// watchEnded handles the end of a watch with that outcome. After NoWatch the lock is never watched again. During an attempt, or
// if the candidate is not acquiring, nothing else follows. Otherwise a change makes the candidate look at once, and any other
// outcome makes it poll.
func (m *Machine) watchEnded(o machine.Outcome) {
	if o == machine.NoWatch {
		m.unwatchable = true
	}
	switch {
	case m.waiting || m.phase != machine.Acquiring:
	case o == machine.Done:
		m.stop(machine.Retry)
		m.alarmed = true
		m.look()
	default:
		m.poll()
	}
}
