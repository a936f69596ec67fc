package sim

import (
	"cmp"

	"interregnum/internal/reuse"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/coordinated"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// reset makes w the world of plan p before its first event. It schedules the plan's faults, and the start of each candidate that
// is not a rollout's to make. The run's events go to sinks. Of the run before w keeps only memory.
func (w *world) reset(p *plan.Plan, sinks []trace.Sink) {
	w.course = course{seed: p.Seed, leaving: -1}
	w.rollouts, w.byElection, w.byID = w.rollouts[:0], reuse.Cleared(w.byElection), reuse.Cleared(w.byID)
	w.Timeline.Reset(clock.Instant(p.Horizon))
	w.Recorder.Reset(&w.Timeline, w.withTurns(p, sinks))
	w.network.Reset(p.Seed)
	w.memory.reset()
	w.messages.Reset()
	w.openElections(p)
	w.coordinated.World = coordinated.World{
		Timeline: &w.Timeline, Recorder: &w.Recorder, Network: &w.network, Service: &w.service, Seed: p.Seed,
	}
	w.addNodes(p)
	w.await(p.Faults)
	// Faults are scheduled before starts, so that a fault that begins as a candidate starts is in force for that
	// candidate.
	w.scheduleFaults(p.Faults)
	w.Settle()
	for i := range w.nodes {
		if n := &w.nodes[i]; n.stage != awaited {
			w.scheduleStart(n, clock.Instant(n.Plan.StartAt))
		}
	}
}

// singleElection is the election of plans that name none.
var singleElection = []string{""}

// openElections sets w.elections, the index of each in w.byElection, and room for w.groups, and empties the service. If the plan
// names no election, there is one without a name.
func (w *world) openElections(p *plan.Plan) {
	if w.elections = p.Elections; len(w.elections) == 0 {
		w.elections = singleElection
	}
	for i, name := range p.Elections {
		w.byElection[name] = int32(i)
	}
	w.groups = reuse.Sized(w.groups, len(p.Candidates)+1)[:0]
	w.service.Reset(p.Service, w.elections)
}

// addNodes adds a node for each candidate of the plan and, if the plan has a coordinator, a last node for it. w.coordinated is
// told of that node and of the candidates in coordinated elections.
func (w *world) addNodes(p *plan.Plan) {
	n := len(p.Candidates)
	if p.Coordinator != nil {
		n++
	}
	w.nodes = reuse.Sized(w.nodes, n)
	for i := range p.Candidates {
		c := &p.Candidates[i]
		w.addNode(int32(i), c, &p.Network)
		if c.Coordinated && p.Coordinator != nil {
			w.coordinated.Join(&w.nodes[i].Seat)
		}
	}
	if p.Coordinator != nil {
		w.addCoordinator(p)
	}
}

// addNode sets up node i for candidate c, puts it into its election and process, and returns it. The network way says how long
// its messages take.
func (w *world) addNode(i int32, c *plan.Candidate, way *plan.Network) *node {
	n := &w.nodes[i]
	n.reset()
	n.Index, n.Plan, n.Clock = i, c, clock.New(c.Clock)
	n.Line.Reset(i, way)
	n.Identity, n.expires = cmp.Or(c.Identity, c.ID), c.Lock.Expires()
	if c.Client != nil {
		n.client = w.memory.used.Next()
		n.client.reset(c.Client, w.seed, i)
	}
	w.join(n)
	return n
}

// addCoordinator sets up the last node for the plan's coordinator. Its messages take as long as Plan.Network says, unless the
// coordinator has delays of its own.
func (w *world) addCoordinator(p *plan.Plan) {
	way := p.Network
	if p.Coordinator.Request != nil {
		way.Request = *p.Coordinator.Request
	}
	if p.Coordinator.Response != nil {
		way.Response = *p.Coordinator.Response
	}
	n := w.addNode(int32(len(w.nodes)-1), &plan.Candidate{
		ID: plan.CoordinatorID, StartAt: p.Coordinator.StartAt, Clock: p.Coordinator.Clock, Lock: plan.Lease,
	}, &way)
	w.coordinated.Coordinate(&n.Seat, leaseOf{w, n})
}

// join puts a node into its election and into its candidate's process, and tells the service the precision in which the candidate
// keeps times. The first node of a candidate makes that process.
func (w *world) join(n *node) {
	n.election = w.electionNamed(n.Plan.Election)
	w.service.Round(n.election, n.Plan.Precision)
	if first, known := w.byID[n.Plan.ID]; known {
		n.group = w.nodes[first].group
		n.size++
		return
	}
	w.byID[n.Plan.ID] = n.Index
	w.groups = w.groups[:len(w.groups)+1]
	n.group = &w.groups[len(w.groups)-1]
	n.group.reset(n.Index)
}
