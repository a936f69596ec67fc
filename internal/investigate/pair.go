package investigate

import (
	"interregnum/internal/evidence"
)

// pairsOf judges each term of one holder with the next one, of another.
func pairsOf(terms []Term, courses []*course, writes []Write) (pairs []Pair) {
	for i := 1; i < len(terms); i++ {
		p := Pair{Old: i - 1, New: i, Believed: open(&terms[i], writes), Worked: open(&terms[i], writes)}
		if atOnce(&terms[i-1], courses[i]) {
			p.Worked = Judgement{Verdict: Certain, Chain: chain(&terms[i-1], courses[i])}
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// open is the judgement where nothing shows either: a process may stand still at any instant, and then work on until it is scheduled
// again, and nobody sees work end.
func open(t *Term, writes []Write) Judgement {
	return Judgement{Verdict: Possible, Chain: []Link{{
		[]evidence.Place{writes[t.First].Place},
		"the new holder's write was received; nothing logged shows that the old holder had stopped by then, or had not",
	}}}
}

// atOnce tells whether the new holder said that it had acquired the lock at an instant at which the old one certainly worked.
func atOnce(old *Term, c *course) bool {
	w := &old.Worked
	if c == nil || w.Start.High.IsZero() || w.End.Low.IsZero() || c.begun.Low.IsZero() || c.begun.High.IsZero() || !saysClientGo(c.acquired) {
		return false
	}
	return !c.begun.Low.Before(w.Start.High) && c.begun.High.Before(w.End.Low)
}

// chain is why two certainly worked at once.
func chain(old *Term, c *course) []Link {
	links := append([]Link(nil), old.Worked.Why...)
	return append(links,
		Link{[]evidence.Place{c.acquired.Place}, "meanwhile the new holder's own log says that it has acquired the lock, upon which its work begins"},
		Link{nil, "by the server's clock, whatever the offsets within their bounds, the second comes before the old holder's work ends"})
}
