package replay

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
)

// fittingDeadline returns a RenewDeadline with which as many terms as possible end when the story says, of those whose holder
// gave up by its own log: usual, if it is as good as any, else one of half seconds, else the one that is nearest to usual.
func (b *builder) fittingDeadline(usual time.Duration) time.Duration {
	var ends [][]limits
	for k := range b.story.Terms {
		ends = append(ends, b.deadlinesBy(k))
	}
	best, most := usual, fits(usual, ends)
	try := func(d time.Duration, nearer bool) {
		if d >= b.lease || d <= time.Duration(machine.JitterFactor*float64(b.period)) {
			return
		}
		if n := fits(d, ends); n > most || nearer && n == most && n > 0 && (d-usual).Abs() < (best-usual).Abs() {
			best, most = d, n
		}
	}
	each := func(do func(limits)) {
		for _, either := range ends {
			for _, x := range either {
				do(x)
			}
		}
	}
	const half = time.Second / 2
	each(func(x limits) { try((x.least + half - 1).Truncate(half), false) })
	round := most
	each(func(x limits) {
		if d := x.least + (x.most-x.least)/2; d < usual { // if it ended later, the holder stood still, perhaps
			try(d, most > round)
		}
	})
	return best
}

// longestDeadline returns a RenewDeadline as long as people write it: nine tenths of the lease, or usual if that is more. With it a
// holder that went on after a long time without an answer need not give up.
func (b *builder) longestDeadline(usual time.Duration) time.Duration { return max(usual, b.lease*9/10) }

// fits returns for how many terms d is in one of the limits.
func fits(d time.Duration, terms [][]limits) (n int) {
	for _, either := range terms {
		for _, x := range either {
			if x.least <= d && d <= x.most {
				n++
				break
			}
		}
	}
	return n
}

// deadlinesBy returns between which times RenewDeadline is, if the holder of the k-th term of the story gave up at it when its
// work ended: if its last renewal was answered, and if it was not. It returns nil if the holder's log does not say that it gave up,
// or if that was for another reason.
func (b *builder) deadlinesBy(k int) []limits {
	t := &b.story.Terms[k]
	low, high, cause := t.Worked.End.Low, t.Worked.End.High, b.cause(t.Last)
	if t.First == t.Last || t.Last < b.first || t.Last >= b.last || low.IsZero() || high.IsZero() || !b.says(t.Last+1, t.Holder, evidence.Lost) ||
		cause == investigate.ShutDown || cause == investigate.Ended {
		return nil
	}
	polled, polls := b.story.Writes[t.Last].Received, b.story.Writes[t.Last].Answered.Add(b.period)
	return []limits{{low.Sub(polls), high.Sub(polls)}, {low.Sub(polled), high.Sub(polled)}}
}
