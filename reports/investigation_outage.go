package reports

import (
	"slices"
	"sort"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/internal/evidence"
	"interregnum/reports/internal/words"
)

// Outage is a time in which the API server refused, failed, gave no answer or was slow, for the requests about all locks.
type Outage struct {
	Kind        behaviour.Kind
	From, Until time.Time
	// Requests is how many requests were received meanwhile. Failed is how many of them were answered with 408, with 429, with 500
	// and above, or not at all. Locks is how many locks they are about.
	Requests, Failed, Locks int
}

// Received are requests in the order in which the server received them.
type Received []*evidence.Request

// NewReceived returns the requests that count for outages, sorted by when the server received them. Lists and watches do not count,
// since an informer lets them last long.
func NewReceived(requests []evidence.Request) (all Received) {
	for i := range requests {
		if q := &requests[i]; q.Verb != "list" && q.Verb != "watch" {
			all = append(all, q)
		}
	}
	slices.SortStableFunc(all, func(a, b *evidence.Request) int { return a.Received.Compare(b.Received) })
	return all
}

// Outage returns an outage of that kind from one instant until another. It counts in it the requests of r that were received
// between both, which are included.
func (r Received) Outage(kind behaviour.Kind, from, until time.Time) Outage {
	o := Outage{Kind: kind, From: from, Until: until}
	locks := map[evidence.Lock]bool{}
	for _, q := range r[sort.Search(len(r), func(i int) bool { return !r[i].Received.Before(from) }):] {
		if q.Received.After(until) {
			break
		}
		o.Requests++
		locks[q.Lock] = true
		if q.Status == 0 || q.Status == 408 || q.Status == 429 || q.Status >= 500 {
			o.Failed++
		}
	}
	o.Locks = len(locks)
	return o
}

// OutageTable returns the table of the outages. If there are more outages than most, which must not be negative, it has rows for
// the last ones, as many as most says.
func (v *Investigation) OutageTable(most int) Table {
	t := Table{Columns: []string{"from", "for", "what", "requests", "failed", "locks"}, Left: max(0, len(v.Outages)-most)}
	for _, o := range v.Outages[t.Left:] {
		t.Rows = append(t.Rows, []string{ClockTime(o.From), words.Duration(o.Until.Sub(o.From)), string(o.Kind), words.Count(o.Requests), words.Count(o.Failed), words.Count(o.Locks)})
	}
	return t
}
