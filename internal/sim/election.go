package sim

import (
	"slices"

	"interregnum/internal/sim/clock"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// openElections makes room for the plan's elections: one without a name where it names none.
func (w *world) openElections(p *plan.Plan) {
	if w.elections = p.Elections; len(w.elections) == 0 {
		w.elections = []string{""}
	}
	w.byElection = make(map[string]int32, len(p.Elections))
	for i, name := range p.Elections {
		w.byElection[name] = int32(i)
	}
	w.groups = make([]group, 0, len(p.Candidates)+1)
	w.keys = make([]key, len(w.elections))
	w.rows = make([]simlock.RowStore, len(w.elections))
	for i := range w.keys {
		w.keys[i].queued, w.keys[i].election = clock.Never, int32(i)
	}
}

// join puts a node into its election and into its candidate's process, which is made for the first node of a candidate.
func (w *world) join(n *node) {
	n.election = w.electionNamed(n.plan.Election)
	row := &w.rows[n.election]
	row.Precision = max(row.Precision, n.plan.Precision)
	if first, known := w.byID[n.plan.ID]; known {
		n.group = w.nodes[first].group
		n.size++
		return
	}
	w.byID[n.plan.ID] = n.index
	w.groups = append(w.groups, group{first: n.index, size: 1})
	n.group = &w.groups[len(w.groups)-1]
}

// electionNamed is the index of an election, 0 for "".
func (w *world) electionNamed(name string) int32 {
	return w.byElection[name]
}

// keyOf returns the name, in the store, of an election's object of that kind.
func (w *world) keyOf(o simlock.Object, election int32) string {
	return keyOf(o, w.elections[election])
}

// narrow fits the nodes that a fault is on to the fault's election, if it names one. A fault on processes is then on
// all nodes of each process found; any other is on the nodes of that election alone.
func (w *world) narrow(f *activeFault) {
	switch {
	case f.everybody || f.Election == "":
	case f.Kind.OfProcess():
		var all []int32
		for _, i := range f.nodes {
			for j := range w.nodes[i].size {
				all = append(all, w.nodes[i].first+j)
			}
		}
		slices.Sort(all)
		f.nodes = slices.Compact(all)
	default:
		election := w.electionNamed(f.Election)
		if len(f.On) == 0 {
			f.nodes = make([]int32, len(w.nodes))
			for i := range f.nodes {
				f.nodes[i] = int32(i)
			}
		}
		f.nodes = slices.DeleteFunc(f.nodes, func(i int32) bool { return w.nodes[i].election != election })
	}
}

// eachProcess calls do for each process that a fault is on, and tells whether do was true for any.
func (w *world) eachProcess(f *activeFault, do func(*group) bool) (found bool) {
	w.each(f, func(n *node) {
		if n.index == n.first {
			found = do(n.group) || found
		}
	})
	return found
}
