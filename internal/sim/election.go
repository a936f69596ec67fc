package sim

import (
	"slices"

	"interregnum/internal/sim/service"
	"interregnum/scenarios/plan"
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
	w.service = service.New(p.Service, w.elections)
}

// join puts a node into its election and into its candidate's process, which is made for the first node of a candidate.
func (w *world) join(n *node) {
	n.election = w.electionNamed(n.plan.Election)
	w.service.Round(n.election, n.plan.Precision)
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

// narrow fits the nodes that a fault is on to the fault's election, if it names one. A fault on processes is then on
// all nodes of each process found; any other is on the nodes of that election alone.
func (w *world) narrow(f *activeFault) {
	switch {
	case f.All || f.Election == "":
	case f.Kind.OfProcess():
		var all []int32
		for _, i := range f.Nodes {
			for j := range w.nodes[i].size {
				all = append(all, w.nodes[i].first+j)
			}
		}
		slices.Sort(all)
		f.Nodes = slices.Compact(all)
	default:
		election := w.electionNamed(f.Election)
		if len(f.On) == 0 {
			f.Nodes = make([]int32, len(w.nodes))
			for i := range f.Nodes {
				f.Nodes[i] = int32(i)
			}
		}
		f.Nodes = slices.DeleteFunc(f.Nodes, func(i int32) bool { return w.nodes[i].election != election })
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
