package investigate

import (
	"fmt"
	"slices"
	"time"

	"interregnum/internal/evidence"
)

// sentLater returns those of the holder's writes in its term (see own and tried) whose refusal can be why the term ended: it perhaps
// stamped them after its last write, and they have not only met the next write. Those that were stamped earlier were under way for
// longer than the last write.
func (w *window) sentLater() (all []*evidence.Request) {
	for _, q := range w.tried(w.own()) {
		later := q.Wrote == nil || q.Wrote.Renew.IsZero() || q.Wrote.Renew.Add(w.t.stamp).After(w.last.Record.Renew)
		if later && !w.tooLate(q) {
			all = append(all, q)
		}
	}
	return all
}

// tooLate tells whether a write of the holder met a conflict with the next write: it was to replace the same version, and was not
// answered before that one was received. Why the holder had not written before is not known by that.
func (w *window) tooLate(q *evidence.Request) bool {
	return q.Status == 409 && q.Sent != "" && q.Sent == w.t.by[w.term.Last+1].Sent && !q.Answered.Before(w.next.Received)
}

// conflicted returns why the holder's writes in the window met conflicts (409), each of which is one of refused. If each was to replace
// a version that the holder itself had replaced before, it had not seen the answer to that write: then the cause is Slow if the server
// worked for a second or longer on one of all these writes, and otherwise Unreachable. Whoever else wrote the object is the cause
// (Conflicts) of all other conflicts, or perhaps is.
func (w *window) conflicted(refused []*evidence.Request) (l Link, cause Cause) {
	own, later, until := 0, false, w.last.Answered
	longest := w.t.by[w.term.Last]
	for _, q := range refused {
		l.Places = append(l.Places, q.Place)
		later = later || q.Sent != "" && q.Sent == w.t.by[w.term.Last].Got
		if w.met(q) {
			own++
		}
		if took(q) > took(longest) {
			longest = q
		}
		until = latest(until, q.Answered)
	}
	l.Text = "all of its writes that were received " + w.meanwhile() + " were refused because of conflicts (409)"
	if own < len(refused) {
		who := w.meddler(until)
		switch {
		case who != nil:
			l.Text += fmt.Sprintf(": %s had written the object", clientOf(who).name())
			l.Places = append(l.Places, who.Place)
		case !later:
			l.Text += "; whether with somebody else's write, or with its own that had no answer, is not known"
		}
		return l, Conflicts
	}
	l.Places = append(l.Places, w.last.Place)
	l.Text += " with its own last write: they were to replace the version that it had replaced, so that no answer to it had come in time"
	if took(longest) < slow {
		return l, Unreachable
	}
	l.Text += fmt.Sprintf("; the server worked on its writes for up to %v", took(longest))
	w.elsewhere(&l, "slow", func(q *evidence.Request) bool { return took(q) >= slow })
	return l, Slow
}

// met tells whether a write of the holder met a conflict with the holder's own last write: the one was to replace what the other had
// replaced, and was sent after it. It is false if that is not known, and if the last write made no version, since it changed nothing.
// client-go stamps a record once for both writes of an attempt, and reads between them.
func (w *window) met(q *evidence.Request) bool {
	last := w.t.by[w.term.Last]
	if q.Sent == "" || q.Sent != last.Sent || last.Got == "" || last.Got == last.Sent || q.Wrote == nil {
		return false
	}
	if !q.Wrote.Renew.Before(last.Wrote.Renew.Add(w.t.stamp)) {
		return true
	}
	return slices.ContainsFunc(w.within(w.t.clients[clientOf(last)]), func(read *evidence.Request) bool {
		return read.Verb == "get" && read.Received.Before(q.Received)
	})
}

// meddler returns the first request, received in the window and before until, by which another client wrote the object, whether or not
// its record is logged; nil if none is logged.
func (w *window) meddler(until time.Time) *evidence.Request {
	own := clientOf(w.t.by[w.term.Last])
	for _, q := range w.within(w.t.asked()) {
		if writing(q) && (q.Status == 200 || q.Status == 201) && clientOf(q) != own && q.Received.Before(until) && w.t.sameClock(q.Source, w.last.Source) {
			return q
		}
	}
	return nil
}
