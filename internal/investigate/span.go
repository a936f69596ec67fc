package investigate

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// tellSpans sets Belief and Worked of the i-th term: when its holder believed that it leads, and when it worked, each as far as
// that is known. What is certain needs a line in client-go's words by which the term began. Of a foreign term it sets only
// Worked.Why.
func (t *teller) tellSpans(i int) {
	t.believes(i)
	term := &t.s.Terms[i]
	first := &t.s.Writes[term.First]
	why := Link{[]evidence.Place{first.Place}, "it may have led before, by writes that are not logged, or its client is not known to be client-go's"}
	if !term.Foreign && t.idleAtFirst(term) {
		term.Worked.Start.Low = first.Received
		why.Text = "it could not lead by this term before the server had received the write that began it, and its own log shows that it did not lead then"
	}
	term.Worked.Why, term.Worked.began = []Link{why}, why
	if p := t.podOf(term.Holder); p != nil && !term.Foreign {
		t.boundEnd(term, p)
	}
	if len(t.courses[i]) == 0 || term.Foreign || !saysClientGo(t.courses[i][0].acquired) {
		return
	}
	c := t.courses[i][0]
	said := Link{[]evidence.Place{c.acquired.Place}, "its own log says that it has acquired the lock"}
	term.Worked.Start.High, term.Belief.Start.High = c.begun.High, c.begun.High
	term.Worked.End.Low = c.until
	term.Worked.Why = append(term.Worked.Why, said, c.why)
	if last := t.lastRenewal(term, c); last >= 0 {
		term.Belief.End.Low = c.pod.instant(t.s.Writes[last].Record.Renew, 0).Low
		term.Belief.sure = []Link{said, {[]evidence.Place{t.s.Writes[last].Place}, "it renewed the lock, and nobody else had written since"}}
	}
	if q := t.lastOwn(term, c); q != nil {
		if at := c.pod.instant(q.Wrote.Renew, 0).Low; at.After(term.Belief.End.Low) {
			term.Belief.End.Low = at
			term.Belief.sure = []Link{said, {[]evidence.Place{q.Place}, "it tried to replace its own record, so that it had not read another's"}}
		}
	}
	term.Belief.Why = append(term.Belief.Why, term.Belief.sure...)
}

// lastOwn returns the last attempt to replace the record which the term's last write made, if the attempt was refused or not
// answered; nil if there is none, or if nothing can be concluded: writes of the term may be missing, or the version that its last
// write made is not logged. Attempts after a line that shows that the term is over do not count. Such an attempt shows that the
// holder had not read another's record since: it would try to replace that one.
func (t *teller) lastOwn(term *Term, c *course) *evidence.Request {
	if c.begun.Low.Before(t.s.Writes[term.First].Received) {
		return nil
	}
	for i := term.First + 1; i <= term.Last; i++ {
		if !t.s.Writes[i].Follows {
			return nil
		}
	}
	made, all := t.by[term.Last].Got, c.pod.attempts
	until := sort.Search(len(all), func(k int) bool { return all[k].Wrote.Renew.Add(t.stamp).After(c.limit) })
	for k := until - 1; k >= 0 && made != "" && !all[k].Wrote.Renew.Before(c.after()); k-- {
		if q := all[k]; q.Sent == made && q.Wrote.Holder == term.Holder && clientOf(q) == clientOf(t.by[term.Last]) {
			return q
		}
	}
	return nil
}

// believes sets the outer bounds of Belief of the i-th term: between which times its holder can have believed that it leads by
// this term. Whoever replaces another's record has read it. So the holder did not believe that it leads when it sent such a
// write, and its belief ends when it reads another's record. It sets nothing for a foreign term, for a holder whose name may be
// shared, or if there are doubts (t.doubts).
func (t *teller) believes(i int) {
	term := &t.s.Terms[i]
	began := &t.s.Writes[term.First]
	if term.Foreign || len(t.doubts) > 0 || t.shared[term.Holder] {
		return
	}
	b := &term.Belief
	if began.Follows && t.itself(t.by[term.First]) {
		b.Start.Low = began.Received
		b.began = Link{[]evidence.Place{began.Place}, "its first write replaced a record that did not name it, so that it had read that one, and did not believe that it leads"}
		b.Why = append(b.Why, b.began)
	}
	if k := t.back[i]; k >= 0 {
		again := &t.s.Writes[t.s.Terms[k].First]
		b.End.High = again.Received
		b.ended = Link{[]evidence.Place{again.Place}, "it replaced a record later that did not name it, so that it had read that one by then"}
	}
	if s := t.sees(i); s != nil {
		if high := t.podOf(term.Holder).instant(s.At, unit(s)).High; !high.IsZero() && (b.End.High.IsZero() || high.Before(b.End.High)) {
			b.End.High, b.ended = high, Link{[]evidence.Place{s.Place}, "its own log shows that it had read another's record by then"}
		}
	}
	if !b.End.High.IsZero() {
		b.Why = append(b.Why, b.ended)
	}
}

