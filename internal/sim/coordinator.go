package sim

import (
	"math/rand/v2"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/coordinator"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/network"
	"interregnum/internal/sim/stream"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
)

// coordinating is what a coordinator has beside its queue.
type coordinating struct {
	// lease is nil where its cache has none.
	lease *machine.Record
	// awaited are the pings without an answer.
	awaited int
	elected machine.Record
	// collecting is the entry of the next collection of expired LeaseCandidates.
	collecting uint64
	order      *rand.Rand
}

// coordinates tells whether the node is the coordinator, and no candidate.
func (n *node) coordinates() bool { return n.coordinator }

// patience is how long the coordinator waits for answers. Its client has no timeout: it is when client-go gives a
// connection up that nothing comes from.
const patience = 45 * time.Second

// startCoordinator begins a process of the coordinator, which has a lock but no algorithm of a candidate.
func (w *world) startCoordinator(n *node) {
	e := w.event(trace.RunStarted, n)
	e.Holder = n.identity
	w.emit(e)
	n.elector = &elector{process: n.incarnation}
	n.lock = newClient(plan.Lease, &machine.ClientGo, n.identity, "")
}

// listed fills the coordinator's cache of the Lease from the answer to a list, and marks the key if there is anything
// to work on. For a candidate it does nothing.
func (w *world) listed(n *node, p *post) {
	if !n.coordinates() {
		return
	}
	b := n.ballot
	b.lease = nil
	if p.lease.OK() {
		b.lease = &machine.Record{}
		b.lease.Set(&p.lease.Record)
	}
	b.work.dirty = b.lease != nil || len(b.cache) > 0
}

// leaseNews updates the coordinator's cache of the Lease with a watch event, and marks the key.
func (w *world) leaseNews(n *node, t *news) {
	n.ballot.lease = nil
	if t.found {
		n.ballot.lease = &machine.Record{}
		n.ballot.lease.Set(&t.lease)
	}
	w.enqueue(n)
}

// reconcile is one step of the controller, which pings candidates, elects one or does nothing. It sees the candidates
// in an order drawn from the seed, since a real cache lists them in no order.
func (w *world) reconcile(n *node) {
	b := n.ballot
	stream.At(&b.order, w.seed, "lister", n.index).Shuffle(len(b.cache), func(i, j int) { b.cache[i], b.cache[j] = b.cache[j], b.cache[i] })
	all := make([]coordinator.Candidate, len(b.cache))
	for i := range b.cache {
		all[i] = b.cache[i].Candidate
	}
	now := n.clock.Now(w.Now).Wall
	d := coordinator.Step(b.lease, all, now)
	switch d.Verdict {
	case coordinator.Idle:
		w.done(n)
	case coordinator.Again:
		w.again(n)
	case coordinator.Ping:
		b.awaited = len(d.Pings)
		for _, i := range d.Pings {
			c := b.cache[i]
			c.Ping = now
			w.mail(n, post{verb: machine.Update, object: c})
		}
		w.waitAtMost(n, patience)
	case coordinator.Elect:
		b.elected = d.Lease
		w.ask(n, machine.Create, &d.Lease)
	}
}

// ask sends the coordinator's request about the Lease, and has it wait for the answer as long as patience says.
func (w *world) ask(n *node, verb machine.Verb, record *machine.Record) {
	request := machine.Request{Verb: verb}
	request.Record.Set(record)
	w.call(n, n.elector, &n.wait, &request)
	w.leave()
	w.waitAtMost(n, patience)
}

// again ends a step of the controller, and has another one follow after coordinator.Requeue.
func (w *world) again(n *node) {
	w.addAfter(n, coordinator.Requeue)
	w.done(n)
}

// pinged takes in the answer to a ping. After the last one another step follows; the answer to a delete changes nothing.
func (w *world) pinged(n *node, p *post) {
	if p.verb != machine.Update || n.ballot.awaited == 0 {
		return
	}
	n.ballot.awaited--
	if n.ballot.awaited == 0 {
		n.ballot.patience = 0
		w.again(n)
	}
}

// coordinatorGaveUp ends a step of the controller because an answer has not come in time.
func (w *world) coordinatorGaveUp(n *node) {
	if n.ballot.awaited > 0 {
		n.ballot.awaited = 0
		w.again(n)
		return
	}
	w.gaveUp(n, n.elector, &n.wait, timedOut)
	w.done(n)
}

// coordinatorAnswered takes in the answer to a request about the Lease, and goes on with the election: a Lease that
// exists already is read and amended.
func (w *world) coordinatorAnswered(n *node, ref int32) {
	m := w.messages.At(ref)
	verb, status := m.op.Verb, m.result.Status
	n.ballot.patience = 0
	w.answer(&n.wait, ref)
	ok := w.input.Response.Outcome == machine.Done
	switch {
	case verb == machine.Create && status == 409:
		w.ask(n, machine.Get, &machine.Record{})
	case !ok:
		w.done(n) // the source returns no interval beside these errors
	case verb == machine.Get:
		w.amend(n, &m.result.Record)
	default:
		w.again(n)
	}
}

// amend writes the candidate elected into a Lease that exists already. Where that changes nothing the step is over.
func (w *world) amend(n *node, existing *machine.Record) {
	record, changed := coordinator.Amend(existing, &n.ballot.elected, n.clock.Now(w.Now).Wall)
	if !changed {
		w.again(n)
		return
	}
	w.ask(n, machine.Update, &record)
}

// collect deletes LeaseCandidates that have expired, as the collector beside the controller does.
func (w *world) collect(n *node) {
	now := n.clock.Now(w.Now).Wall
	for i := range n.ballot.cache {
		if c := n.ballot.cache[i]; c.Expired(now) {
			w.mail(n, post{verb: machine.Resign, object: c})
		}
	}
	w.scheduleCollect(n)
}

func (w *world) scheduleCollect(n *node) {
	n.ballot.collecting = w.Schedule(w.Now+clock.Instant(coordinator.Collection), collectDue, n.index)
}

// addCoordinator makes the last node the coordinator's.
func (w *world) addCoordinator(p *plan.Coordinator, way plan.Network) {
	if p.Request != nil {
		way.Request = *p.Request
	}
	if p.Response != nil {
		way.Response = *p.Response
	}
	n := &w.nodes[len(w.nodes)-1]
	w.coordinator, n.coordinator = n, true
	n.index, n.clock, n.identity = int32(len(w.nodes)-1), clock.New(p.Clock), plan.CoordinatorID
	n.plan = &plan.Candidate{ID: plan.CoordinatorID, StartAt: p.StartAt, Clock: p.Clock, Lock: plan.Lease}
	n.line = network.NewLine(n.index, &way)
	n.ballot = &ballot{}
	w.join(n)
}
