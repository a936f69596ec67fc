package investigate

import (
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// course is what a pod says of one of its terms.
type course struct {
	pod *pod
	// acquired is its saying that it has acquired the lock; begun is when it said so.
	acquired *evidence.Saying
	begun    Instant
	// ends is the next saying of the pod which shows another state, nil if there is none; ended is when it said so.
	ends  *evidence.Saying
	ended Instant
}

// coursesOf finds what a pod says of the i-th term, for each time that it has acquired the lock in it: a process that begins again
// under its old name goes on with its term. It leaves out what is not sure to be about this term: writes of the pod may be missing, or
// the times are too coarse.
func coursesOf(pods []*pod, writes []Write, terms []Term, i int, stamp time.Duration) (all []*course) {
	t := &terms[i]
	p := podOf(pods, t.Holder)
	if p == nil || p.vague || p.set() {
		return nil
	}
	for n, s := range p.sayings {
		if s.Step != evidence.Acquired || p.termOf(s, writes, terms, stamp) != i {
			continue
		}
		c := &course{pod: p, acquired: s, begun: p.instant(s.At, unit(s))}
		c.begun.Low = latest(c.begun.Low, writes[t.First].Received)
		if !complete(writes, t.First, c.begun.High) {
			continue
		}
		c.end(p.sayings[n+1:])
		all = append(all, c)
	}
	return all
}

// end finds what ends a course among what the pod says afterwards.
func (c *course) end(after []*evidence.Saying) {
	for _, s := range after {
		if turns(s.Step) {
			c.ends, c.ended = s, c.pod.instant(s.At, unit(s))
			return
		}
	}
}

// turns tells whether a step shows that a term is over, or will be, or that another one has begun.
func turns(s evidence.Step) bool {
	return s == evidence.Lost || s == evidence.Ends || s == evidence.Released || s == evidence.Tries || s == evidence.Acquired
}

// complete tells whether no write is missing from the i-th to the first one that was received after until.
func complete(writes []Write, i int, until time.Time) bool {
	if until.IsZero() {
		return false
	}
	for k := i + 1; k < len(writes); k++ {
		if !writes[k].Follows {
			return false
		}
		if writes[k].Received.After(until) {
			return true
		}
	}
	return false
}

// saysClientGo tells whether a line is in the words in which client-go says that it stands for election, has acquired a lock, or has
// given up renewing it.
func saysClientGo(s *evidence.Saying) bool {
	text := strings.ToLower(s.Text)
	return s.Step == evidence.Tries && strings.Contains(text, "attempting to acquire leader lease") ||
		s.Step == evidence.Acquired && strings.Contains(text, "successfully acquired lease") ||
		s.Step == evidence.Lost && strings.Contains(text, "failed to renew lease")
}

// cancelled tells whether a process gave up since it was told to stop. Then the work's context has ended before it says so.
func cancelled(s *evidence.Saying) bool {
	text := strings.ToLower(s.Text)
	return !strings.Contains(text, "deadline exceeded") && !strings.Contains(text, "timed out waiting for the condition")
}

// tellSpans concludes when the holder of the i-th term believed and worked.
func (t *Term) tellSpans(courses []*course, writes []Write, stamp time.Duration) {
	first := &writes[t.First]
	t.Worked.Start.Low, t.Belief.Start.Low = first.Received, first.Received
	why := Link{[]evidence.Place{first.Place}, "it could not lead by this term before the server had received the write that began it"}
	if !first.Follows {
		// It may have held the lock before, by writes that are missing.
		t.Worked.Start.Low, t.Belief.Start.Low = time.Time{}, time.Time{}
		why.Text = "writes before this one may be missing: it may have led before"
	}
	t.Worked.Why, t.Belief.Why = []Link{why}, []Link{why}
	if len(courses) == 0 || t.Foreign || !saysClientGo(courses[0].acquired) {
		return
	}
	c := courses[0]
	t.Worked.Start.High, t.Belief.Start.High = c.begun.High, c.begun.High
	said := Link{[]evidence.Place{c.acquired.Place}, "its own log says that it has acquired the lock"}
	until, lasts := t.lastSure(c, writes, stamp)
	t.Worked.End.Low = until
	t.Worked.Why = append(t.Worked.Why, said, lasts)
	if last := t.lastRenewal(c, writes, until); last >= 0 {
		t.Belief.End.Low = c.pod.instant(writes[last].Record.Renew, 0).Low
		t.Belief.Why = append(t.Belief.Why, said, Link{[]evidence.Place{writes[last].Place}, "it renewed the lock, and nobody else had written since"})
	}
}

// lastRenewal returns the last renewal of the term that was certainly stamped by until, such that no write is missing before it; -1 if
// there is none.
func (t *Term) lastRenewal(c *course, writes []Write, until time.Time) (last int) {
	last = -1
	for i := t.First + 1; i <= t.Last && writes[i].Follows; i++ {
		if high := c.pod.instant(writes[i].Record.Renew, 0).High; !high.IsZero() && !high.After(until) {
			last = i
		}
	}
	return last
}

// lastSure returns the last time at which the term's work certainly went on: when its log says that it gave up renewing, or when it
// stamped its last renewal before the log says otherwise or ends.
func (t *Term) lastSure(c *course, writes []Write, stamp time.Duration) (until time.Time, why Link) {
	p := c.pod
	until, why = c.begun.Low, Link{[]evidence.Place{c.acquired.Place}, "nothing later is known for certain"}
	if c.ends != nil && c.ends.Step == evidence.Lost && saysClientGo(c.ends) && !cancelled(c.ends) {
		return c.ended.Low, Link{[]evidence.Place{c.ends.Place}, "its own log says that it gives up renewing; client-go ends the work's context only then, unless it is told to stop between its deadline and this line"}
	}
	limit := p.sayings[len(p.sayings)-1].At
	if c.ends != nil {
		limit = c.ends.At
	}
	for i := t.First; i <= t.Last; i++ {
		w := &writes[i]
		at := p.instant(w.Record.Renew, 0).Low
		if w.Record.Renew.After(c.acquired.At) && !w.Record.Renew.Add(stamp).After(limit) && at.After(until) {
			until, why = at, Link{[]evidence.Place{w.Place}, "it stamped this renewal, which it does while it works"}
		}
	}
	return until, why
}

// latest returns the later of two times.
func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
