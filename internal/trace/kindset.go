package trace

// KindSet is a set of kinds of event.
type KindSet uint64

// KindsOf returns the set of these kinds.
func KindsOf(all ...Kind) (s KindSet) {
	for _, k := range all {
		s |= 1 << k
	}
	return s
}

// KindsThat returns the set of all kinds for which the function returns true.
func KindsThat(is func(Kind) bool) (s KindSet) {
	for k := range kinds {
		if is(k) {
			s |= 1 << k
		}
	}
	return s
}

// Has tells whether a kind is in the set.
func (s KindSet) Has(k Kind) bool { return s>>(k&63)&1 != 0 }
