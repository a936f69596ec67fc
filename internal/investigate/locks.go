package investigate

import (
	"cmp"
	"iter"
	"slices"

	"interregnum/internal/evidence"
)

// Part is a lock, and the part of the evidence that is about it.
type Part struct {
	Lock evidence.Lock
	// Evidence has the requests, sayings, notices and snapshots about the lock, and the samples of its name, if no other lock has it. Sources
	// and silences are those of all. Where nothing but samples has that name, it is taken for that of a Lease in the namespace of the samples.
	Evidence *evidence.Evidence
}

// Parts divides the evidence by locks, and sorts the parts by namespace, name and resource. If only process logs or samples
// name a lock, it is taken for a Lease, unless the errors in the logs name another resource. A line without a lock's name, and a
// sample whose name several locks share, is in no part. Each part's Elsewhere is the requests about any lock that were slow,
// refused with 429, or failed. Parts changes the order of e.Requests, so that the requests of a lock stand together; the parts
// share them with e.
func Parts(e *evidence.Evidence) (all []Part) {
	byLock, byName := map[evidence.Lock]*evidence.Evidence{}, map[evidence.Lock][]*evidence.Evidence{}
	of := func(l evidence.Lock) *evidence.Evidence {
		p := byLock[l]
		if p == nil {
			p = &evidence.Evidence{Sources: e.Sources, Silences: e.Silences}
			byLock[l] = p
			all = append(all, Part{l, p})
			l.Resource = ""
			byName[l] = append(byName[l], p)
		}
		return p
	}
	for from, until := range together(e.Requests) {
		of(e.Requests[from].Lock).Requests = e.Requests[from:until:until]
	}
	for i := range e.Snapshots {
		p := of(e.Snapshots[i].Lock)
		p.Snapshots = append(p.Snapshots, e.Snapshots[i])
	}
	for i := range e.Notices {
		p := of(e.Notices[i].Lock)
		p.Notices = append(p.Notices, e.Notices[i])
	}
	resources := resourcesOf(e.Sayings)
	for i := range e.Sayings {
		l := e.Sayings[i].Lock
		if l.Name == "" {
			continue
		}
		l.Resource = ""
		if byName[l] == nil {
			of(evidence.Lock{Resource: cmp.Or(resources[l], "leases"), Namespace: l.Namespace, Name: l.Name})
		}
		for _, p := range byName[l] {
			p.Sayings = append(p.Sayings, e.Sayings[i])
		}
	}
	troubled := troubles(e)
	for _, p := range all {
		p.Evidence.Elsewhere = troubled
	}
	named := map[string][]*evidence.Evidence{}
	for _, p := range all {
		named[p.Lock.Name] = append(named[p.Lock.Name], p.Evidence)
	}
	for i := range e.Samples {
		s := &e.Samples[i]
		switch only := named[s.Name]; {
		case len(only) == 1:
			only[0].Samples = append(only[0].Samples, *s)
		case len(only) == 0 && s.Name != "":
			p := of(evidence.Lock{Resource: "leases", Namespace: s.Namespace, Name: s.Name})
			p.Samples = append(p.Samples, *s)
		}
	}
	slices.SortFunc(all, func(a, b Part) int {
		return cmp.Or(cmp.Compare(a.Lock.Namespace, b.Lock.Namespace), cmp.Compare(a.Lock.Name, b.Lock.Name), cmp.Compare(a.Lock.Resource, b.Lock.Resource))
	})
	return all
}

// resourcesOf returns, for each lock that lines of logs name, the resource that their errors name; leases if they name several,
// as where a lock is moved from one to a Lease.
func resourcesOf(all []evidence.Saying) map[evidence.Lock]string {
	found := map[evidence.Lock]string{}
	for i := range all {
		s := &all[i]
		if s.Resource == "" || s.Lock.Name == "" {
			continue
		}
		if before, known := found[s.Lock]; known && before != s.Resource {
			found[s.Lock] = "leases"
			continue
		}
		found[s.Lock] = s.Resource
	}
	return found
}

// together sorts the requests in place so that those of each lock stand together, in their former order. It returns an iterator
// that yields, for each lock, the index of its first request and the index after its last one.
func together(all []evidence.Request) iter.Seq2[int, int] {
	index := map[evidence.Lock]int{}
	var ends []int
	for i := range all {
		k, known := index[all[i].Lock]
		if !known {
			k = len(ends)
			index[all[i].Lock] = k
			ends = append(ends, 0)
		}
		ends[k]++
	}
	next := make([]int, len(ends))
	for k := 1; k < len(ends); k++ {
		next[k] = ends[k-1]
		ends[k] += ends[k-1]
	}
	to := make([]int, len(all))
	for i := range all {
		k := index[all[i].Lock]
		to[i] = next[k]
		next[k]++
	}
	for i := range to {
		for to[i] != i {
			k := to[i]
			all[i], all[k] = all[k], all[i]
			to[i], to[k] = to[k], to[i]
		}
	}
	return func(yield func(int, int) bool) {
		from := 0
		for _, until := range ends {
			if !yield(from, until) {
				return
			}
			from = until
		}
	}
}

// troubles returns the requests that were slow, refused with 429, or failed, sorted by when they were received. Those whose times are Unsure are left out.
func troubles(e *evidence.Evidence) (found []evidence.Request) {
	for i := range e.Requests {
		q := &e.Requests[i]
		if e.Sources[q.Source].Unsure == "" && (took(q) >= slow || q.Status == 429 || q.Status >= 500 || q.Status == 0) {
			found = append(found, *q)
		}
	}
	slices.SortStableFunc(found, func(a, b evidence.Request) int { return a.Received.Compare(b.Received) })
	return found
}
