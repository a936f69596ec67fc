package investigate

import (
	"maps"
	"slices"
	"time"

	"interregnum/internal/evidence"
)

// doubtsOf says in sentences why nothing is certain of a lock, whatever its processes have logged; nil if there is no reason.
func doubtsOf(e *evidence.Evidence, lock evidence.Lock) (all []string) {
	if !oneClock(e, lock) {
		all = append(all, "Audit logs are of the same time, as those of several API servers are, whose clocks may differ. Nothing is certain.")
	}
	if !oneObject(e, lock) {
		all = append(all, "Several objects of that name are written in turns, as by several clusters. Nothing is certain: want the logs of one.")
	}
	return all
}

// oneClock tells whether all requests about the lock may have been stamped by one clock: no two audit logs that have some are of the same
// time. Those of two servers would be. A request is logged when it has ended: one that has ended in a log may have begun in the time of the one before.
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

// oneObject tells whether requests about the lock may be about one object at a time: none that was there comes back after another one, as it does
// where the logs of several clusters are read together.
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
