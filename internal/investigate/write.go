package investigate

import (
	"cmp"
	"slices"
	"strconv"

	"interregnum/internal/evidence"
)

// writing tells whether a request is to write.
func writing(q *evidence.Request) bool {
	return q.Verb == "create" || q.Verb == "update" || q.Verb == "patch"
}

// accepted tells whether a request has written a record that is logged, and the server has said so.
func accepted(q *evidence.Request) bool {
	return writing(q) && q.Wrote != nil && (q.Status == 200 || q.Status == 201)
}

// sent is a write with the version that it was to replace and the one that it has made; 0 where it is not logged.
type sent struct {
	Write
	from, made uint64
	request    *evidence.Request
}

// writesOf returns the writes of a lock, in the order of their versions if each of them is logged, otherwise of their receipts. by
// has for each the request.
func writesOf(e *evidence.Evidence, lock evidence.Lock) (all []Write, by []*evidence.Request) {
	var found []sent
	versions := true
	for i := range e.Requests {
		if q := &e.Requests[i]; q.Lock == lock && accepted(q) {
			w := sent{Write: Write{Place: q.Place, Received: q.Received, Answered: q.Answered, Record: *q.Wrote, By: q.Agent}}
			w.from, w.made, w.request = version(q.Sent), version(q.Got), q
			versions = versions && w.made > 0
			found = append(found, w)
		}
	}
	slices.SortStableFunc(found, func(a, b sent) int {
		if versions && a.made != b.made {
			return cmp.Compare(a.made, b.made)
		}
		return a.Received.Compare(b.Received)
	})
	for i, w := range found {
		w.Follows = i > 0 && w.from > 0 && w.from == found[i-1].made
		all, by = append(all, w.Write), append(by, w.request)
	}
	return all, by
}

// version returns a resourceVersion as a number, 0 if it is none.
func version(s string) uint64 {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
