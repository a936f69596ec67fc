package replay

import (
	"slices"
	"time"

	"interregnum/internal/investigate"
	"interregnum/scenarios"
)

// limits has between which times, since the start, the work of a term ended: 0 where the story does not say.
type limits struct{ least, most time.Duration }

// limitsOf returns the limits of the end of the term whose last write is the i-th. They are what the story says. If it says
// that the work certainly overlapped that of another, the work ended after the other's had begun. Where the story has neither,
// it ended when, by its own log, its holder gave up late.
func (b *builder) limitsOf(i int) (x limits) {
	k := slices.IndexFunc(b.story.Terms, func(t investigate.Term) bool { return t.Last == i })
	if k < 0 {
		return x
	}
	since := func(at time.Time) time.Duration {
		if at.IsZero() {
			return 0
		}
		return max(at.Sub(b.start), 1)
	}
	w := &b.story.Terms[k].Worked
	x = limits{since(w.End.Low), since(w.End.High)}
	for _, p := range b.story.Pairs {
		if p.Worked.Verdict == investigate.Certain && p.Old == k {
			x.least = max(x.least, since(b.story.Terms[p.New].Worked.Start.High)+MaxError)
		}
	}
	if x.most > 0 {
		x.least = min(x.least, x.most)
	}
	if x.most == 0 && x.least <= b.time(i) {
		x.least = b.gaveUpLate(i)
	}
	return x
}

// endOf returns when the work of the term whose last write is the i-th is to end: at own, where it ends by itself, if that is
// within its limits. Otherwise it returns a time within them that is near own, by up to MaxError inside, but none before the
// answer to the last write has come.
func (b *builder) endOf(i int, own time.Duration) time.Duration {
	x := b.limitsOf(i)
	inside := MaxError
	if x.most > 0 {
		inside = min(inside, (x.most-max(x.least, b.applied+2*b.delay))/2)
	}
	switch {
	case own < x.least:
		return x.least + inside
	case x.most > 0 && own > x.most:
		return max(x.most-inside, b.applied+2*b.delay)
	}
	return own
}

// endings returns for each term of the story when its holder's work ends in the run, since the start: 0 if that is after the
// horizon, or if the term is not replayed. If it does not work at all in the run, that is when it first writes.
func (b *builder) endings(r *scenarios.Result) []time.Duration {
	all, writes := make([]time.Duration, len(b.story.Terms)), b.writes(r)
	for k, work := range b.workOf(r) {
		t := &b.story.Terms[k]
		switch n := len(work); {
		case n > 0 && work[n-1].until != never:
			all[k] = work[n-1].until
		case n == 0 && t.Last >= b.first && t.First <= b.last && len(writes) == b.last-b.first+1:
			all[k] = time.Duration(writes[max(t.First, b.first)-b.first].AtNs)
		}
	}
	return all
}

// holderOf returns the name in the record of the candidate with that id.
func (b *builder) holderOf(id string) string {
	k := slices.IndexFunc(b.scenario.Candidates, func(c scenarios.Candidate) bool { return c.ID == id })
	return b.scenario.Candidates[k].Identity
}

// strayingEnds returns, for each term, how far the end of its work is outside of its limits, by the result of endings: above 0
// if it comes too late, and below 0 if too early.
func (b *builder) strayingEnds(endings []time.Duration) []time.Duration {
	all := make([]time.Duration, len(endings))
	for k, at := range endings {
		i := b.story.Terms[k].Last
		if i < b.first || i > b.last {
			continue
		}
		x := b.limitsOf(i)
		switch {
		case x.most > 0 && at == 0 && b.scenario.Horizon > x.most:
			all[k] = b.scenario.Horizon - x.most
		case x.most > 0 && at > x.most:
			all[k] = at - x.most
		case at > 0 && at < x.least:
			all[k] = at - x.least
		}
	}
	return all
}

// endAlike tells whether the work of each term ends, by the results of endings, at most MaxError earlier or later than of has
// it, and no farther outside of its limits than straying says.
func (b *builder) endAlike(endings, of, straying []time.Duration) bool {
	for k, by := range b.strayingEnds(endings) {
		if (endings[k] == 0) != (of[k] == 0) || (endings[k]-of[k]).Abs() > MaxError || by.Abs() > straying[k].Abs() {
			return false
		}
	}
	return true
}
