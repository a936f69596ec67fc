package sim

import (
	"slices"

	"interregnum/internal/sim/network"
	"interregnum/internal/sim/seat"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// resolve stores in f the nodes that the fault is on, as of now, when it begins, and whether it is on the service.
func (w *world) resolve(f *activeFault) {
	_, candidate := w.byID[plan.ServiceName]
	f.All, f.service = f.Everybody(), !candidate && slices.Contains(f.On, plan.ServiceName)
	for i := range w.groups {
		g := &w.groups[i]
		f.Add(f.Fault, g.first, g.size, func(i int32) network.Who { return w.who(f, &w.nodes[i]) })
	}
}

// who returns what fault f asks about a node. A candidate in a Run leads if the record of some lock object of its election names it.
func (w *world) who(f *activeFault, n *node) network.Who {
	who := network.Who{ID: n.Plan.ID, Election: w.elections[n.election]}
	if n.Life != seat.Running || !f.NamesRole() {
		return who
	}
	who.Role = plan.RoleFollower
	for o := range simlock.Object(simlock.Objects) {
		if w.service.Holder(o, n.election) == n.Identity {
			who.Role = plan.RoleLeader
		}
	}
	return who
}

// each calls do for each node that a fault is on.
func (w *world) each(f *activeFault, do func(*node)) {
	if !f.All {
		for _, i := range f.Nodes {
			do(&w.nodes[i])
		}
		return
	}
	for i := range w.nodes {
		do(&w.nodes[i])
	}
}

// eachProcess calls do for each process that a fault is on, and tells whether do returned true for one or more of them.
func (w *world) eachProcess(f *activeFault, do func(*group) bool) (found bool) {
	w.each(f, func(n *node) {
		if n.Index == n.first {
			found = do(n.group) || found
		}
	})
	return found
}
