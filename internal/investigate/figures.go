package investigate

import (
	"time"

	"interregnum/internal/evidence"
)

// Figures describe in numbers what is logged of a lock. If lines are missing from the logs, more has perhaps happened.
type Figures struct {
	// Holders is how many different names have held the lock.
	Holders int
	// Transitions is how often the holder has changed: by the record's own count, where writes have it.
	Transitions int
	// Gap is the longest time between two writes of which the second is known to have replaced the first (Write.Follows), and GapAfter is
	// the first of them: an index into Story.Writes, -1 if there are no such two. Writes between which others may be missing do not count, nor
	// writes whose times may be by two clocks.
	Gap      time.Duration
	GapAfter int
	// Slowest is the request to write on which the server has worked longest, accepted or not. It is nil if none is logged.
	Slowest *evidence.Request
	// Conflicts, Throttled and Failed are requests that were answered with 409, with 429, and with 500 and above or not at all.
	Conflicts, Throttled, Failed int
}

// Count returns the figures of a lock. e is what is logged about it, s its story.
func Count(e *evidence.Evidence, s *Story) Figures {
	f := Figures{GapAfter: -1}
	seen := map[string]bool{}
	for i := range s.Terms {
		seen[s.Terms[i].Holder] = true
	}
	for i := range s.Sightings {
		if x := &s.Sightings[i]; x.Sign == Held || x.Sign == Began || x.Sign == Stopped || x.Sign == Acquired {
			seen[x.Holder] = true
		}
	}
	least, greatest, _ := counts(s.Sightings)
	f.Holders = len(seen)
	for i := 1; i < len(s.Writes); i++ {
		a, b := &s.Writes[i-1], &s.Writes[i]
		f.Transitions += changes(&a.Record, &b.Record)
		if d := b.Received.Sub(a.Received); b.Follows && d > f.Gap && (a.Source == b.Source || !s.Several) {
			f.Gap, f.GapAfter = d, i-1
		}
	}
	f.Transitions = max(f.Transitions, greatest-least)
	for i := range e.Requests {
		f.request(&e.Requests[i], s.Lock)
	}
	return f
}

// changes returns how often the holder has changed, at least, from one record to a later one: by the records' counts of
// transitions, or by their holders if the count has not grown. The count starts anew when the object is deleted.
func changes(from, to *evidence.Record) int {
	if to.Transitions > from.Transitions {
		return to.Transitions - from.Transitions
	}
	if to.Holder != "" && from.Holder != "" && to.Holder != from.Holder {
		return 1
	}
	return 0
}

// request counts a request by its status, and stores it as Slowest if it is the slowest write so far. A request about another
// lock does not count.
func (f *Figures) request(q *evidence.Request, lock evidence.Lock) {
	if q.Lock != lock {
		return
	}
	switch {
	case q.Status == 409:
		f.Conflicts++
	case q.Status == 429:
		f.Throttled++
	case q.Status == 0 || q.Status >= 500:
		f.Failed++
	}
	writes := q.Verb == "create" || q.Verb == "update" || q.Verb == "patch"
	if writes && (f.Slowest == nil || took(q) > took(f.Slowest)) {
		f.Slowest = q
	}
}

// took returns how long the server has worked on a request, by its own log.
func took(q *evidence.Request) time.Duration { return q.Answered.Sub(q.Received) }

// Verdict returns the worst verdict on the work of the story's pairs: Certain before Possible before Impossible. Pairs of two
// terms of one holder do not count. It returns "" if there is no other pair.
func (s *Story) Verdict() (worst Verdict) {
	for i := range s.Pairs {
		switch v := s.Pairs[i].Worked.Verdict; {
		case s.Same(&s.Pairs[i]):
		case v == Certain, worst == "", worst == Impossible:
			worst = v
		}
	}
	return worst
}

// Same tells whether a pair is of two terms of one holder, which has released the lock in between. It is false if the story has
// no such terms.
func (s *Story) Same(p *Pair) bool {
	return p.Old < len(s.Terms) && p.New < len(s.Terms) && s.Terms[p.Old].Holder == s.Terms[p.New].Holder
}
