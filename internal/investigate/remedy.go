package investigate

import (
	"fmt"
	"slices"
	"time"

	"interregnum/internal/evidence"
)

// remedy sets l.Remedy to timings that would have carried the term over, and adds the reason to l.Chain. It does so only if
// requests failed, or did not come, for a time, for a cause that can be over after a while, and the same client later had an answer (see
// again). Otherwise it adds why there are none, and what helps; nothing if the client is perhaps not client-go.
func (l *Loss) remedy(w *window) {
	if why := unhelped[l.Cause]; why != "" {
		l.Chain = append(l.Chain, Link{nil, why})
	}
	switch l.Cause {
	case Throttled, Forbidden, Rejected, Failing, Slow, Unreachable, StoodStill, Silent:
	default:
		return
	}
	again, period, none := w.again(), w.period(), ""
	switch {
	case w.term.Foreign:
		return
	case w.stopped():
		none = "its own log says that it was told to stop"
	case l.Cause == Silent && !w.wentOn():
		none = "nothing shows that the process went on"
	case again == nil:
		none = "no later request of its client is known to have had a normal answer"
	case period == 0:
		none = "RetryPeriod is not (--retry-period)"
	}
	if none != "" {
		l.Chain = append(l.Chain, Link{nil, "which timings would have carried it over is not known: " + none})
		return
	}
	// One attempt may have begun before, and is given up after the request timeout; the next one begins a period later.
	opened, since := w.opened(), "its last renewal"
	lasts := again.Answered.Sub(opened)
	if opened.Before(w.last.Received) {
		since = "the attempt with which its last poll had begun, or an earlier one,"
	}
	provided := "if nothing else had failed"
	if !writing(again) {
		provided = "if a write had been answered then as that read was, and nothing else had failed"
	}
	r := Remedy{RequestTimeout: max(up(period), up(w.answers(again)+period/2))}
	r.RenewDeadline = up(lasts + period + r.RequestTimeout)
	r.LeaseDuration = up(r.RenewDeadline + period + r.RequestTimeout)
	l.Remedy = &r
	l.Chain = append(l.Chain, Link{[]evidence.Place{again.Place}, fmt.Sprintf(
		"%v after %s the server answered its client again: a request timeout of %v, a RenewDeadline of %v and a LeaseDuration of %v would have carried it over, %s",
		lasts.Round(time.Millisecond), since, r.RequestTimeout, r.RenewDeadline, r.LeaseDuration, provided)})
}

// unhelped says, of causes against which no timings help, what does.
var unhelped = map[Cause]string{
	Limited:   "a limiter with more tokens (QPS and Burst), or a client of its own for the lock, would have helped; longer timings only delay that",
	Conflicts: "longer timings do not help while somebody else writes the object: see who does",
	Edited:    "no timings help against that: whoever may update the object may take the lock",
	Gone:      "no timings help against that: whoever may delete the object may end a term",
	Ended:     "no timings carry a term over the end of its process; with a shorter LeaseDuration another one takes over earlier",
}

// answers returns how long the server worked at most on a request about the lock to which it gave a normal answer, of those that it received
// after the holder's last write, and up to again or to the next write: a client with a shorter timeout would not have seen that answer.
func (w *window) answers(again *evidence.Request) (most time.Duration) {
	until := latest(again.Received, w.next.Received)
	for _, q := range w.since(w.t.asked()) {
		if q.Received.After(until) {
			break
		}
		if normal(q) && w.t.sameClock(q.Source, w.last.Source) {
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