// sees returns the first line, stamped after all writes of the i-th term, by which the holder's process, or the next one of its pod,
// has found that another one holds the lock; nil if there is none. It is also nil if nothing can be concluded from such a line: the
// pod's clock is not to be trusted, the last write has no stamp or is not the holder's own, no write after the term is logged, or
// writes may be missing just before or after the last one. A line that names the holder whose record the term's last write replaced
// does not count: it was perhaps read while that write was under way. A line of a callback about a new leader does not count either,
// since it can come late.
func (t *teller) sees(i int) *evidence.Saying {
	term := &t.s.Terms[i]
	p, next, stamped := t.podOf(term.Holder), term.Last+1, t.s.Writes[term.Last].Record.Renew
	if !p.trusted() || stamped.IsZero() || !t.itself(t.by[term.Last]) || next >= len(t.s.Writes) || !t.s.Writes[next].Follows || !t.s.Writes[term.Last].Follows {
		return nil
	}
	replaced := t.s.Writes[term.Last-1].Record.Holder
	known := stamped // when the last write was certainly stamped
	known = known.Add(t.stamp)
	for _, k := range p.held[sort.Search(len(p.held), func(k int) bool { return !p.sayings[p.held[k]].At.Before(known) }):] {
		if s := p.sayings[k]; s.Identity != "" && s.Identity != term.Holder && s.Identity != replaced {
			return s
		}
	}
	return nil
}

// idleAtFirst tells whether the holder's log shows that none of its work went on when it stamped the term's first write. For
// that, the pod's last line of a turning point (see turns) that was certainly written before the stamp must show that all earlier
// work is over (see over), and no line that it has acquired the lock may follow that was perhaps written before the stamp.
// idleAtFirst is also false if nothing can be concluded: no log is known, the pod's clock is not to be trusted, the write has no
// stamp or is not the holder's own, or a write may be missing just before it.
func (t *teller) idleAtFirst(term *Term) bool {
	p, first := t.podOf(term.Holder), &t.s.Writes[term.First]
	stamped := first.Record.Renew
	if !p.trusted() || !first.Follows || stamped.IsZero() || !t.itself(t.by[term.First]) {
		return false
	}
	k := sort.Search(len(p.sayings), func(k int) bool { return !p.sayings[k].At.Before(stamped.Add(t.stamp)) })
	for k--; k >= 0; k-- {
		s := p.sayings[k]
		switch {
		case !turns(s.Step):
		case s.Step == evidence.Acquired:
			return false
		case !s.At.Add(unit(s)).After(stamped):
			return over(s)
		}
	}
	return false
}

// over tells whether a line shows that the contexts of all earlier work of the process, and of those before it in its pod, have
// ended. client-go stands for election again after Run has returned, which ends the context; it says only once in a Run that it
// has acquired the lock. A process that is told to stop ends the context before it says that it has failed to renew.
// OnStoppedLeading, where programs say that they have lost the election, is called after that. The elector of this module does
// the same.
func over(s *evidence.Saying) bool {
	text := strings.ToLower(s.Text)
	known := saysClientGo(s) || saysOurs(s)
	switch s.Step {
	case evidence.Tries:
		return known
	case evidence.Lost:
		return known && strings.Contains(text, "context canceled")
	case evidence.Ends:
		return strings.Contains(text, "leader election lost") || strings.Contains(text, "leaderelection lost")
	}
	return false
}

