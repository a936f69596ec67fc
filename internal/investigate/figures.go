package investigate

import (
	"regexp"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// Tally is how often something happened, by what is logged. Whole: what is logged shows each time, in the time that it covers. Otherwise it happened Least times
// or more, and a Least of 0 says nothing.
type Tally struct {
	Least int
	Whole bool
}

// Figures describe in numbers what is logged of a lock. If lines are missing from the logs, more has perhaps happened.
type Figures struct {
	// Holders is how many different names are known to have held the lock; 0 if none is.
	Holders int
	// Transitions is how often the holder has changed: by the record's own count, where writes have it. It is whole if several records are logged, of one
	// object at a time.
	Transitions Tally
	// Gap is the longest time between two writes of which the second is known to have replaced the first (Write.Follows), and GapAfter is
	// the first of them: an index into Story.Writes, -1 if there are no such two. Writes between which others may be missing do not count, nor
	// writes whose times may be by two clocks.
	Gap      time.Duration
	GapAfter int
	// Slowest is the request to write on which the server has worked longest, accepted or not. It is nil if none is logged.
	Slowest *evidence.Request
	// Conflicts, Throttled and Failed are requests that were answered with 409, with 429, and with 500 and above or not at all. They are whole if an audit log
	// has requests about the lock. Otherwise they are what the processes' own lines show.
	Conflicts, Throttled, Failed Tally
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
	f.Holders = len(seen)
	f.Transitions = transitions(s)
	for i := 1; i < len(s.Writes); i++ {
		a, b := &s.Writes[i-1], &s.Writes[i]
		if d := b.Received.Sub(a.Received); b.Follows && d > f.Gap && (!s.Several || a.Source == b.Source && e.Sources[a.Source].Unsure == "") {
			f.Gap, f.GapAfter = d, i-1
		}
	}
	for i := range e.Requests {
		f.request(&e.Requests[i], s.Lock, !e.Sources[e.Requests[i].Source].OneTime)
	}
	if !f.Conflicts.Whole {
		for _, p := range podsOf(e, s.Lock, true) {
			for _, line := range p.sayings {
				f.saying(line)
			}
		}
	}
	return f
}

// transitions returns how often the holder of the story's lock has changed. If a write is logged, or the records of several
// objects, it is what their holders and their counts of transitions show. Otherwise it is one less than the most names that
// signs of one kind show, at least: each holder but one has followed another. It is 0, and says nothing, if the story is
// Mixed.
func transitions(s *Story) (n Tally) {
	if s.Mixed {
		return Tally{}
	}
	least, greatest, _ := counts(s.Sightings)
	records := 0
	if len(s.Writes) > 0 {
		records = 2
	}
	names := map[Sign]map[string]bool{}
	for i := range s.Sightings {
		switch x := &s.Sightings[i]; x.Sign {
		case Held:
			if x.Transitions >= 0 {
				records += x.Times
			}
		case Began, Acquired, Leads, Named:
			if x.Sign == Leads && s.TwoLed { // both may have led all the time
				continue
			}
			if names[x.Sign] == nil {
				names[x.Sign] = map[string]bool{}
			}
			names[x.Sign][x.Holder] = true
			n.Least = max(n.Least, len(names[x.Sign])-1)
		}
	}
	if records < 2 {
		return n
	}
	n = Tally{Whole: true}
	for i := 1; i < len(s.Writes); i++ {
		n.Least += changes(&s.Writes[i-1].Record, &s.Writes[i].Record)
	}
	n.Least = max(n.Least, greatest-least)
	return n
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

// request counts a request by its status, and stores it as Slowest if it is the slowest write so far and timed: its log has both of its times. A
// request about another lock does not count.
func (f *Figures) request(q *evidence.Request, lock evidence.Lock, timed bool) {
	if q.Lock != lock {
		return
	}
	f.Conflicts.Whole, f.Throttled.Whole, f.Failed.Whole = true, true, true
	switch {
	case q.Status == 409:
		f.Conflicts.Least++
	case q.Status == 429:
		f.Throttled.Least++
	case q.Status == 0 || q.Status >= 500:
		f.Failed.Least++
	}
	if timed && writing(q) && (f.Slowest == nil || took(q) > took(f.Slowest)) {
		f.Slowest = q
	}
}

// The words of errors, in lower case, that say how a request was answered.
var (
	saysThrottled = regexp.MustCompile(`(?:answered|status|code|http|error)\W{1,3}429\b|too ?many ?requests`)
	saysConflict  = regexp.MustCompile(`(?:answered|status|code|http|error)\W{1,3}409\b|the object has been modified|already exists`)
	saysFailed    = regexp.MustCompile(`(?:answered|status|code|http|error)\W{1,3}5\d\d\b|etcdserver: |internal error|serviceunavailable|currently unable to handle|unable to return a response`)
)

// saying counts a line by which a process says how a request about the lock failed. Other lines do not count.
func (f *Figures) saying(s *evidence.Saying) {
	if s.Step != evidence.Failed {
		return
	}
	text := strings.ToLower(address.ReplaceAllString(s.Text, ""))
	switch {
	case saysThrottled.MatchString(text):
		f.Throttled.Least++
	case saysConflict.MatchString(text):
		f.Conflicts.Least++
	case saysFailed.MatchString(text) || lacksAnswer(text):
		f.Failed.Least++
	}
}

// took returns how long the server has worked on a request, by its own log.
func took(q *evidence.Request) time.Duration { return q.Answered.Sub(q.Received) }

// Verdict returns the worst verdict on the work of the story's pairs: Certain before Possible before Impossible. Pairs of two
// terms of one holder do not count. It returns "" if there is no other pair, and Possible for a story that is Mixed.
func (s *Story) Verdict() (worst Verdict) {
	if s.Mixed {
		return Possible
	}
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
