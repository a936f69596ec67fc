package network

import (
	"slices"

	"interregnum/scenarios/plan"
)

// Scope says which nodes a fault is on.
type Scope struct {
	All bool
	// Nodes are in ascending order. They do not count if All is true.
	Nodes []int32
}

// Has tells whether a node is in the scope.
func (s *Scope) Has(node int32) bool {
	if s.All {
		return true
	}
	_, found := slices.BinarySearch(s.Nodes, node)
	return found
}

// Who is what a fault asks about a seat: its candidate's ID, its election and, for one in a Run, its role at this moment.
type Who struct{ ID, Election, Role string }

// Add adds to the scope those of a process's seats that the fault f is on now. If faults of its kind are on whole processes, that
// is all of them or none. first is the index of the first seat, size is their number, and who says what a seat is. Add adds nothing
// to a scope of all. Calls must come in the order of the seats.
func (s *Scope) Add(f *plan.Fault, first, size int32, who func(index int32) Who) {
	if s.All {
		return
	}
	from := len(s.Nodes)
	for i := first; i < first+size; i++ {
		if w := who(i); w.meant(f) {
			s.Nodes = append(s.Nodes, i)
		}
	}
	if len(s.Nodes) > from && f.Kind.OfProcess() {
		s.Nodes = s.Nodes[:from]
		for i := range size {
			s.Nodes = append(s.Nodes, first+i)
		}
	}
}

// meant tells whether the fault f names the seat's candidate or present role, or nobody at all. A fault that names another election
// does not mean the seat, unless faults of its kind are on whole processes and it names the candidate.
func (w *Who) meant(f *plan.Fault) bool {
	ours := f.Election == "" || w.Election == f.Election
	return ours && (len(f.On) == 0 || w.Role != "" && slices.Contains(f.On, w.Role)) || (ours || f.Kind.OfProcess()) && slices.Contains(f.On, w.ID)
}

// Nobody tells whether the scope has no node at all.
func (s *Scope) Nobody() bool { return !s.All && len(s.Nodes) == 0 }
