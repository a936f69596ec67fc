package investigate

import (
	"time"

	"interregnum/internal/evidence"
)

// pairsOf judges each term of one holder with the next one, of another.
func pairsOf(terms []Term, courses [][]*course, writes []Write, stamp time.Duration) (pairs []Pair) {
	for i := 1; i < len(terms); i++ {
		p := Pair{Old: i - 1, New: i, Believed: open(&terms[i], writes), Worked: open(&terms[i], writes)}
		if chain := together(&terms[i-1], &terms[i], courses[i-1], courses[i], writes, stamp); chain != nil {
			p.Worked = Judgement{Verdict: Certain, Chain: chain}
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// together returns why the holders of two terms certainly worked at once, nil if that is not certain.
func together(a, b *Term, ofA, ofB []*course, writes []Write, stamp time.Duration) []Link {
	if a.Holder == b.Holder || a.Foreign || b.Foreign {
		return nil
	}
	for _, x := range ofA {
		until, why := a.lastSure(x, writes, stamp)
		for _, y := range ofB {
			if saysClientGo(x.acquired) && y.within(x.begun.High, until) {
				return chain(x, y, why)
			}
		}
	}
	return nil
}

// open is the judgement where nothing shows either: a process may stand still at any instant, and then work on until it is scheduled
// again, and nobody sees work end.
func open(t *Term, writes []Write) Judgement {
	return Judgement{Verdict: Possible, Chain: []Link{{
		[]evidence.Place{writes[t.First].Place},
		"the new holder's write was received; nothing logged shows that the old holder had stopped by then, or had not",
	}}}
}

// within tells whether the process said that it had acquired the lock at an instant that certainly is after from and before until.
func (c *course) within(from, until time.Time) bool {
	if from.IsZero() || until.IsZero() || c.begun.Low.IsZero() || c.begun.High.IsZero() || !saysClientGo(c.acquired) {
		return false
	}
	return !c.begun.Low.Before(from) && c.begun.High.Before(until)
}

// chain is why two certainly worked at once: the one by course x until what why says, the other by course y.
func chain(x, y *course, why Link) []Link {
	return []Link{
		{[]evidence.Place{x.acquired.Place}, "the old holder's own log says that it has acquired the lock"},
		{[]evidence.Place{y.acquired.Place}, "the new holder's own log says that it has acquired the lock, upon which its work begins"},
		why,
		{nil, "by the server's clock, whatever the offsets within their bounds, the new holder's work begins before the old holder's ends"},
	}
}
