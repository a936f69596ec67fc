package investigate

import (
	"sort"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// course is what a pod's log says of one of its terms. It begins with the line that the pod has acquired the lock, and ends with
// the next line that shows another state.
type course struct {
	pod      *pod
	acquired *evidence.Saying
	// term is which one of the story's it is about, -1 if that is not known: the times are too coarse, or writes may be missing. renews: it
	// is that of the first renewal that the pod stamped after the line.
	// within: no write is missing from the term's first one to one that the pod stamped after the line.
	term           int
	renews, within bool
	// sure is when the server received a write that the pod stamped before it said so; earliest when the server received the first one
	// by which the pod may have acquired the lock, if no write is missing. Both are zero if there is none.
	sure, earliest time.Time
	// begun is when it said so, by the server's clock.
	begun Instant
	// before and ends are the sayings before and after it which show another state, nil if there are none; ended is when it said ends.
	before, ends *evidence.Saying
	ended        Instant
	// limit is until when, by the pod's clock, no line about the election is missing.
	limit time.Time
	// until is the last time at which the work certainly went on, and why says what shows it. until is zero if that is not known.
	until time.Time
	why   Link
}

// turns tells whether a step shows a turning point of a term: that it is over, or will be, or that another one has begun or is
// sought.
func turns(s evidence.Step) bool {
	return s == evidence.Lost || s == evidence.Ends || s == evidence.Released || s == evidence.Tries || s == evidence.Acquired
}

// follow makes a course in p.courses for each line in which the pod says that it has acquired the lock, and matches each course
// with the pod's writes. If the pod is vague it makes none.
func (t *teller) follow(p *pod) {
	var before *evidence.Saying
	for _, s := range p.sayings {
		if !turns(s.Step) {
			continue
		}
		if n := len(p.courses); n > 0 && p.courses[n-1].ends == nil {
			p.courses[n-1].ends = s
		}
		if s.Step == evidence.Acquired && !p.vague {
			p.courses = append(p.courses, &course{pod: p, acquired: s, before: before, limit: t.e.Sources[s.Source].Last})
		}
		before = s
	}
	for _, c := range p.courses {
		if c.ends != nil && c.ends.At.Before(c.limit) {
			c.limit = c.ends.At
		}
		t.match(c)
	}
}

// match finds the writes of the pod that can have acquired the lock when the pod says so, and sets term, renews, within, sure
// and earliest of the course; term is -1 if the writes do not show which it is. Such a write is stamped after the line before
// (c.before), and the next write after this line: client-go says it before it renews. All of this is by the pod's own clock.
func (t *teller) match(c *course) {
	p, s := c.pod, c.acquired
	renewed := func(k int) time.Time { return t.s.Writes[p.writes[k]].Record.Renew }
	n := len(p.writes)
	// Those before first are stamped before the line, those from last on after it. Of those between the stamps are too coarse to tell.
	first := sort.Search(n, func(k int) bool { return renewed(k).Add(t.stamp).After(s.At) })
	last := sort.Search(n, func(k int) bool { return !renewed(k).Before(c.after()) })
	c.term = -1
	if first > 0 {
		c.sure = t.s.Writes[p.writes[first-1]].Received
	}
	if last < n && !renewed(last).Add(t.stamp).After(c.limit) {
		c.term, c.renews = t.terms[p.writes[last]], true
	}
	from := max(0, first-1)
	if c.before != nil {
		from = max(from, sort.Search(n, func(k int) bool { return renewed(k).Add(t.stamp).After(c.before.At) }))
	}
	if from >= last {
		return
	}
	if i := t.terms[p.writes[from]]; !c.renews && i == t.terms[p.writes[last-1]] {
		c.term = i
		after := min(last, t.second(c))
		c.within = after < n && t.gaps[p.writes[after]] == t.gaps[t.s.Terms[i].First]
	}
	// What was stamped before the line, and is not known to be followed by another before it, needs no proof that none is missing before. If
	// one is, the server received it after what is logged before the gap.
	switch k := t.missing(p, from); {
	case t.took(c, p.writes[from]):
		c.earliest = t.s.Writes[p.writes[from]].Answered
		if !c.renews {
			c.term, c.within = t.terms[p.writes[from]], true
		}
	case k < 0 && last < n && t.gaps[p.writes[from]] == t.gaps[p.writes[last]] && !p.failed(renewed(from), s.At):
		c.earliest = t.s.Writes[p.writes[from]].Answered
		for _, i := range p.writes[from:last] {
			c.earliest = earliest(c.earliest, t.s.Writes[i].Answered)
		}
	case from < first || k < 0:
		c.earliest = t.s.Writes[p.writes[from]].Received
	case k > 0:
		c.earliest = t.s.Writes[k-1].Received
	}
}

// took tells whether the course's line is about the i-th write, whatever is missing, by the process's log alone: the process stamped the write
// since it stood for election and before the line, and nothing failed from the stamp to the line. If the stamp is too coarse to tell
// whether it is before the line, the write must have taken the lock, from another holder or as the first one of all: a renewal does not. It is false if
// the write's version is not logged.
func (t *teller) took(c *course, i int) bool {
	w, tries := &t.s.Writes[i], c.before
	if tries == nil || tries.Step != evidence.Tries || tries.Source != c.acquired.Source || !saysClientGo(tries) || w.Record.Renew.Before(tries.At.Add(unit(tries)-time.Microsecond)) {
		return false
	}
	if t.by[i].Got == "" || c.pod.failed(w.Record.Renew, c.acquired.At) {
		return false
	}
	before := !w.Record.Renew.Add(t.stamp).After(c.acquired.At)
	takes := i == 0 && t.created || w.Follows && t.s.Writes[i-1].Record.Holder != w.Record.Holder
	return before || takes
}

// after returns the earliest stamp that a record can have which was stamped after the line, by the pod's clock. It is up to a
// unit after the line's stamp, less a microsecond: the round trip before the line takes a microsecond at least.
func (c *course) after() time.Time { return c.acquired.At.Add(unit(c.acquired) - time.Microsecond) }

// missing returns an index into Story.Writes: of the first write before which others may be missing from the log. It looks at
// the writes after the pod's (k-1)-th one, and up to its k-th, which is included; -1 if there is no such write. For k = 0 it
// looks from the first write that is logged. Others may be missing before that one, unless it created the object.
func (t *teller) missing(p *pod, k int) int {
	from := 0
	if k > 0 {
		from = p.writes[k-1] + 1
	} else if t.created {
		from = 1
	}
	before := 0
	if from > 0 {
		before = t.gaps[from-1]
	}
	i := from + sort.Search(p.writes[k]+1-from, func(i int) bool { return t.gaps[from+i] > before })
	if i > p.writes[k] {
		return -1
	}
	return i
}

// place sets the times of the course by the server's clock: begun and ended. It sets term to -1 if writes of that term may be
// missing, or if the pod's clock was set, and stops if term is -1. Otherwise it raises begun.Low to when the server had
// received the write that acquired the lock and, if the line is client-go's, sets until and why (see lastSure).
func (t *teller) place(c *course) {
	c.begun = c.pod.instant(c.acquired.At, unit(c.acquired))
	if c.ends != nil {
		c.ended = c.pod.instant(c.ends.At, unit(c.ends))
	}
	if c.pod.set || c.term >= 0 && !c.renews && !c.within && !t.complete(t.s.Terms[c.term].First, c.begun.High) {
		c.term = -1
	}
	if c.term < 0 {
		return
	}
	c.begun.Low = latest(c.begun.Low, latest(c.sure, c.earliest))
	if saysClientGo(c.acquired) {
		t.lastSure(c)
	}
}

// complete tells whether no write is missing from the i-th of Story.Writes to the first later one that was received after
// until. It is false if until is zero, or if no later write was received after until, or if it is not known of one whether its holder
// sent it.
func (t *teller) complete(i int, until time.Time) bool {
	if until.IsZero() {
		return false
	}
	for k := i + 1; k < len(t.s.Writes); k++ {
		if !t.s.Writes[k].Follows || t.perhaps(t.by[k]) {
			return false
		}
		if t.s.Writes[k].Received.After(until) {
			return true
		}
	}
	return false
}

// lastSure sets until and why of a course: the last time at which its work certainly went on, by the server's clock. If the log
// says that the process gave up renewing at its deadline, until is the earliest time of that line. Otherwise it is the latest
// of these: the beginning, the last attempt to renew that was stamped before c.limit, and the last line by which the process
// goes on trying (see trying).
func (t *teller) lastSure(c *course) {
	p := c.pod
	c.until, c.why = c.begun.Low, Link{[]evidence.Place{c.acquired.Place}, "nothing later is known for certain"}
	if c.ends != nil && c.ends.Step == evidence.Lost && saysClientGo(c.ends) && atDeadline(c.ends) {
		c.until = c.ended.Low
		c.why = Link{[]evidence.Place{c.ends.Place}, "its own log says that it gives up renewing; client-go ends the work's context only then, unless it is told to stop between its deadline and this line"}
		return
	}
	t.heard(c)
	k := sort.Search(len(p.attempts), func(k int) bool { return p.attempts[k].Wrote.Renew.Add(t.stamp).After(c.limit) }) - 1
	if k >= 0 && !p.attempts[k].Wrote.Renew.Before(c.after()) {
		c.later(p.instant(p.attempts[k].Wrote.Renew, 0).Low, p.attempts[k].Place, "it stamped this renewal, which it does while it works")
	}
	t.trying(c)
}

// trying raises the course's until to the last line, before the course's end, by which its process says that it goes on trying
// to renew: that it failed to read or to update the record, or that somebody holds the lock. Lines about something that was
// cancelled do not count. A line that it failed to read the record counts only if another line of a failure or of a holder
// follows, or if the process then says in the same log that it gave up: a release reads the record too, once, after that line,
// and a process that is told to stop between two renewals says nothing before it releases.
func (t *teller) trying(c *course) {
	p := c.pod
	var read *evidence.Saying
	for k := p.after(c.acquired); k < len(p.sayings) && p.sayings[k] != c.ends && !p.sayings[k].At.After(c.limit); k++ {
		s := p.sayings[k]
		text := strings.ToLower(s.Text)
		if s.Step != evidence.Failed && s.Step != evidence.Held || strings.Contains(text, "cancel") {
			continue
		}
		if read != nil {
			c.tries(read)
		}
		if read = nil; strings.Contains(text, readFailed) {
			read = s
		} else if s.Step == evidence.Held || strings.Contains(text, "failed to update") {
			c.tries(s)
		}
	}
	if read != nil && c.ends != nil && c.ends.Step == evidence.Lost && saysClientGo(c.ends) && c.ends.Source == read.Source {
		c.tries(read)
	}
}

// tries raises the course's until to the time of the line s, by which the process goes on trying to renew, if that is later.
func (c *course) tries(s *evidence.Saying) {
	c.later(c.pod.instant(s.At, 0).Low, s.Place, "its own log says that it goes on trying to renew, which it does while it works")
}

// later raises the course's until to at, by the server's clock, and sets why to a link with that place and text. If at is not
// later than until, it does nothing.
func (c *course) later(at time.Time, place evidence.Place, why string) {
	if at.After(c.until) {
		c.until, c.why = at, Link{[]evidence.Place{place}, why}
	}
}

// saysClientGo tells whether a line is in the words in which client-go says one of three things: that it stands for election,
// has acquired a lock, or has given up renewing it.
func saysClientGo(s *evidence.Saying) bool {
	text := strings.ToLower(s.Text)
	return s.Step == evidence.Tries && strings.Contains(text, "attempting to acquire leader lease") ||
		s.Step == evidence.Acquired && strings.Contains(text, "successfully acquired lease") ||
		s.Step == evidence.Lost && strings.Contains(text, "failed to renew lease")
}

// saysOurs tells whether a line is in the words in which the elector of this module says one of three things: that it stands for
// election, has acquired a lock, or has given up renewing it.
func saysOurs(s *evidence.Saying) bool {
	text := strings.ToLower(s.Text)
	return s.Step == evidence.Tries && strings.Contains(text, "contending for the lease") ||
		s.Step == evidence.Acquired && strings.Contains(text, "leading") ||
		s.Step == evidence.Lost && strings.Contains(text, "gave up renewing the lease")
}

// atDeadline tells whether a line in which a process gives up shows that it did so at its deadline, and not because it was told
// to stop, when the work's context ends before the line. client-go v0.24 and its neighbours say "timed out waiting for the
// condition" in both cases, so that this is false. An earlier line that a request exceeded its deadline does not tell either: a
// client's request timeout has the same words.
func atDeadline(s *evidence.Saying) bool {
	return strings.Contains(strings.ToLower(s.Text), "deadline exceeded")
}

// latest returns the later of two times.
func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
