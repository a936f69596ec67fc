package investigate

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"interregnum/internal/evidence"
)

// remedy sets l.Remedy to timings that would have carried the term over, and adds the reason to l.Chain. It does so only if
// requests failed for a time, for a cause that can be over after a while, and the server later took a request of the same client.
// If RetryPeriod is not known, or the client is perhaps not client-go, it does nothing.
func (l *Loss) remedy(w *window) {
	switch l.Cause {
	case Throttled, Forbidden, Failing, Slow, Unreachable:
	default:
		return
	}
	again := w.again()
	period := w.period()
	if again == nil || period == 0 || w.term.Foreign {
		return
	}
	// One attempt may have begun before, and is given up after the request timeout; the next one begins a period later.
	lasts := again.Answered.Sub(w.last.Received)
	r := Remedy{RequestTimeout: max(up(period), up(w.answers(again)+period/2))}
	r.RenewDeadline = up(lasts + period + r.RequestTimeout)
	r.LeaseDuration = up(r.RenewDeadline + period + r.RequestTimeout)
	l.Remedy = &r
	l.Chain = append(l.Chain, Link{[]evidence.Place{again.Place}, fmt.Sprintf(
		"%v after its last renewal the server answered its client again: a request timeout of %v, a RenewDeadline of %v and a LeaseDuration of %v would have carried it over, if nothing else had failed",
		lasts.Round(time.Millisecond), r.RequestTimeout, r.RenewDeadline, r.LeaseDuration)})
}

// answers returns how long the server worked at most on a request about the lock to which it gave a normal answer, of those that it received
// after the holder's last write, and up to again or to the next write: a client with a shorter timeout would not have seen that answer.
func (w *window) answers(again *evidence.Request) (most time.Duration) {
	until := latest(again.Received, w.next.Received)
	all := w.t.asked()
	for k := sort.Search(len(all), func(k int) bool { return all[k].Received.After(w.last.Received) }); k < len(all) && !all[k].Received.After(until); k++ {
		if q := all[k]; normal(q) && w.t.sameClock(q.Source, w.last.Source) {
			most = max(most, took(q))
		}
	}
	return most
}

// normal tells whether the server gave a request an answer that an elector can go on with.
func normal(q *evidence.Request) bool {
	return q.Status == 200 || q.Status == 201 || q.Status == 404 || q.Status == 409
}

// up returns d rounded up to whole seconds.
func up(d time.Duration) time.Duration { return (d + time.Second - 1).Truncate(time.Second) }

// again returns the first request of the holder's client, after its last write and all that were refused in the window, to which
// the server gave a normal answer; nil if there is none, or if the address of that client is not logged. It can be of any verb.
func (w *window) again() *evidence.Request {
	last := w.t.by[w.term.Last]
	if last.From == "" {
		return nil
	}
	all := w.t.clients[clientOf(last)]
	from := w.last.Received
	for _, q := range w.own() {
		from = latest(from, q.Received)
	}
	for k := sort.Search(len(all), func(k int) bool { return all[k].Received.After(from) }); k < len(all); k++ {
		if normal(all[k]) && w.t.sameClock(all[k].Source, last.Source) {
			return all[k]
		}
	}
	return nil
}

// period returns RetryPeriod. If that is not given, it returns the median time from one of the holder's writes in this term to
// the next, over the last 101 of these times; 0 if the term has a single write.
func (w *window) period() time.Duration {
	if known := w.t.o.RetryPeriod; known > 0 {
		return known
	}
	var gaps []time.Duration
	for i := max(w.term.First+1, w.term.Last-100); i <= w.term.Last; i++ {
		gaps = append(gaps, w.t.s.Writes[i].Received.Sub(w.t.s.Writes[i-1].Received))
	}
	if len(gaps) == 0 {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// client is the sender of requests, as the server sees it.
type client struct{ from, agent, user string }

// clientOf returns the client that sent a request.
func clientOf(q *evidence.Request) client { return client{q.From, q.Agent, q.User} }
