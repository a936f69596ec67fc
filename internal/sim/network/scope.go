package network

import (
	"slices"

	"interregnum/plan"
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

// Add adds to the scope those of a process's seats that the fault f is on now: those of the candidate id if f names it, those in a role
// that f names, and all if f names nobody. Seats of other elections than the fault's are left out, unless faults of its kind are on
// whole processes and it names the candidate. Such a fault is on all of a process's seats or on none. first is the index of the first
// seat and size their number; the function seat says which election a seat is of and, for one in a Run, its role now. Calls must come
// in the order of the seats. Add adds nothing to a scope of all.
func (s *Scope) Add(f *plan.Fault, id string, first, size int32, seat func(index int32) (election, role string)) {
	if s.All {
		return
	}
	named, from := slices.Contains(f.On, id), len(s.Nodes)
	for i := first; i < first+size; i++ {
		election, role := seat(i)
		ours := f.Election == "" || election == f.Election
		if named && (ours || f.Kind.OfProcess()) || ours && (len(f.On) == 0 || role != "" && slices.Contains(f.On, role)) {
			s.Nodes = append(s.Nodes, i)
		}
	}
	if added := len(s.Nodes) - from; 0 < added && added < int(size) && f.Kind.OfProcess() {
		s.Nodes = s.Nodes[:from]
		for i := range size {
			s.Nodes = append(s.Nodes, first+i)
		}
	}
}

// Nobody tells whether the scope has no node at all.
func (s *Scope) Nobody() bool { return !s.All && len(s.Nodes) == 0 }
