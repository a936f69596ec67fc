package investigate

import (
	"time"

	"interregnum/internal/evidence"
)

// pairsOf returns a judged pair of each term and the next one, even if both are one holder's. It adds pairs of terms further
// apart if their holders certainly worked at once.
func (t *teller) pairsOf() (pairs []Pair) {
	terms := t.s.Terms
	for i := range terms {
		for k := i + 1; k < len(terms); k++ {
			both, more := t.together(i, k)
			if k > i+1 && both == nil {
				if more {
					continue
				}
				break
			}
			p := Pair{Old: i, New: k, Believed: t.open(k), Worked: t.open(k)}
			if both != nil {
				p.Worked = *both
			}
			if a, b := &terms[i], &terms[k]; a.Holder != b.Holder {
				p.Worked.bound(&a.Worked, &b.Worked)
				if both := convinced(&a.Belief, &b.Belief); both != nil {
					p.Believed = *both
				}
				p.Believed.bound(&a.Belief, &b.Belief)
			}
			pairs = append(pairs, p)
			if !more {
				break
			}
		}
	}
	return pairs
}

// bound sets AtMost to the most time for which something was so of both holders, by the span of the old one, a, and that of the
// new one, b, and Earliest and Latest. If the spans do not meet, a possible verdict becomes impossible. A verdict that becomes impossible, or stays
// possible, gets the reasons of the bound as its Chain. If nothing bounds the spans, or if they do not meet and the verdict is
// certain, it changes nothing.
func (j *Judgement) bound(a, b *Span) {
	most, by := share(a, b)
	if by == nil || most > 0 {
		j.Earliest, j.Latest = latest(a.Start.Low, b.Start.Low), sooner(a.End.High, b.End.High)
	}
	switch {
	case by == nil:
	case most <= 0 && j.Verdict == Possible:
		*j = Judgement{Verdict: Impossible, Chain: apart(a, by, most)}
	case most > 0:
		j.AtMost = &most
		if j.Verdict == Possible {
			j.Chain = apart(a, by, most)
		}
	}
}

// sooner returns the earlier one of two times of which a zero one is not known; zero if neither is.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// convinced returns the judgement that both holders certainly believed at once that they lead, nil if that is not certain.
func convinced(a, b *Span) *Judgement {
	from, until := latest(a.Start.High, b.Start.High), a.End.Low
	if b.End.Low.Before(until) {
		until = b.End.Low
	}
	if a.Start.High.IsZero() || b.Start.High.IsZero() || !from.Before(until) {
		return nil
	}
	return &Judgement{Verdict: Certain, From: from, Until: until, Chain: append(append([]Link{}, a.sure...), b.sure...)}
}

// together returns the judgement that the holders of the i-th and the k-th term certainly worked at once, nil if that is not
// certain. more tells whether the holder of the i-th term certainly still worked after the k-th began, so that it perhaps also
// worked with holders of later terms.
func (t *teller) together(i, k int) (both *Judgement, more bool) {
	a, b := &t.s.Terms[i], &t.s.Terms[k]
	began := t.s.Writes[b.First].Received
	for _, x := range t.courses[i] {
		more = more || x.until.After(began)
		for _, y := range t.courses[k] {
			if both == nil && a.Holder != b.Holder && !a.Foreign && !b.Foreign && x.meets(y) {
				both = &Judgement{Verdict: Certain, Chain: chain(x, y)}
				if from, until := latest(x.begun.High, y.begun.High), sooner(x.until, y.until); from.Before(until) {
					both.From, both.Until = from, until
				}
			}
		}
	}
	return both, more
}

// open returns the judgement of a pair for which nothing shows either way: Possible. The pair's new term is the k-th. A process
// can stand still at any instant, and then work on until it is scheduled again, and nobody sees work end.
func (t *teller) open(k int) Judgement {
	return Judgement{Verdict: Possible, Chain: []Link{{
		[]evidence.Place{t.s.Writes[t.s.Terms[k].First].Place},
		"the new holder's write was received; nothing logged shows that the old holder had stopped by then, or had not",
	}}}
}

// meets tells whether the work of both courses certainly went on at some instant: each had certainly begun before the other's
// work was over. For the one that began later it is enough that it began. It is false if one of these times is not known.
func (c *course) meets(d *course) bool {
	if c.until.IsZero() || d.until.IsZero() || c.begun.High.IsZero() || d.begun.High.IsZero() {
		return false
	}
	return c.begun.High.Before(latest(d.until, d.begun.Low)) && d.begun.High.Before(latest(c.until, c.begun.Low))
}

// chain returns the reasons why two holders certainly worked at once: the old one by course x, the new one by course y.
func chain(x, y *course) []Link {
	return []Link{
		{[]evidence.Place{x.acquired.Place}, "the old holder's own log says that it has acquired the lock"},
		{[]evidence.Place{y.acquired.Place}, "the new holder's own log says that it has acquired the lock, upon which its work begins"},
		x.why,
		{nil, "by the server's clock, whatever the offsets within their bounds, the new holder's work begins before the old holder's ends"},
	}
}
