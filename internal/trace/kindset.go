package trace

import (
	"iter"
	"math/bits"
)

// KindSet is a set of kinds of event.
type KindSet uint64

// KindsOf returns the set of these kinds.
func KindsOf(all ...Kind) (s KindSet) {
	for _, k := range all {
		s |= 1 << k
	}
	return s
}

// AllKinds is the set of all kinds.
const AllKinds = KindSet(1<<kinds - 2)

// KindsWanted returns the kinds of event that a sink wants: all of them, unless the sink is a Selective.
func KindsWanted(s Sink) KindSet {
	if selective, ok := s.(Selective); ok {
		return selective.Wants()
	}
	return AllKinds
}

// Has tells whether a kind is in the set.
func (s KindSet) Has(k Kind) bool { return s>>(k&63)&1 != 0 }

// All iterates over the kinds in the set, in their order.
func (s KindSet) All() iter.Seq[Kind] {
	return func(yield func(Kind) bool) {
		for rest := s; rest != 0; rest &= rest - 1 {
			if !yield(Kind(bits.TrailingZeros64(uint64(rest)))) {
				return
			}
		}
	}
}
