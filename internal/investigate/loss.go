package investigate

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"sort"
	"time"

	"interregnum/internal/evidence"
)

// slow is the time that the server works on a request, from which on the request counts as slow.
const slow = time.Second

// lossesOf returns a loss for each term that another term follows, or that was released: it says why the term ended.
func (t *teller) lossesOf() (all []Loss) {
	for i := range t.s.Terms {
		if !t.s.Terms[i].Released.IsZero() || i < len(t.s.Terms)-1 {
			all = append(all, t.loss(i))
		}
	}
	return all
}

// loss returns why the i-th term ended: the first cause that the logs show, in a fixed order of causes, and Unknown if they
// show none. It is Unknown as well if the server received the next write more than longestRequest before the last one. Only how
// the next write came is looked at (edited, taken, freed) if the last write is not the holder's own, if its name may be shared, if
// it is not known who sent a request in the window that names it, or if these are by several clocks. If the cause is one that can
// be over after a while, such as a server that does not answer, loss also sets the loss's Remedy, as far as one is known; see
// remedy. The term's last write is the last one by which its holder led (see led). A write must follow the term's last one, another
// holder's or a release.
func (t *teller) loss(i int) Loss {
	x := t.led(&t.s.Terms[i])
	w := &window{t: t, term: x, pod: t.podOf(x.Holder), last: &t.s.Writes[x.Last], next: &t.s.Writes[x.Last+1]}
	what := "the next write was received"
	switch {
	case x.Last < t.s.Terms[i].Last:
		what = "the next write was received, by which it stood for election again; its log does not say that it acquired the lock by that"
	case !x.Released.IsZero():
		what = "the server received that it was released"
	}
	apart := w.next.Received.Sub(w.last.Received)
	when := fmt.Sprintf("%v later %s", apart, what)
	if t.apart(x.Last + 1) {
		when = what + ", by another clock, or perhaps one"
	} else if apart < 0 {
		when = fmt.Sprintf("%v before that %s", -apart, what)
	}
	l := Loss{Term: i, Cause: Unknown, Chain: []Link{{[]evidence.Place{w.last.Place}, "its last write"}, {[]evidence.Place{w.next.Place}, when}}}
	if apart < -longestRequest && !t.apart(x.Last+1) {
		return l // by another clock, or of another cluster
	}
	causes := []func() (Link, Cause){w.edited, w.taken, w.freed, w.stood, w.told, w.left, w.released, w.refused, w.limited, w.slowly, w.stated, w.unreachable, w.quiet, w.gaveBack}
	own := t.itself(t.by[x.Last]) && !w.perhaps()
	timed := own && !t.shared[x.Holder] && (!t.s.Several || w.oneClock())
	if !timed {
		causes = causes[:3] // what is left needs neither a clock nor the holder's own last write
	}
	for _, find := range causes {
		if link, cause := find(); cause != "" {
			l.Cause, l.Chain = cause, append(l.Chain, link)
			break
		}
	}
	if lines := w.said(); len(l.Chain) == 2 && len(lines) > 0 && own {
		if s := lines[len(lines)-1]; s.Step == evidence.Lost && saysClientGo(s) && atDeadline(s) {
			l.Chain = append(l.Chain, w.gaveUp(s))
		}
	}
	if len(l.Chain) == 2 && timed {
		l.Chain = append(l.Chain, w.unheardOf()...)
	}
	if l.Cause == Silent {
		l.Chain = append(l.Chain, w.certainlyStill()...)
	}
	l.remedy(w)
	return l
}

// apart tells whether the times of the i-th write and of the one before it may be by two clocks: the writes are in two audit logs, or
// in one whose times are Unsure.
func (t *teller) apart(i int) bool {
	at := t.s.Writes[i].Source
	return t.s.Several && (at != t.s.Writes[i-1].Source || t.e.Sources[at].Unsure != "")
}

// longestRequest is how long a write usually takes at most. A write can be applied after one that the server received later, by
// that much.
const longestRequest = time.Second

// window is the time from a holder's last write of a term until the next write, which is another holder's, a release, or one by which the
// holder stood for election again (see led). Its methods look for the cause of the term's end in that time.
type window struct {
	t          *teller
	term       *Term
	pod        *pod
	last, next *Write
}

