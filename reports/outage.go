package reports

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/internal/evidence"
)

// Outage is a time in which the API server refused, failed, gave no answer or was slow, for the requests about all locks.
type Outage struct {
	Kind behaviour.Kind `json:"kind"`
	// From and Until are in UTC.
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
	// Requests is how many requests were received meanwhile. Failed is how many of them were answered with 408, with 429, with 500
	// and above, or not at all. Locks is how many locks those are about that failed or were answered slowly.
	Requests int `json:"requests"`
	Failed   int `json:"failed"`
	Locks    int `json:"locks"`
	// Of is the only client whose requests these are, nil if it was not of one alone.
	Of *Client `json:"of,omitempty"`
}

// Client is a program that asks a server.
type Client struct {
	// Address and Agent are as the server has logged them.
	Address string `json:"address,omitempty"`
	Agent   string `json:"userAgent,omitempty"`
}

// String returns the address, or the agent if no address is logged.
func (c *Client) String() string { return cmp.Or(c.Address, c.Agent, "one client") }

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
// between both, which are included. An answer that took longer than slow is a slow one.
func (r Received) Outage(kind behaviour.Kind, from, until time.Time, slow time.Duration) Outage {
	o := Outage{Kind: kind, From: from.UTC(), Until: until.UTC()}
	locks := map[evidence.Lock]bool{}
	for _, q := range r[sort.Search(len(r), func(i int) bool { return !r[i].Received.Before(from) }):] {
		if q.Received.After(until) {
			break
		}
		o.Requests++
		failed := q.Status == 0 || q.Status == 408 || q.Status == 429 || q.Status >= 500
		if failed {
			o.Failed++
		}
		if failed || q.Answered.Sub(q.Received) > slow {
			locks[q.Lock] = true
		}
	}
	o.Locks = len(locks)
	return o
}
