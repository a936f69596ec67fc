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

// writesOf returns the accepted writes of a lock, and those patches that took it from its holder (see withPatches), and in by the
// request of each. They are in the order of their versions if all of these are logged, otherwise in the order in which the server
// received them. Follows is set where the versions say that a write replaced that of the one before it in this order.
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
	if versions {
		found = withPatches(e, lock, found)
	}
	for i, w := range found {
		w.Follows = i > 0 && w.from > 0 && w.from == found[i-1].made
		all, by = append(all, w.Write), append(by, w.request)
	}
	return all, by
}

// withPatches returns the writes, which are in the order of the versions that they made, with those patches among them, in that order,
// that took the lock from its holder: the record in the answer names another than that of the write before, or nobody, and has the same
// times. So whoever sent the patch did not renew, and is no elector. Such a patch counts as a write of the record in the answer. What
// it replaced is not logged.
func withPatches(e *evidence.Evidence, lock evidence.Lock, found []sent) []sent {
	var patches []sent
	for i := range e.Requests {
		q := &e.Requests[i]
		if q.Lock != lock || q.Verb != "patch" || q.Wrote != nil || q.Saw == nil || q.Status != 200 || version(q.Got) == 0 {
			continue
		}
		as := *q
		as.Wrote = q.Saw
		patches = append(patches, sent{Write: Write{Place: q.Place, Received: q.Received, Answered: q.Answered, Record: *q.Saw, By: q.Agent}, made: version(q.Got), request: &as})
	}
	slices.SortStableFunc(patches, func(a, b sent) int { return cmp.Compare(a.made, b.made) })
	for _, p := range patches {
		k, made := slices.BinarySearchFunc(found, p.made, func(w sent, made uint64) int { return cmp.Compare(w.made, made) })
		if !made && k > 0 && takes(&found[k-1].Record, &p.Record) {
			found = slices.Insert(found, k, p)
		}
	}
	return found
}

// takes tells whether a record that replaced another takes the lock from its holder, and is no renewal.
func takes(before, after *evidence.Record) bool {
	same := after.Renew.Equal(before.Renew) || after.Renew.IsZero()
	return before.Holder != "" && after.Holder != before.Holder && same && after.Acquire.Equal(before.Acquire) && after.Transitions == before.Transitions
}

// version returns a resourceVersion as a number, 0 if it is no number.
func version(s string) uint64 {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