// oneClock tells whether the window, and all that the holder asked for, is in one audit log, whose times are not Unsure.
func (w *window) oneClock() bool {
	return w.t.e.Sources[w.last.Source].Unsure == "" && w.last.Source == w.next.Source && !slices.ContainsFunc(w.t.sent[w.term.Holder], func(q *evidence.Request) bool { return q.Source != w.last.Source })
}

// perhaps tells whether the server received a request in the window that names the holder, and of which it is not known whether the holder
// sent it.
func (w *window) perhaps() bool {
	return slices.ContainsFunc(w.within(w.t.received), func(q *evidence.Request) bool { return q.Wrote.Holder == w.term.Holder && w.t.perhaps(q) })
}

// own returns the holder's requests to write that the server received in the window. A server that refuses a request before it
// reads it does not log the record. Such a request is the holder's if it came from the client of the holder's last write, whose
// address is logged, and nobody on another host ever wrote from there.
func (w *window) own() []*evidence.Request {
	all := w.within(w.t.sent[w.term.Holder])
	if from, known := w.client(); known {
		if unread := w.within(w.t.unread[from]); len(unread) > 0 {
			all = append(slices.Clone(all), unread...)
			slices.SortStableFunc(all, func(a, b *evidence.Request) int { return a.Received.Compare(b.Received) })
		}
	}
	return all
}

// tried returns those of the requests, all of the holder's client in the window, that it sent in its term: before the process said that
// the term was over, and no later than a process goes on (see patience). What was asked later, or by another process of the pod, has
// not ended it. It returns nil if the process says that in the second of its last write, so that all may be later.
func (w *window) tried(all []*evidence.Request) []*evidence.Request {
	over, unsure := w.over()
	if unsure {
		return nil
	}
	polls := w.polls()
	return slices.DeleteFunc(slices.Clone(all), func(q *evidence.Request) bool {
		return over != nil && w.after(q, over) || w.outlasts(q) || !polls.IsZero() && q.Received.After(polls)
	})
}

// polls returns when the server answered a read of the holder's client in the window, after which that one read again and had not written:
// a leader that has an answer writes at once, so that the process perhaps led no longer. It is zero if there is none, or if the client is
// not known.
func (w *window) polls() (at time.Time) {
	from, known := w.client()
	if !known {
		return at
	}
	for _, q := range w.within(w.t.clients[from]) {
		switch {
		case q.Verb != "get":
			at = time.Time{}
		case !normal(q):
		case !at.IsZero():
			return at
		default:
			at = q.Answered
		}
	}
	return time.Time{}
}

// after tells whether the holder's client perhaps sent a request after the line s, by the request's stamp or else, if it has none or
// that is too coarse, by when the server received it.
func (w *window) after(q *evidence.Request, s *evidence.Saying) bool {
	if stamped := len(w.pod.known) > 0 && q.Wrote != nil && !q.Wrote.Renew.IsZero(); stamped && !q.Wrote.Renew.Add(w.t.stamp).After(s.At) {
		return false
	}
	return q.Received.After(w.pod.instant(s.At, 0).Low)
}

// outlasts tells whether the server received a request later than a process goes on that had no answer since its last write.
func (w *window) outlasts(q *evidence.Request) bool {
	return w.last.Record.Duration > 0 && !w.term.Foreign && q.Received.Sub(w.last.Received) > w.patience()
}

// over returns the first line, stamped after its last write, by which the holder's pod says that the term was over; nil if none is
// known. unsure is true if the stamp of such a line is too coarse to tell whether it is before that write. Where records are stamped
// ahead, the server's clock tells which line is later.
func (w *window) over() (line *evidence.Saying, unsure bool) {
	p := w.pod
	if !p.trusted() {
		return nil, false
	}
	if len(p.known) == 0 {
		return w.overByClock()
	}
	stamped := w.last.Record.Renew.Add(w.t.stamp)
	for k := p.notBefore(w.last.Record.Renew); k < len(p.sayings); k++ {
		s := p.sayings[k]
		switch over := turns(s.Step) && s.Step != evidence.Acquired; {
		case s.At.Before(stamped) && turns(s.Step):
			unsure = over
		case over && !s.At.Before(stamped):
			return s, unsure
		}
	}
	return nil, unsure
}

