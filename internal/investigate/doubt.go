package investigate

import (
	"maps"
	"slices"
	"time"

	"interregnum/internal/evidence"
)

// doubtsOf returns sentences that say why nothing is certain of a lock, whatever its processes have logged; nil if there is no
// reason.
func doubtsOf(e *evidence.Evidence, lock evidence.Lock) (all []string) {
	if !oneClock(e, lock) {
		all = append(all, "Audit logs are of the same time, as those of several API servers are, whose clocks may differ. Nothing is certain.")
	}
	if !oneObject(e, lock) {
		all = append(all, "Several objects of that name are written in turns, as by several clusters. Nothing is certain: want the logs of one.")
	}
	return all
}

// oneClock tells whether one clock can have stamped all requests about the lock. It is false if two audit logs with such
// requests overlap in time, as those of two servers do. A request is logged when it has ended, so that a log's first request can
// have begun in the time of the log before.
func oneClock(e *evidence.Evidence, lock evidence.Lock) bool {
	ended := map[int]time.Time{} // the first request of each log
	about := map[int]bool{}
	for i := range e.Requests {
		q := &e.Requests[i]
		about[q.Source] = about[q.Source] || q.Lock == lock
		if first, has := ended[q.Source]; !has || q.Answered.Before(first) {
			ended[q.Source] = q.Answered
		}
	}
	logs := slices.Sorted(maps.Keys(ended))
	for i, a := range logs {
		for _, b := range logs[:i] {
			if about[a] && about[b] && !ended[a].After(e.Sources[b].Last) && !ended[b].After(e.Sources[a].Last) {
				return false
			}
		}
	}
	return true
}

// oneObject tells whether the requests about the lock can be about one object at a time. It is false if an object comes back
// after another one, by their UIDs, as happens when the logs of several clusters are read together.
func oneObject(e *evidence.Evidence, lock evidence.Lock) bool {
	var all []*evidence.Request
	for i := range e.Requests {
		if q := &e.Requests[i]; q.Lock == lock && q.UID != "" {
			all = append(all, q)
		}
	}
	slices.SortStableFunc(all, func(a, b *evidence.Request) int { return a.Answered.Compare(b.Answered) })
	over, last := map[string]bool{}, ""
	for _, q := range all {
		if q.UID == last {
			continue
		}
		if over[q.UID] {
			return false
		}
		over[last], last = true, q.UID
	}
	return true
}
