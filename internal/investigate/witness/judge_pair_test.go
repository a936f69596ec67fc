package witness

import (
	"fmt"
	"slices"
	"time"

	"interregnum/internal/investigate"
)

// pair judges what the story says of two terms: whether their holders worked, or believed that they lead, at once. It fails the
// story for an index that is no term's. It also counts BelievedAtOnce, Apart and Impossible.
func (j *judge) pair(p *investigate.Pair) {
	if !j.known(p) {
		j.fail("want a pair of terms among %d, got %d and %d", len(j.s.Terms), p.Old, p.New)
		return
	}
	name := fmt.Sprintf("terms %d and %d of %s and %s", p.Old, p.New, j.s.Terms[p.Old].Holder, j.s.Terms[p.New].Holder)
	worked := j.together(p, func(u *Term) []Span { return []Span{{u.From, u.End}} })
	believed := j.together(p, j.truth.beliefs)
	j.judgement(name+": worked at once", &p.Worked, worked)
	j.judgement(name+": believed at once", &p.Believed, believed)
	if p.Believed.Verdict == investigate.Certain {
		j.counts.BelievedAtOnce++
	}
	if worked <= 0 && len(j.of[p.Old]) > 0 && len(j.of[p.New]) > 0 {
		j.counts.Apart++
		if p.Worked.Verdict == investigate.Impossible {
			j.counts.Impossible++
		}
	}
}

// known tells whether both indices of a pair are those of terms of the story.
func (j *judge) known(p *investigate.Pair) bool {
	return min(p.Old, p.New) >= 0 && max(p.Old, p.New) < len(j.s.Terms)
}

// together returns for how long, added up, the spans that of returns for the holders' terms of the truth went on at once; 0 if
// both terms are of one holder.
func (j *judge) together(p *investigate.Pair, of func(*Term) []Span) (all time.Duration) {
	if j.s.Terms[p.Old].Holder == j.s.Terms[p.New].Holder {
		return 0
	}
	for _, a := range j.of[p.Old] {
		for _, b := range j.of[p.New] {
			for _, x := range of(&j.truth.Terms[a]) {
				for _, y := range of(&j.truth.Terms[b]) {
					all += max(0, earlier(x.Until, y.Until).Sub(later(x.From, y.From)))
				}
			}
		}
	}
	return all
}

// judgement judges a verdict g of the story on the claim what, which was really true for the time was. It fails the story if g
// is impossible and the claim was true, if g is certain and the claim was never true, if was is longer than g.AtMost, or if g
// is no verdict. It counts each AtMost of a verdict that is not impossible.
func (j *judge) judgement(what string, g *investigate.Judgement, was time.Duration) {
	switch g.Verdict {
	case investigate.Impossible:
		if was > slack {
			j.fail("%s: it is impossible, but it was so for %v", what, was)
		}
		return
	case investigate.Certain:
		if was <= 0 {
			j.fail("%s: it is certain, but it was not so", what)
		}
	case investigate.Possible:
	default:
		j.fail("%s: want a verdict, got %q", what, g.Verdict)
	}
	if g.AtMost != nil {
		j.counts.AtMost++
	}
	if g.AtMost != nil && was > *g.AtMost+slack {
		j.fail("%s: it is so for at most %v, but it was for %v", what, *g.AtMost, was)
	}
}

// timings judges the story's timings by those of the plan's first candidate: it fails the story for a name that is no timing's,
// and for bounds that the true value is not within. It counts the timings with right bounds, and their likely values.
func (j *judge) timings() {
	c := &j.l.Run.Plan.Candidates[0]
	really := map[string]time.Duration{
		"LeaseDuration": c.LeaseDuration, "RenewDeadline": c.RenewDeadline, "RetryPeriod": c.RetryPeriod,
	}
	for i := range j.s.Timings {
		t := &j.s.Timings[i]
		v, known := really[t.Name]
		switch {
		case !known:
			j.fail("want the name of a timing, got %q", t.Name)
		case t.Low != nil && v < *t.Low-slack, t.High != nil && v > *t.High+slack:
			j.fail("%s is %s to %s, but it was %v", t.Name, bound(t.Low), bound(t.High), v)
		case t.Low != nil || t.High != nil:
			j.counts.Bounded++
			j.likely(t, v)
		}
	}
}

