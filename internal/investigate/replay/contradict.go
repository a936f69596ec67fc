package replay

import (
	"fmt"
	"math"
	"time"

	"interregnum/internal/investigate"
	"interregnum/scenarios"
)

// working is a time in which a holder works in the run, since the start. until is never if the work goes on at the horizon.
type working struct{ from, until time.Duration }

const never = time.Duration(math.MaxInt64)

// workOf returns, for each term of the story, when its holder works in the run, in order: more than once if it begins again.
// It is nil for a term that is not replayed, and for all terms if the run does not have the writes of the log.
func (b *builder) workOf(r *scenarios.Result) [][]working {
	all, writes := make([][]working, len(b.story.Terms)), b.writes(r)
	for k := range all {
		t := &b.story.Terms[k]
		if t.Last < b.first || t.First > b.last || len(writes) != b.last-b.first+1 {
			continue
		}
		from, until := writes[max(t.First, b.first)-b.first].AtNs, int64(never)
		if t.Last < b.last {
			until = writes[t.Last+1-b.first].AtNs
		}
		for i := range r.Terms {
			x := &r.Terms[i]
			if b.holderOf(x.Candidate) != t.Holder || x.StartedNs < from || x.StartedNs > until {
				continue
			}
			w := working{time.Duration(x.StartedNs), never}
			for _, ended := range []*int64{x.EndedNs, x.CancelledNs} {
				if ended != nil {
					w.until = time.Duration(*ended)
				}
			}
			all[k] = append(all[k], w)
		}
	}
	return all
}

// denied returns, in words, which overlaps the run does not have, of those that are certain by the story and of which both terms are
// replayed.
func (b *builder) denied(r *scenarios.Result) (all []string) {
	work := b.workOf(r)
	for i := range b.story.Pairs {
		p := &b.story.Pairs[i]
		old, next := &b.story.Terms[p.Old], &b.story.Terms[p.New]
		if p.Worked.Verdict == investigate.Certain && old.Last >= b.first && next.First <= b.last && !atOnce(work[p.Old], work[p.New]) {
			all = append(all, fmt.Sprintf("that %s and %s worked at once", old.Holder, next.Holder))
		}
	}
	return all
}

// atOnce tells whether one of the times in a overlaps one of those in b.
func atOnce(a, b []working) bool {
	for _, x := range a {
		for _, y := range b {
			if max(x.from, y.from) < min(x.until, y.until) {
				return true
			}
		}
	}
	return false
}

// differences returns, as sentences, in what the run contradicts the story, except for overlaps (see denied).
func (b *builder) differences(r *scenarios.Result) (all []string) {
	work := b.workOf(r)
	straying := b.strayingEnds(b.endings(r))
	for k := range b.story.Terms {
		holder := b.story.Terms[k].Holder
		all = append(all, b.interruptions(k, work[k])...)
		switch by := straying[k]; {
		case by > 0:
			all = append(all, fmt.Sprintf("%s works for %v longer in it than the logs say is possible", holder, by))
		case by < 0:
			all = append(all, fmt.Sprintf("%s certainly worked for %v longer, by the logs, than it does in it", holder, -by))
		}
		if b.told[b.story.Terms[k].Last] {
			all = append(all, fmt.Sprintf("%s gave up at its deadline, by its own log, and is told to stop in it", holder))
		}
	}
	return all
}

// interruptions returns, in words, where the holder of the k-th term of the story does not work in the run while it certainly
// worked: before its work begins, by more than MaxError, and from where it stops until it begins again. It is nil if no time
// is known in which it certainly worked, or if it does not work in the run at all.
func (b *builder) interruptions(k int, work []working) (all []string) {
	t := &b.story.Terms[k]
	if t.Worked.Start.High.IsZero() || len(work) == 0 {
		return nil
	}
	from, until := t.Worked.Start.High.Sub(b.start), never
	if until = t.Worked.End.Low.Sub(b.start); t.Worked.End.Low.IsZero() || until <= from {
		return nil
	}
	if late := work[0].from - from; t.First >= b.first && late > MaxError {
		all = append(all, fmt.Sprintf("%s certainly worked %v earlier, by the logs, than it begins to in it", t.Holder, late))
	}
	for i := 1; i < len(work); i++ {
		if stops := work[i-1].until; stops > from && stops < until-MaxError {
			all = append(all, fmt.Sprintf("%s certainly worked on, by the logs, when it stops in it, at %v, and begins again %v later", t.Holder, stops, work[i].from-stops))
		}
	}
	return all
}
