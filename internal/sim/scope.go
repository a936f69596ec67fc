package sim

import (
	"slices"

	"interregnum/internal/reuse"
	"interregnum/internal/sim/seat"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// resolve stores in f the nodes that the fault is on, as of now, when it begins, and whether it is on the service.
func (w *world) resolve(f *activeFault) {
	if len(f.On) == 0 {
		f.All = f.Everybody()
		w.narrow(f)
		return
	}
	for _, name := range f.On {
		switch name {
		case plan.RoleLeader:
			w.addRunning(f, true)
		case plan.RoleFollower:
			w.addRunning(f, false)
		default:
			if i, known := w.byID[name]; known {
				for j := range w.members(w.nodes[i].group) {
					f.Nodes = append(f.Nodes, i+int32(j))
				}
			} else {
				f.service = true
			}
		}
	}
	slices.Sort(f.Nodes)
	f.Nodes = slices.Compact(f.Nodes)
	w.narrow(f)
}

// addRunning adds candidates of f's election to f that are in a Run: with leader true those that the record of some lock
// object names as holder, with leader false those that no record names.
func (w *world) addRunning(f *activeFault, leader bool) {
	election := w.electionNamed(f.Election)
	var holders [simlock.Objects]string
	for o := range holders {
		holders[o] = w.service.Holder(simlock.Object(o), election)
	}
	for i := range w.nodes {
		n := &w.nodes[i]
		if n.Life == seat.Running && n.election == election && slices.Contains(holders[:], n.Identity) == leader {
			f.Nodes = append(f.Nodes, n.Index)
		}
	}
}

// narrow restricts a fault to its election. It does nothing if the fault names no election, or is on everybody. A fault on
// processes is then on all nodes of each process that was found. Any other fault is on the nodes of that election alone.
func (w *world) narrow(f *activeFault) {
	switch {
	case f.All || f.Election == "":
	case f.Kind.OfProcess():
		for _, i := range f.Nodes {
			for j := range w.nodes[i].size {
				f.Nodes = append(f.Nodes, w.nodes[i].first+j)
			}
		}
		slices.Sort(f.Nodes)
		f.Nodes = slices.Compact(f.Nodes)
	default:
		election := w.electionNamed(f.Election)
		if len(f.On) == 0 {
			f.Nodes = reuse.Sized(f.Nodes, len(w.nodes))
			for i := range f.Nodes {
				f.Nodes[i] = int32(i)
			}
		}
		f.Nodes = slices.DeleteFunc(f.Nodes, func(i int32) bool { return w.nodes[i].election != election })
	}
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