// likely counts a likely value of a timing, and whether it is the true one, v. It counts nothing if there is no likely value,
// or if the true value is none that people write: not a multiple of 100 ms.
func (j *judge) likely(t *investigate.Timing, v time.Duration) {
	if t.Likely == 0 || v%(100*time.Millisecond) != 0 {
		return
	}
	j.counts.Likely++
	if t.Likely == v {
		j.counts.Right++
	}
}

// bound returns a bound as text, "any" for nil.
func bound(d *time.Duration) string {
	if d == nil {
		return "any"
	}
	return d.String()
}

// offsets judges the offsets of clocks that the story infers, at each line of the log that they are about, and counts them. It
// skips an offset without bounds, and one whose source is no process's log.
func (j *judge) offsets() {
	for i := range j.s.Offsets {
		o := &j.s.Offsets[i]
		if o.Low == nil && o.High == nil {
			continue
		}
		p := j.l.source(o.Source)
		if p == nil {
			continue
		}
		j.counts.Offsets++
		for _, line := range p.Lines {
			v := line.True.Sub(line.At)
			if o.Low != nil && v < *o.Low-slack || o.High != nil && v > *o.High+slack {
				j.fail("the offset of %s is %s to %s, but at %s it was %v", o.Identity, bound(o.Low), bound(o.High), timeOfDay(line.True), v)
				break
			}
		}
	}
}

// count counts what the run and the story contain, and judges the overlaps of the truth.
func (j *judge) count() {
	c := &j.counts
	c.Runs, c.Terms, c.SaidTerms = 1, len(j.truth.Terms), len(j.s.Terms)
	c.Losses = len(j.s.Losses)
	for i := range j.s.Terms {
		if _, any := sure(&j.s.Terms[i].Worked); any {
			c.CertainWork++
		}
		if _, any := sure(&j.s.Terms[i].Belief); any {
			c.CertainBelief++
		}
	}
	for b := range j.truth.Terms {
		for a := range j.truth.Terms[:b] {
			if j.truth.overlap(a, b) {
				j.overlap(a, b)
			}
		}
	}
}

// overlap counts an overlap of the a-th and the b-th term of the truth by what the story says of it. It fails the story if that
// is certain although no reader of whole logs can know it. It does not if other terms of the same processes overlapped too,
// since the verdict can be about these.
func (j *judge) overlap(a, b int) {
	said := j.verdict(a, b)
	if j.truth.Terms[b].From.Before(j.truth.Terms[a].From) {
		a, b = b, a
	}
	undecidable := j.l.Habits.Whole && j.l.Undecidable(a, b)
	j.counts.Said.count(said, undecidable)
	if !j.l.Habits.Whole {
		return
	}
	if undecidable && said == investigate.Certain && j.truth.meetings(a, b) == 1 {
		j.fail("it is certain that %s and %s worked at once, but the same logs can be of a world in which they did not", j.truth.Terms[a].Identity, j.truth.Terms[b].Identity)
	}
	j.counts.Whole.count(said, undecidable)
	if j.l.Lock().Resource == "leases" {
		j.counts.Leases.count(said, undecidable)
	}
}

// verdict returns the story's verdict on whether the a-th and the b-th term of the truth worked at once: that of the first pair
// that speaks of both, "" if none does.
func (j *judge) verdict(a, b int) investigate.Verdict {
	for i := range j.s.Pairs {
		p := &j.s.Pairs[i]
		if !j.known(p) {
			continue
		}
		if slices.Contains(j.of[p.Old], a) && slices.Contains(j.of[p.New], b) || slices.Contains(j.of[p.Old], b) && slices.Contains(j.of[p.New], a) {
			return p.Worked.Verdict
		}
	}
	return ""
}
