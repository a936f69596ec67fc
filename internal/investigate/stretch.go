package investigate

import "interregnum/internal/evidence"

// led returns the term without the writes by which its holder only stood for election again: a process that has given up renews, as a
// candidate, the record that still names it. These are the writes that it stamped after its log says that the term was over, if the log
// says last, before the next holder's write, that the process stands for election, and not that it has acquired the lock once more. Of a log
// that does not go on until that write they are one at most: who has acquired the lock renews it soon. It returns x itself if there are
// none, or if the logs do not show it. A write must follow the term's last one.
func (t *teller) led(x *Term) *Term {
	p, next := t.podOf(x.Holder), &t.s.Writes[x.Last+1]
	if !p.trusted() || len(p.known) == 0 {
		return x
	}
	over, stands := p.stoodAgain(next)
	if over == nil || stands.Step != evidence.Tries || !p.known[stands.Source] {
		return x
	}
	goesOn := p.instant(t.e.Sources[stands.Source].Last, 0).Low.After(next.Received)
	for i := x.First; i < x.Last; i++ {
		before, after := t.s.Writes[i].Record.Renew, t.s.Writes[i+1].Record.Renew
		own := t.itself(t.by[i]) && t.itself(t.by[i+1]) && !before.IsZero()
		if own && (goesOn || i+1 == x.Last) && !over.At.Before(before.Add(t.stamp)) && !after.Before(over.At.Add(unit(over))) {
			return &Term{Holder: x.Holder, First: x.First, Last: i, Foreign: x.Foreign}
		}
	}
	return x
}

// stoodAgain returns the first line by which the pod says that its term was over, since it last said that it had acquired the lock, and
// the last line of its state. It looks at lines that are not certainly after the server received the write next. Both are nil if the
// last of them is that it has acquired the lock, or if there is none.
func (p *pod) stoodAgain(next *Write) (over, last *evidence.Saying) {
	for _, k := range p.turning {
		s := p.sayings[k]
		switch {
		case p.instant(s.At, 0).Low.After(next.Received):
			return over, last
		case s.Step == evidence.Acquired:
			over, last = nil, nil
		case over == nil:
			over, last = s, s
		default:
			last = s
		}
	}
	return over, last
}
