package fabric8

import "interregnum/elector/machine"

// responded handles an answer: the attempt or the stop goes on, or is over. It ignores an answer that nothing waits for.
func (m *Machine) responded(r *machine.Response) {
	if !m.waiting || r.ID != m.request.ID {
		return
	}
	m.waiting = false
	switch {
	case m.phase == machine.Draining:
		m.looked(r)
	case m.phase == machine.Releasing:
		m.released(r)
	case m.request.Verb == machine.Get:
		m.got(r)
	case r.Outcome == machine.Done:
		m.observe(m.cfg.Identity)
		m.ended(true)
	default:
		m.failed()
	}
}

// got handles the answer to the read of an attempt. If there is no record it sends a Create. If the record is the candidate's
// own, or another's that it may take, it sends an Update. Otherwise, or after an error, the attempt is over. It observes the
// record's holder.
func (m *Machine) got(r *machine.Response) {
	switch r.Outcome {
	case machine.Done:
	case machine.NotFound:
		m.write(machine.Create, &machine.Record{Acquire: m.began})
		return
	default:
		m.failed()
		return
	}
	m.observe(r.Record.Holder)
	own := r.Record.Holder == m.cfg.Identity
	if !own && !m.mayTake(r.Record) {
		m.ended(false)
		return
	}
	next := machine.Record{Acquire: r.Record.Acquire, Transitions: r.Record.Transitions}
	if !own {
		next.Acquire, next.Transitions = m.began, r.Record.Transitions+1
	}
	m.write(machine.Update, &next)
}

// mayTake tells whether another's lock may be taken (LeaderElector.canBecomeLeader). The duration in the record does not
// count.
func (m *Machine) mayTake(r *machine.Record) bool {
	return r.Holder == "" || r.Renew+machine.Wall(m.cfg.LeaseDuration) <= m.now.Wall
}

// write sends the write of an attempt. The record names the candidate, with the attempt's beginning as renewTime, and has the
// acquireTime and the transitions of r.
func (m *Machine) write(verb machine.Verb, r *machine.Record) {
	m.request.Record = machine.Record{
		Holder: m.cfg.Identity, DurationSeconds: int64(m.cfg.LeaseDuration.Seconds()),
		Acquire: r.Acquire, Renew: m.began, Transitions: r.Transitions,
	}
	m.send(verb)
}

// observe stores the record's holder as the one last seen. If that is news, the program is told of it: also that it leads, and
// its work starts, or that it leads no longer, and its work ends (LeaderElector.updateObserved).
func (m *Machine) observe(holder string) {
	if m.known && m.observed == holder {
		return
	}
	before := m.known && m.observed == m.cfg.Identity
	m.observed, m.known = holder, true
	m.emit(machine.NewLeader).Text = holder
	switch {
	case before:
		m.tellStopped()
	case holder == m.cfg.Identity:
		m.working = true
		m.emit(machine.StartWork)
	}
}

// send sends the next request. It has no context: only an answer or the client's timeout ends it.
func (m *Machine) send(verb machine.Verb) {
	m.requests++
	m.request.ID, m.request.Verb, m.request.Scope = m.requests, verb, machine.ScopeNone
	m.waiting = true
	m.emit(machine.Send).Request = &m.request
}

// emit appends an output of that kind and returns it, so that the caller can fill in its other fields.
func (m *Machine) emit(k machine.OutputKind) *machine.Output { return machine.Emit(&m.out, k) }