// boundEnd sets Worked.End.High of the term, until when its work can have gone on: until the first line, stamped after all writes of
// the term, that shows that it is over, or until its release (see boundByStop), whichever is earlier. It also sets Worked.ended and
// adds it to Worked.Why. It sets nothing if there is no such line, if the pod's clock is not to be trusted, if the term's last write
// has no stamp or is not the holder's own, or if no write after the term is logged or one may be missing just after it.
func (t *teller) boundEnd(term *Term, p *pod) {
	next := term.Last + 1
	stamped := t.s.Writes[term.Last].Record.Renew
	if !p.trusted() || stamped.IsZero() || !t.itself(t.by[term.Last]) || next >= len(t.s.Writes) || !t.s.Writes[next].Follows {
		return
	}
	stamped = stamped.Add(t.stamp)
	k := sort.Search(len(p.sayings), func(k int) bool { return !p.sayings[k].At.Before(stamped) })
	for ; k < len(p.sayings); k++ {
		s := p.sayings[k]
		if !over(s) {
			continue
		}
		term.Worked.End.High = p.instant(s.At, unit(s)).High
		term.Worked.ended = Link{[]evidence.Place{s.Place}, "its own log shows that its work's context had ended by then"}
		break
	}
	t.boundByStop(term, p)
	if len(term.Worked.ended.Places) > 0 {
		term.Worked.Why = append(term.Worked.Why, term.Worked.ended)
	}
}

// boundByStop sets Worked.End.High and Worked.ended of the term, unless they are earlier, to when the holder itself released the lock,
// or said that it could not, if it did so because it was told to stop: that ends the context of its work first. A process that gives up
// at its deadline releases the lock before that. It sets nothing if it is not known whose release that is.
func (t *teller) boundByStop(term *Term, p *pod) {
	w := &window{t: t, term: term, pod: p, last: &t.s.Writes[term.Last], next: &t.s.Writes[term.Last+1]}
	own, known := w.client()
	if !known || t.shared[term.Holder] || w.perhaps() {
		return
	}
	high, link := time.Time{}, Link{Text: "it was told to stop, which ended its work's context, and then released the lock"}
	if why, cause := w.freed(); cause == ShutDown && clientOf(t.by[term.Last+1]) == own {
		high, link.Places = w.next.Received, slices.Compact(append([]evidence.Place{w.next.Place}, why.Places...))
	} else if s := w.unreleased(); s != nil {
		high = p.instant(s.At, unit(s)).High
		link = Link{[]evidence.Place{s.Place}, "its own log says that it tried to release the lock, and not before that it gave up: it was told to stop, which ended its work's context"}
	}
	if !high.IsZero() && (term.Worked.End.High.IsZero() || high.Before(term.Worked.End.High)) {
		term.Worked.End.High, term.Worked.ended = high, link
	}
}

// lastRenewal returns the index of the last renewal of the term that was certainly stamped while the course's work went on, and
// before which no write is missing; -1 if there is none, or if the holder may have acquired the lock by a write that is missing.
func (t *teller) lastRenewal(term *Term, c *course) (last int) {
	last = -1
	if c.begun.Low.Before(t.s.Writes[term.First].Received) {
		return last // it may have acquired the lock by a write that is missing
	}
	for i := term.First + 1; i <= term.Last && t.s.Writes[i].Follows; i++ {
		if !t.itself(t.by[i]) {
			continue
		}
		if high := c.pod.instant(t.s.Writes[i].Record.Renew, 0).High; !high.IsZero() && !high.After(c.until) {
			last = i
		}
	}
	return last
}

// share returns for how long at most both spans went on at once; zero or less if they cannot have. by has the two spans from
// which that follows: the one that ended first, and the one that began last. If nothing bounds the spans, by is nil, and most says
// nothing.
func share(a, b *Span) (most time.Duration, by []*Span) {
	began, ended := a, (*Span)(nil)
	if b.Start.Low.After(a.Start.Low) {
		began = b
	}
	for _, s := range []*Span{a, b} {
		if until := s.End.High; !until.IsZero() && (ended == nil || until.Before(ended.End.High)) {
			ended = s
		}
	}
	if ended == nil || began.Start.Low.IsZero() {
		return 0, nil
	}
	return ended.End.High.Sub(began.Start.Low), []*Span{ended, began}
}

// apart returns the reasons why the work of two terms, or the belief of their holders, cannot have gone on at once or, if most
// is above zero, went on at once for no longer than most. by has the span that ended first and the one that began last; old is
// the old holder's span.
func apart(old *Span, by []*Span, most time.Duration) (chain []Link) {
	for i, link := range []Link{by[0].ended, by[1].began} {
		whose := "the new holder: "
		if by[i] == old {
			whose = "the old holder: "
		}
		chain = append(chain, Link{link.Places, whose + link.Text})
	}
	if most <= 0 {
		return append(chain, Link{nil, "by the server's clock, wherever the offsets are within their bounds, the one ended before the other began"})
	}
	return append(chain, Link{nil, fmt.Sprintf("by the server's clock, wherever the offsets are within their bounds, both went on at once for %v at most", most)})
}