// overByClock returns what over does, by the server's clock alone. A line before one that the process acquired the lock is not about that term.
func (w *window) overByClock() (line *evidence.Saying, unsure bool) {
	for _, k := range w.pod.turning {
		s := w.pod.sayings[k]
		at := w.pod.instant(s.At, unit(s))
		switch later := at.Low.After(w.last.Received); {
		case s.Step == evidence.Acquired && !later:
			line = nil
		case s.Step != evidence.Acquired && later:
			return s, line != nil
		case s.Step != evidence.Acquired && line == nil && (at.High.IsZero() || at.High.After(w.last.Received)):
			line = s
		}
	}
	return line, line != nil
}

// client returns the client of the holder's last write. known tells whether its address is logged, and nobody on another host ever
// wrote from there.
func (w *window) client() (from client, known bool) {
	from = clientOf(w.t.by[w.term.Last])
	return from, from.from != "" && w.t.hosts[from] != ""
}

// within returns the requests, among all, that the server received in the window: after the holder's last write and before the
// next write. all must be in the order in which they were received.
func (w *window) within(all []*evidence.Request) []*evidence.Request {
	all = w.since(all)
	return all[:sort.Search(len(all), func(k int) bool { return !all[k].Received.Before(w.next.Received) })]
}

// since returns the requests, among all, that the server received after the holder's last write. all must be in the order in which
// they were received.
func (w *window) since(all []*evidence.Request) []*evidence.Request {
	return all[sort.Search(len(all), func(k int) bool { return all[k].Received.After(w.last.Received) }):]
}

// said returns the lines that the holder's pod certainly wrote after the server received the holder's last write, and not certainly
// after it received the next one, except that a line of giving up can be later. The list ends with the first line that shows a turning
// point of a term, if there is one. It is nil if no log of the pod is known, if the pod's clock is not to be trusted, or if the stamp
// of such a line is too coarse to tell. Lines that were perhaps written before the last write was received do not count: they can be
// about an earlier request of the same attempt.
func (w *window) said() (lines []*evidence.Saying) {
	if _, unsure := w.over(); unsure || !w.pod.trusted() {
		return nil
	}
	all := w.pod.sayings
	stamped := w.last.Record.Renew.Add(w.t.stamp)
	for k := sort.Search(len(all), func(k int) bool { return !all[k].At.Before(stamped) }); k < len(all); k++ {
		s := all[k]
		at := w.pod.instant(s.At, 0).Low
		if at.IsZero() || at.After(w.next.Received) && s.Step != evidence.Lost {
			break
		}
		if !at.After(w.last.Received) || len(lines) == 0 && s.Step == evidence.Acquired {
			if turns(s.Step) && s.Step != evidence.Acquired {
				break
			}
			continue // it may be about its last write
		}
		if lines = append(lines, s); turns(s.Step) {
			break
		}
	}
	return lines
}

// earlier tells whether the holder's pod certainly wrote the line s before the server received the next write, by the server's clock or,
// if that is a release that the holder itself stamped, by the holder's own.
func (w *window) earlier(s *evidence.Saying) bool {
	own := clientOf(w.t.by[w.term.Last+1]) == clientOf(w.t.by[w.term.Last]) && len(w.pod.known) > 0
	if stamped := w.next.Record.Renew; own && !w.term.Released.IsZero() && !stamped.IsZero() && !s.At.Add(unit(s)).After(stamped) {
		return true
	}
	high := w.pod.instant(s.At, unit(s)).High
	return !high.IsZero() && high.Before(w.next.Received)
}

// edited returns Edited if a tool such as kubectl wrote the next record, or another client than the holder's own patched it, and
// otherwise no cause (""). Writes may be missing in between only if it does not follow the holder's last one: then there is no cause. A
// patch that took the lock shows by its record that none is.
func (w *window) edited() (Link, Cause) {
	by, own := clientOf(w.t.by[w.term.Last+1]), clientOf(w.t.by[w.term.Last])
	if patched := w.t.by[w.term.Last+1].Verb == "patch" && by != own; w.next.Follows && w.t.helps(by) || patched && takes(&w.last.Record, &w.next.Record) {
		return Link{[]evidence.Place{w.next.Place}, fmt.Sprintf("%s wrote the next record, and not the holder that it names", by.name())}, Edited
	}
	return Link{}, ""
}

