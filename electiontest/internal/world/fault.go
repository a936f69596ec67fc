package world

import (
	"slices"

	"interregnum/internal/sim/network"
	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// begin begins fault i: it stores in w.targets which seats the fault is on, does what the fault does at once, and adds its
// events to the trace. If the fault finds nobody, or nothing to do, one of these events says that it is void. A fault without a
// window that did something sets w.met.
func (w *world) begin(i int) {
	f := &w.scenario.Faults[i]
	w.mu.Lock()
	on := w.scope(f)
	w.targets[i] = on
	w.mu.Unlock()
	if nobody(on) {
		w.noteFault(trace.FaultVoid, i)
		return
	}
	w.noteFault(trace.FaultBegan, i, on.Nodes...)
	switch {
	case !w.carryOut(i, f, on):
		w.noteFault(trace.FaultVoid, i)
	case !f.Kind.Window():
		w.mu.Lock()
		w.met = true
		w.mu.Unlock()
	}
}

// end adds to the trace that fault i is over, unless it was void.
func (w *world) end(i int) {
	if !nobody(w.targets[i]) {
		w.noteFault(trace.FaultEnded, i)
	}
}

// carryOut does what fault i does at the instant of its beginning, to the seats in on. It returns true if it found anything to
// do. A fault with a window has nothing to do at that instant, and a restart always has something: for both it returns true.
func (w *world) carryOut(i int, f *scenarios.Fault, on network.Scope) (found bool) {
	switch f.Kind {
	case plan.FaultCrash:
		for _, n := range w.nodesIn(on) {
			found = n.crash() || found
		}
	case plan.FaultCancel:
		for _, n := range w.nodesIn(on) {
			found = n.shutDown() || found
		}
	case plan.FaultRestart:
		for _, n := range w.nodesIn(on) {
			n.restart(f.Identity)
		}
		return true
	case plan.FaultDelete:
		return w.deleteLocks(i)
	case plan.FaultEdit:
		return w.editLease(i)
	default:
		return true
	}
	return found
}

// scope returns the seats that a fault is on, as of now. If faults of its kind hit whole processes, these are all seats of each
// process that it hits. The caller holds w.mu.
func (w *world) scope(f *scenarios.Fault) network.Scope {
	if f.Everybody() {
		return network.Scope{All: true}
	}
	var on []int32
	for _, n := range w.nodes {
		if f.Kind.OfProcess() && slices.ContainsFunc(n.seats, func(s *seat) bool { return w.finds(f, s) }) {
			on = append(on, indices(n.seats)...)
			continue
		}
		on = append(on, indices(slices.DeleteFunc(slices.Clone(n.seats), func(s *seat) bool { return !w.finds(f, s) }))...)
	}
	return network.Scope{Nodes: on}
}

// finds tells whether a fault is on a seat at this moment: the fault names the candidate, or its present role of leader or
// follower, or nobody at all. A fault that names another election is not on the seat, unless it hits whole processes and names
// the candidate. The caller holds w.mu.
func (w *world) finds(f *scenarios.Fault, s *seat) bool {
	ours := f.Election == "" || s.plan.Election == f.Election
	runs := ours && s.node.runs() && s.part.runs
	role := plan.RoleFollower
	if runs && slices.Contains(w.holders[s.election][:], s.node.process.identity) {
		role = plan.RoleLeader
	}
	return ours && len(f.On) == 0 || (ours || f.Kind.OfProcess()) && slices.Contains(f.On, s.plan.ID) || runs && slices.Contains(f.On, role)
}

// indices returns the indices of the seats among the scenario's candidates.
func indices(seats []*seat) (all []int32) {
	for _, s := range seats {
		all = append(all, int32(s.index))
	}
	return all
}

// nobody tells whether a scope has no seat at all.
func nobody(on network.Scope) bool { return !on.All && len(on.Nodes) == 0 }

// nodesIn returns the candidates with at least one seat in the scope.
func (w *world) nodesIn(on network.Scope) (nodes []*node) {
	for _, n := range w.nodes {
		if slices.ContainsFunc(n.seats, func(s *seat) bool { return on.Has(int32(s.index)) }) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// noteFault adds an event about fault i to the trace. on are the indices of the seats that it is on, none if it is on everybody.
func (w *world) noteFault(kind trace.Kind, i int, on ...int32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(trace.Event{Kind: kind, Candidate: trace.Nobody, Fault: int32(i), On: on})
}
