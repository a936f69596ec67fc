package adversary

import (
	"cmp"
	"slices"
	"time"

	"interregnum/scenarios/plan"
)

// frozen is how long a candidate is frozen between two instants, by these faults: a round trip does not count that.
func frozen(faults []plan.Fault, on string, from, to time.Duration) (sum time.Duration) {
	var freezes []*plan.Fault
	for k := range faults {
		if f := &faults[k]; f.Kind == plan.FaultPause && slices.Contains(f.On, on) {
			freezes = append(freezes, f)
		}
	}
	slices.SortFunc(freezes, func(a, b *plan.Fault) int { return cmp.Compare(a.At, b.At) })
	for _, f := range freezes {
		from = max(from, f.At)
		until := to
		if f.Until != nil {
			until = min(to, *f.Until)
		}
		if until > from {
			sum += until - from
			from = until
		}
	}
	return sum
}
