package sim

import (
	"slices"

	"interregnum/internal/sim/seat"
	"interregnum/plan"
	"interregnum/simlock"
)

// resolve stores in f the nodes that the fault is on, as of now, when it begins, and whether it is on the service.
func (w *world) resolve(f *activeFault) {
	if f.All = f.Everybody(); f.All {
		return
	}
	if f.service = slices.Contains(f.On, plan.ServiceName); f.service {
		_, candidate := w.byID[plan.ServiceName]
		f.service = !candidate
	}
	var room [simlock.Objects]string
	holders := room[:0]
	if f.NamesRole() {
		named := w.electionNamed(f.Election)
		for o := range simlock.Object(simlock.Objects) {
			if name := w.service.Holder(o, named); name != "" {
				holders = append(holders, name)
			}
		}
	}
	for i := range w.groups {
		g := &w.groups[i]
		f.Add(f.Fault, w.nodes[g.first].Plan.ID, g.first, g.size, func(index int32) (election, role string) {
			n := &w.nodes[index]
			return w.elections[n.election], n.role(holders)
		})
	}
}

// role returns the role of a node at this moment, given the holders that the lock objects of its election name: a candidate in a Run
// leads if it is one of them, and otherwise follows. It is "" for a node in no Run.
func (n *node) role(holders []string) string {
	switch {
	case n.Life != seat.Running:
		return ""
	case slices.Contains(holders, n.Identity):
		return plan.RoleLeader
	}
	return plan.RoleFollower
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
