package world

import (
	"slices"

	"interregnum/internal/sim/network"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/scenarios"
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
	if on.Nobody() {
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
	if !w.targets[i].Nobody() {
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

// scope returns the seats that a fault is on, as of now. The caller holds w.mu.
func (w *world) scope(f *scenarios.Fault) network.Scope {
	on := network.Scope{All: f.Everybody()}
	for _, n := range w.nodes {
		on.Add(f, n.plan.ID, int32(n.seats[0].index), int32(len(n.seats)), func(i int32) (election, role string) {
			return w.seats[i].plan.Election, w.seats[i].role()
		})
	}
	return on
}

// role returns the role of the seat at this moment: one in a Run leads if the record of some object of its lock names it, and
// otherwise follows. It is "" for a seat in no Run. The caller holds w.mu.
func (s *seat) role() string {
	switch {
	case !s.node.runs() || !s.part.runs:
		return ""
	case slices.Contains(s.node.world.holders[s.election][:], s.node.process.identity):
		return plan.RoleLeader
	}
	return plan.RoleFollower
}

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
