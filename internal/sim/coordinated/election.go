package coordinated

import (
	"interregnum/elector/machine"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
)

// Election is the coordinated election of a run.
type Election struct {
	World
	// controller is nil if there is no coordinator.
	controller *controller
}

// Join makes a seat a member.
func (e *Election) Join(s *seat.Seat) {
	for int(s.Index) >= len(e.members) {
		e.members = append(e.members, nil)
	}
	m := &member{Seat: s, World: &e.World}
	m.worker = nominee{m}
	e.members[s.Index] = m
}

// Coordinate makes a seat the coordinator.
func (e *Election) Coordinate(s *seat.Seat, lock Lock) {
	e.Join(s)
	e.coordinator = e.members[s.Index]
	e.controller = &controller{member: e.coordinator, lock: lock}
	e.coordinator.worker = e.controller
}

// memberAt returns the member of the seat with that index, nil if that seat is in no coordinated election.
func (e *Election) memberAt(seat int32) *member {
	if int(seat) >= len(e.members) {
		return nil
	}
	return e.members[seat]
}

// Start begins what a new process runs beside its elector: it asks for the list that fills its caches. It does nothing
// for a seat that is no member, or if it was called for this process before.
func (e *Election) Start(seat int32) {
	m := e.memberAt(seat)
	if m == nil || m.process == m.Incarnation {
		return
	}
	*m = member{Seat: m.Seat, World: m.World, worker: nominee{m}, process: m.Incarnation, since: m.Now, sent: m.sent}
	if m == e.coordinator {
		*e.controller = controller{member: m, lock: e.controller.lock}
		m.worker = e.controller
		e.controller.scheduleCollect()
	}
	m.mail(post{verb: machine.Get})
}

// ClockChanged reschedules what a seat has scheduled by its clock, after the clock's rate has changed.
func (e *Election) ClockChanged(seat int32) {
	if m := e.memberAt(seat); m != nil && m.key.wake != 0 {
		m.rearm()
	}
}

// Answered takes in the answer to the coordinator's last request about the Lease.
func (e *Election) Answered(verb machine.Verb, status int, ok bool, found *machine.Record) {
	e.controller.leaseAnswered(verb, status, ok, found)
}

// For returns the seat whose process handles an entry. It is false if the service or the connection handles it, which
// go on while a process is frozen.
func (e *Election) For(d *queue.Entry) (seat int32, processes bool) {
	switch d.Kind {
	case postDue, watchRetried:
		return 0, false
	case postAnswered:
		return e.posts.At(d.Ref).from.Index, true
	case newsDue:
		return e.news.At(d.Ref).to.Index, true
	}
	return d.Ref, true
}

// Do carries out an entry, unless the process that it was made for has ended or a newer entry has taken its place.
func (e *Election) Do(d *queue.Entry) {
	switch d.Kind {
	case postDue:
		e.deliver(d.Ref)
	case postAnswered:
		p := e.posts.Take(d.Ref)
		if m := p.from; m.current() && p.incarnation == m.Incarnation {
			m.posted(&p)
		}
	case newsDue:
		t := e.news.Take(d.Ref)
		if m := t.to; m.Alive() && t.incarnation == m.Incarnation {
			m.learn(&t)
		}
	case watchRetried:
		e.members[d.Ref].retryWatch()
	default:
		if m := e.members[d.Ref]; m.current() {
			e.carryOut(m, d)
		}
	}
}

// carryOut carries out an entry of a member whose process still exists.
func (e *Election) carryOut(m *member, d *queue.Entry) {
	switch {
	case d.Kind == relistDue && !m.watching:
		m.mail(post{verb: machine.Get})
	case d.Kind == openDue && m.opening == d.Seq:
		m.open = true
		m.workOn()
	case d.Kind == wakeDue && m.key.wake == d.Seq:
		m.key.wake = 0
		m.enqueue()
	case d.Kind == resyncDue && m.resyncing == d.Seq:
		m.resync()
	case d.Kind == patienceEnds && m.patience == d.Seq:
		m.patience = 0
		m.sent++ // an answer that still comes is late
		m.gaveUp()
	case d.Kind == collectDue && e.controller.collecting == d.Seq:
		e.controller.collect()
	}
}