// taken returns Gone if the next write created the object, so that it had been deleted; Seized if another holder wrote while the
// lease ran; and otherwise no cause (""). It returns no cause if the term was released, and never Seized if a write may be
// missing in between or the record has no duration. The lease runs from the first of the last writes whose stamps are in one
// second.
func (w *window) taken() (Link, Cause) {
	if !w.term.Released.IsZero() {
		return Link{}, ""
	}
	if w.t.made[w.term.Last+1] {
		return w.deleted(), Gone
	}
	if i := w.term.Last + 1; w.next.Record.Holder != w.term.Holder && !w.t.apart(i) && w.t.ranOn(i) && (w.t.itself(w.t.by[i]) || w.stranger()) {
		if w.t.early(i) > 0 {
			return Link{[]evidence.Place{w.next.Place}, fmt.Sprintf("by the audit log's times the next holder wrote before the lease of %v had run out, which client-go does not do: they may be by two clocks", w.last.Record.Duration)}, Unknown
		}
		who := "the next holder"
		if by := w.t.by[i]; !w.t.itself(by) {
			who += ", by " + clientOf(by).name() + ","
		}
		return Link{[]evidence.Place{w.next.Place}, fmt.Sprintf("%s wrote before the lease of %v had run out", who, w.last.Record.Duration)}, Seized
	}
	return Link{}, ""
}

// deleted returns what is known of how the object was deleted, if the next write created it: who did so, as far as that is logged.
func (w *window) deleted() Link {
	l := Link{[]evidence.Place{w.next.Place}, "the next write created the object, so that it had been deleted"}
	for _, q := range w.within(w.t.asked()) {
		if q.Verb == "delete" && q.Status >= 200 && q.Status < 300 && w.t.sameClock(q.Source, w.last.Source) {
			l.Places = []evidence.Place{q.Place, w.next.Place}
			l.Text = fmt.Sprintf("%s deleted the object, and the next write created it", clientOf(q).name())
		}
	}
	return l
}

// stood returns StoodStill if the pod logged nothing until later than a running process would have given up, and then says that
// it has given up at its deadline; otherwise no cause (""). See silences.
func (w *window) stood() (Link, Cause) {
	over := w.last.Record.Renew.Add(w.coarse() + w.patience())
	for q, lost := range w.silences() {
		if q.From.Before(over) && !q.Until.Before(over) {
			return Link{slices.Compact([]evidence.Place{q.Place, lost.Place}), fmt.Sprintf("its log has nothing for %v, and then it gives up at its deadline", q.Until.Sub(q.From))}, StoodStill
		}
	}
	return Link{}, ""
}

// coarse returns how much later than the last record's stamp the holder may have stamped it, to the microsecond.
func (w *window) coarse() time.Duration { return w.t.stamp - time.Microsecond }

// silences returns each silence of the pod's log after which it says next, but for failures, that it has given up at its
// deadline, and that line. From its last write until the silence ends the pod said nothing of the election before it, and
// stamped no record. There are none if the pod's log or the record's duration is not known, or if the client is perhaps not
// client-go.
func (w *window) silences() iter.Seq2[*evidence.Silence, *evidence.Saying] {
	return func(yield func(*evidence.Silence, *evidence.Saying) bool) {
		p, r := w.pod, &w.last.Record
		if p == nil || r.Duration == 0 || w.term.Foreign {
			return
		}
		for _, q := range p.silences {
			if p.said(r.Renew, q.From) || p.tried(r.Renew.Add(w.t.stamp), q.Until) || !w.inTime(q) {
				continue
			}
			k := sort.Search(len(p.sayings), func(k int) bool { return !p.sayings[k].At.Before(q.Until) })
			for k < len(p.sayings) && p.sayings[k].Step == evidence.Failed {
				k++
			}
			if k < len(p.sayings) && p.sayings[k].Step == evidence.Lost && atDeadline(p.sayings[k]) && !yield(q, p.sayings[k]) {
				return
			}
		}
	}
}

// inTime tells whether a silence of the pod's log has certainly begun before the next write was received: while the last record's lease
// ran by the pod's clock, or before that write by the server's.
func (w *window) inTime(q *evidence.Silence) bool {
	high := w.pod.instant(q.From, 0).High
	return q.From.Before(w.last.Record.Renew.Add(w.last.Record.Duration)) || !high.IsZero() && !high.After(w.next.Received)
}

// stranger tells whether the next write came from a client that is perhaps not client-go, and is the only one that ever asked to write
// the next holder's name, and no other name: then electors of several languages share the lock, of which ownersOf knows one at most.
func (w *window) stranger() bool {
	by := clientOf(w.t.by[w.term.Last+1])
	return foreign(w.next.By) && !w.t.helps(by) && by.from != "" && w.t.soleWriters()[w.next.Record.Holder] == by
}

