package investigate

import (
	"fmt"
	"slices"

	"interregnum/internal/evidence"
)

// Tell concludes what it can for the lock. It returns an error if the evidence has nothing about it. No options are as options without any value.
func Tell(e *evidence.Evidence, lock evidence.Lock, o *Options) (*Story, error) {
	if o == nil {
		o = &Options{}
	}
	if !mentioned(e, lock) {
		return nil, fmt.Errorf("want a lock that the logs name, got %s %s/%s", lock.Resource, lock.Namespace, lock.Name)
	}
	s := &Story{Lock: lock, Writes: writesOf(e, lock)}
	s.Terms = termsOf(s.Writes)
	pods, stamp := podsOf(e, lock), stampUnit(lock)
	if !oneClock(e, lock) {
		pods = nil
	}
	for _, p := range pods {
		p.read(s.Writes)
		p.hear(s.Writes, s.Terms, stamp)
	}
	s.Offsets = offsetsOf(e, pods)
	var courses [][]*course
	for i := range s.Terms {
		c := coursesOf(pods, s.Writes, s.Terms, i, stamp)
		s.Terms[i].tellSpans(c, s.Writes, stamp)
		courses = append(courses, c)
	}
	mayGoOn(s.Terms)
	s.Pairs = pairsOf(s.Terms, courses, s.Writes, stamp)
	s.Timings = timingsOf(s.Writes, o)
	s.Losses = lossesOf(e, s, pods, courses)
	s.Notes = notes(e, s)
	return s, nil
}

// mentioned tells whether requests or sayings name the lock.
func mentioned(e *evidence.Evidence, lock evidence.Lock) bool {
	if len(e.Snapshots)+len(e.Notices) > 0 && noted(e, lock) {
		return true
	}
	for i := range e.Requests {
		if e.Requests[i].Lock == lock {
			return true
		}
	}
	for i := range e.Sayings {
		if l := &e.Sayings[i].Lock; l.Namespace == lock.Namespace && l.Name == lock.Name {
			return true
		}
	}
	return false
}

// noted tells whether objects or events are about the lock.
func noted(e *evidence.Evidence, lock evidence.Lock) bool {
	return slices.ContainsFunc(e.Snapshots, func(s evidence.Snapshot) bool { return s.Lock == lock }) ||
		slices.ContainsFunc(e.Notices, func(n evidence.Notice) bool { return n.Lock == lock })
}

// oneClock tells whether all requests about the lock may have been stamped by one clock: no two audit logs that have some are of the same
// time. Those of two servers would be.
func oneClock(e *evidence.Evidence, lock evidence.Lock) bool {
	var logs []*evidence.Source
	seen := map[int]bool{}
	for i := range e.Requests {
		if q := &e.Requests[i]; q.Lock == lock && !seen[q.Source] {
			seen[q.Source] = true
			logs = append(logs, &e.Sources[q.Source])
		}
	}
	for i, a := range logs {
		for _, b := range logs[:i] {
			if !a.First.After(b.Last) && !b.First.After(a.Last) {
				return false
			}
		}
	}
	return true
}

// notes says what is missing.
func notes(e *evidence.Evidence, s *Story) (all []string) {
	if len(s.Writes) == 0 {
		all = append(all, "No write with its record is logged, so that nobody is known to have held the lock. An audit policy of level RequestResponse logs them.")
	}
	for i := range s.Writes {
		if i > 0 && !s.Writes[i].Follows {
			all = append(all, "Between some writes others may be missing, or their versions are not logged. Nothing is certain across them.")
			break
		}
	}
	if !oneClock(e, s.Lock) {
		all = append(all, "Audit logs are of the same time, as those of several API servers are, whose clocks may differ. Nothing is certain.")
	}
	for i := range s.Terms {
		if s.Terms[i].Foreign {
			all = append(all, "A holder's client is not known to be client-go's. Nothing is concluded from how client-go behaves.")
			break
		}
	}
	return all
}
