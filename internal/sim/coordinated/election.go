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

// Join adds the process of a seat to the members of the coordinated election.
func (e *Election) Join(s *seat.Seat) {
	for int(s.Index) >= len(e.members) {
		e.members = append(e.members, nil)
	}
	m := &member{Seat: s, World: &e.World}
	m.worker = nominee{m}
	e.members[s.Index] = m
}

// Coordinate makes the process of a seat the coordinator, which sends requests about the Lease through the interface requests.
func (e *Election) Coordinate(s *seat.Seat, requests Requests) {
	e.Join(s)
	e.coordinator = e.members[s.Index]
	e.controller = &controller{member: e.coordinator, requests: requests}
	e.coordinator.worker = e.controller
}

// memberAt returns the member of the seat with that index, nil if that seat is in no coordinated election.
func (e *Election) memberAt(seat int32) *member {
	if int(seat) >= len(e.members) {
		return nil
	}
	return e.members[seat]
}

// Start begins what a new process at the seat with that index runs beside its elector: it asks for the list that fills
// its caches. For the coordinator it also sets seat.Serving and schedules the first collection. It does nothing for a seat in no
// coordinated election, or if it was called for this process before.
func (e *Election) Start(index int32) {
	m := e.memberAt(index)
	if m == nil || m.process == m.Incarnation {
		return
	}
	*m = member{Seat: m.Seat, World: m.World, worker: nominee{m}, process: m.Incarnation, since: m.Now, sent: m.sent}
	if m == e.coordinator {
		*e.controller = controller{member: m, requests: e.controller.requests}
		m.worker, m.Life = e.controller, seat.Serving
		e.controller.scheduleCollect()
	}
	m.mail(post{verb: machine.Get})
}

// ClockChanged reschedules the next work of the seat with that index, and the end of its wait for an answer, after the rate of
// the seat's clock has changed. It does nothing for a seat in no coordinated election.
func (e *Election) ClockChanged(seat int32) {
	m := e.memberAt(seat)
	if m == nil {
		return
	}
	if m.key.wake != 0 {
		m.rearm()
	}
	if m.patience != 0 {
		m.rearmPatience()
	}
}

// Answered hands the coordinator the answer to its last request about the Lease, which had that verb. status is the HTTP status;
// ok is true if the request succeeded; found is the record in the answer. There must be a coordinator.
func (e *Election) Answered(verb machine.Verb, status int, ok bool, found *machine.Record) {
	e.controller.leaseAnswered(verb, status, ok, found)
}

// For returns the index of the seat whose process handles the queue entry d, and true. It returns false if no process handles
// d, but the service or the connection: these go on while a process is frozen.
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

// Do does what the queue entry d, which is due, is for: a request arrives at the service, an answer or a watch event reaches its
// member, a cut watch tries to connect again, or the member carries d out (carryOut). It ignores an entry that a newer one has
// replaced, and what was meant for a process that has ended. A request that such a process has sent still arrives.
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

// carryOut does what the queue entry d of member m is for: it asks for the list again, opens the worker, marks the key, does a
// resync, gives up the wait for an answer, or collects expired LeaseCandidates. It ignores an entry that a newer one has
// replaced. The process of m must still exist.
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