// soleWriters returns for each holder the only client that ever asked to write its name, if that one asked to write no other name, and
// otherwise nobody. It keeps the answer in t.sole.
func (t *teller) soleWriters() map[string]client {
	if t.sole != nil {
		return t.sole
	}
	t.sole = map[string]client{}
	names := map[client]string{}
	for _, q := range t.received {
		by, holder := clientOf(q), q.Wrote.Holder
		if holder == "" {
			continue
		}
		if names[by] == "" {
			names[by] = holder
		}
		only, written := t.sole[holder]
		if t.sole[holder] = by; names[by] != holder || written && only != by {
			t.sole[holder], t.sole[names[by]] = nobody, nobody
		}
	}
	return t.sole
}

// patience returns how long a running process goes on at most after it stamped its last renewal. The answer takes a
// RenewDeadline at most, the process waits for a RetryPeriod, and then tries for a RenewDeadline.
func (w *window) patience() time.Duration {
	deadline, period := w.deadline(), w.period()
	if period == 0 {
		period = deadline
	}
	return 2*deadline + period
}

// deadline returns RenewDeadline. If that is not given, it returns a time that is not shorter: the record's LeaseDuration, which
// is longer than RenewDeadline, plus the second that a record can lack. For a record without a duration that is a second.
func (w *window) deadline() time.Duration {
	return cmp.Or(w.t.o.RenewDeadline, w.last.Record.Duration+time.Second)
}

// told returns ShutDown if the process says, certainly before the next write, that it gave up because it was told to stop, and otherwise no
// cause (""). A process that stood still until another had written, and was told to stop meanwhile, has not lost the lease by that.
func (w *window) told() (Link, Cause) {
	if lines := w.said(); len(lines) > 0 {
		if s := lines[len(lines)-1]; s.Step == evidence.Lost && over(s) && w.earlier(s) {
			return Link{[]evidence.Place{s.Place}, "its own log says that it gave up because its context was cancelled"}, ShutDown
		}
	}
	return Link{}, ""
}

// slowly returns Slow if the server worked on a write of the holder for a second or longer, and otherwise no cause (""). The
// link also says how long the server worked on a write of another holder meanwhile, at most, and how many other locks had slow
// requests. If the process says that requests had no answer in time, its last write counts, too, and whatever its client asked for.
func (w *window) slowly() (l Link, cause Cause) {
	var most time.Duration
	for _, q := range w.sentLater() {
		if d := took(q); d >= slow {
			most, cause = max(most, d), Slow
			l.Places = append(l.Places, q.Place)
		}
	}
	l.Text = fmt.Sprintf("the server worked on its writes for up to %v", most)
	if cause == "" && len(w.unanswered()) > 0 {
		l.Places, most = w.acceptedLate()
		l.Text = fmt.Sprintf("the server worked on its last write, which it accepted, and on what its client asked for afterwards, for up to %v", most)
		if most >= slow {
			cause = Slow
		}
	}
	if q := w.slowest(); q != nil {
		l.Text += fmt.Sprintf(", and on a write of another meanwhile for %v", took(q))
		l.Places = append(l.Places, q.Place)
	}
	w.elsewhere(&l, "slow", func(q *evidence.Request) bool { return took(q) >= slow })
	return l, cause
}

// acceptedLate looks at the holder's last write and at what its client asked for after it in its term (see tried). It returns
// where those stand on which the server worked for a second or longer, and for how long at most; 0 if there are none.
func (w *window) acceptedLate() (places []evidence.Place, most time.Duration) {
	all := []*evidence.Request{w.t.by[w.term.Last]}
	if from, known := w.client(); known {
		all = append(all, w.tried(w.within(w.t.clients[from]))...)
	}
	for _, q := range all {
		if d := took(q); d >= slow {
			places, most = append(places, q.Place), max(most, d)
		}
	}
	return places, most
}

// slowest returns the write of another holder, received in the window by the same log's clock, on which the server worked longest;
// nil if there is none.
func (w *window) slowest() (most *evidence.Request) {
	for _, q := range w.within(w.t.received) {
		if q.Wrote.Holder != w.term.Holder && w.t.sameClock(q.Source, w.last.Source) && (most == nil || took(q) > took(most)) {
			most = q
		}
	}
	return most
}
