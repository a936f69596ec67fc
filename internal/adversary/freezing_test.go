package adversary

import (
	"cmp"
	"slices"
	"time"

	"interregnum/plan"
)

// frozen returns for how long these faults freeze the candidate with the ID on between two instants, which are given as from and
// to, in true time. Freezes that overlap count once. A round trip does not include that time.
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

// freezes has a candidate's freezes so far, and the instants at which its writes with its own name were answered, in true time.
type freezes struct {
	all  []span
	wins []time.Duration
}

// span is a stretch of true time.
type span struct{ from, to time.Duration }

// spent returns how much of MaxPause the freezes so far have used up. MaxPause holds for any stretch of time from the beginning
// of one attempt that wins or renews the lease to the beginning of the second next such attempt. So freezes count that end after
// the third last answer.
func (f *freezes) spent() (sum time.Duration) {
	since := time.Duration(-1)
	if n := len(f.wins); n >= 3 {
		since = f.wins[n-3]
	}
	for _, s := range f.all {
		if s.to > since {
			sum += s.to - s.from
		}
	}
	return sum
}
