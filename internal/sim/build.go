package sim

import (
	"cmp"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/coordinated"
	"interregnum/internal/sim/network"
	"interregnum/internal/sim/recorder"
	"interregnum/internal/sim/service"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
)

// mostOutputs is a capacity: hardly any step of the machine has more outputs.
const mostOutputs = 8

// newWorld returns the world of a plan before its first event.
func newWorld(p *plan.Plan, sinks []trace.Sink) *world {
	w := &world{
		seed:    p.Seed,
		byID:    make(map[string]int32, len(p.Candidates)),
		network: network.New(p.Seed),
		leaving: -1,
		out:     make([]machine.Output, 0, mostOutputs),
	}
	w.Horizon = clock.Instant(p.Horizon)
	w.Recorder = recorder.New(&w.Timeline, sinks)
	w.openElections(p)
	w.coordinated.World = coordinated.World{
		Timeline: &w.Timeline, Recorder: &w.Recorder, Network: &w.network, Service: &w.service, Seed: p.Seed,
	}
	w.addNodes(p)
	// Faults are scheduled before starts, so that a fault that begins as a candidate starts is in force for that
	// candidate.
	w.scheduleFaults(p.Faults)
	w.Settle()
	for i := range w.nodes {
		w.scheduleStart(&w.nodes[i], clock.Instant(w.nodes[i].Plan.StartAt))
	}
	return w
}

// openElections makes room for the plan's elections. If the plan names none, there is one without a name.
func (w *world) openElections(p *plan.Plan) {
	if w.elections = p.Elections; len(w.elections) == 0 {
		w.elections = []string{""}
	}
	w.byElection = make(map[string]int32, len(p.Elections))
	for i, name := range p.Elections {
		w.byElection[name] = int32(i)
	}
	w.groups = make([]group, 0, len(p.Candidates)+1)
	w.service = service.New(p.Service, w.elections)
}

// addNodes adds the plan's candidates and, as the last node, its coordinator.
func (w *world) addNodes(p *plan.Plan) {
	n := len(p.Candidates)
	if p.Coordinator != nil {
		n++
	}
	w.nodes = make([]node, n)
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

// addNode makes node i the node of c. The network way says how long its messages take.
func (w *world) addNode(i int32, c *plan.Candidate, way *plan.Network) *node {
	n := &w.nodes[i]
	n.Index, n.Plan, n.Clock, n.Line = i, c, clock.New(c.Clock), network.NewLine(i, way)
	n.Identity = cmp.Or(c.Identity, c.ID)
	w.join(n)
	return n
}

// addCoordinator makes the last node the coordinator's.
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
	n.coordinates = true
	w.coordinated.Coordinate(&n.Seat, leaseOf{w, n})
}

// join puts a node into its election and into its candidate's process. The first node of a candidate makes that
// process.
func (w *world) join(n *node) {
	n.election = w.electionNamed(n.Plan.Election)
	w.service.Round(n.election, n.Plan.Precision)
	if first, known := w.byID[n.Plan.ID]; known {
		n.group = w.nodes[first].group
		n.size++
		return
	}
	w.byID[n.Plan.ID] = n.Index
	w.groups = append(w.groups, group{first: n.Index, size: 1})
	n.group = &w.groups[len(w.groups)-1]
}
