package investigate

import (
	"cmp"
	"slices"
	"strconv"

	"interregnum/internal/evidence"
)

// writing tells whether a request asks to write the object: a create, an update or a patch.
func writing(q *evidence.Request) bool {
	return q.Verb == "create" || q.Verb == "update" || q.Verb == "patch"
}

// accepted tells whether a request has written a record that is logged, by the answer of the server.
func accepted(q *evidence.Request) bool {
	return writing(q) && q.Wrote != nil && (q.Status == 200 || q.Status == 201)
}

// sent is a write with the version that it was to replace (from) and the one that it has made; a version that is not logged is
// 0.
type sent struct {
	Write
	from, made uint64
	request    *evidence.Request
}

// writesOf returns the accepted writes of a lock, and in by the request of each. They are in the order of their versions if all
// of these are logged, otherwise in the order in which the server received them. Follows is set where the versions say that a write
// replaced that of the one before it in this order.
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

// version returns a resourceVersion as a number, 0 if it is no number.
func version(s string) uint64 {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
