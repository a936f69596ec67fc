package investigate

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// refused returns the cause for which the server refused all of the holder's writes in the window that it did not take; if there are no
// writes, all of its reads (see ownReads). It returns no cause ("") if it refused none, or for several reasons, or for one that is no
// cause; or if it took one whose record is not logged, which may have renewed the lease. A single refusal with 500 or 504, or without
// an answer, shows nothing: the server logs the same for a request whose client has ended meanwhile. Of conflicts see conflicted.
func (w *window) refused() (l Link, cause Cause) {
	reasons := map[int]Cause{401: Rejected, 403: Forbidden, 409: Conflicts, 429: Throttled}
	gone, most := false, time.Duration(0)
	asked, what := w.sentLater(), "writes"
	if len(asked) == 0 {
		asked, what = w.ownReads(), "reads"
		delete(reasons, 409) // no read meets a conflict
	}
	for _, q := range asked {
		if q.Status == 200 || q.Status == 201 {
			if q.Wrote == nil {
				return Link{}, ""
			}
			continue
		}
		gone = q.Status == 0 || q.Status == 500 || q.Status == 504
		why := reasons[q.Status]
		if q.Status >= 500 || q.Status == 0 {
			why = Failing
		}
		if why == "" || cause != "" && why != cause {
			return Link{}, ""
		}
		cause, most = why, max(most, took(q))
		l.Places = append(l.Places, q.Place)
	}
	if gone && len(l.Places) == 1 {
		return Link{}, ""
	}
	l.Text = "all of its " + what + " that were received " + w.meanwhile() + " were refused: " + string(cause)
	switch cause {
	case Conflicts:
		return w.conflicted(asked)
	case Throttled:
		by, limited := w.throttler(asked)
		l.Text += by
		if limited {
			w.names(&l)
		}
		w.elsewhere(&l, "refused (429)", func(q *evidence.Request) bool { return q.Status == 429 })
	case Failing:
		if most >= slow {
			l.Text += fmt.Sprintf("; it worked on one of them for %v, so that it was slow, too", most)
		}
		w.elsewhere(&l, "failed", func(q *evidence.Request) bool { return q.Status >= 500 || q.Status == 0 })
	}
	return l, cause
}

// ownReads returns the reads of the holder's client that the server received in the window, if the holder's own log says that reading
// failed in that time: a holder reads the record before it writes, unless it renews its own. Otherwise it returns nil: others may read
// from there.
func (w *window) ownReads() (all []*evidence.Request) {
	from, known := w.client()
	if !known || !slices.ContainsFunc(w.said(), unread) {
		return nil
	}
	for _, q := range w.tried(w.within(w.t.clients[from])) {
		if q.Verb == "get" {
			all = append(all, q)
		}
	}
	return all
}

// elsewhere adds to l that requests about other locks had the same trouble in the window, with the number of these locks and the
// place of the first request. fits selects the requests, and how is the trouble as text. If there are none it adds nothing.
func (w *window) elsewhere(l *Link, how string, fits func(*evidence.Request) bool) {
	all := w.t.e.Elsewhere
	locks := map[evidence.Lock]bool{}
	for k := sort.Search(len(all), func(k int) bool { return all[k].Received.After(w.last.Received) }); k < len(all) && !all[k].Received.After(w.next.Received); k++ {
		q := &all[k]
		if q.Lock == w.t.s.Lock || !fits(q) || !w.t.sameClock(q.Source, w.last.Source) {
			continue
		}
		if locks[q.Lock] = true; len(locks) == 1 {
			l.Places = append(l.Places, q.Place)
		}
	}
	if len(locks) > 0 {
		l.Text += fmt.Sprintf("; meanwhile, requests about other locks (%[2]d) were %[1]s, too", how, len(locks))
	}
}

// names adds to l the flow schema that the process's log names, if it names one in the window.
func (w *window) names(l *Link) {
	for _, s := range w.said() {
		if by := flowSchema.FindStringSubmatch(s.Text); by != nil && w.earlier(s) {
			l.Text += fmt.Sprintf("; its own log names the flow schema whose UID is %q", by[1])
			l.Places = append(l.Places, s.Place)
			return
		}
	}
}

// throttler returns text to append that says what part of the server refused these requests of the holder with 429; "" if that is not
// known. There must be such requests. limits tells whether it may have been a limit on requests. A server applies its limits on
// requests before it authorizes a request, and logs the authorizer's decision with each request that it has authorized. So a limit has
// refused a request if it has no decision in a log that has decisions; what refused a request with a decision came after the limits.
func (w *window) throttler(asked []*evidence.Request) (text string, limits bool) {
	asks := func(q *evidence.Request) bool { return q.Decision != "" }
	before, after := 0, 0
	for _, q := range asked {
		if q.Status == 429 && asks(q) {
			after++
		} else if q.Status == 429 {
			before++
		}
	}
	switch {
	case before == 0:
		return "; they had been authorized, so that it was no limit on requests, but what an admission plugin, a webhook or the storage answered", false
	case after == 0 && asks(w.t.by[w.term.Last]):
		return "; they had not been authorized yet, so that it was API priority and fairness, or the limit of requests in flight", true
	}
	return "", true
}

// flowSchema matches the words by which a client's log says that API priority and fairness asked it to wait. Its group is the
// UID of the flow schema.
var flowSchema = regexp.MustCompile(`due to server-side throttling, FlowSchema UID: \\?"([^"\\]+)`)

// waitedFor matches the words of client-go that say how long a client has held a request back. Its group is that time.
var waitedFor = regexp.MustCompile(`(?:waited for |took |request \()([0-9.a-zµ]+)`)

// tooLong tells whether the wait that a line names leaves no room for another attempt in a poll: the wait and a RetryPeriod
// take a RenewDeadline or longer. It is false if the line names no wait, and if neither
// a RenewDeadline is given nor the last record has a duration.
func (w *window) tooLong(text string) bool {
	at := waitedFor.FindStringSubmatch(text)
	if at == nil {
		return false
	}
	waited, err := time.ParseDuration(at[1])
	known := w.t.o.RenewDeadline > 0 || w.last.Record.Duration > 0
	return err == nil && known && waited+w.period() >= w.deadline()
}

// wouldExceed are the words of the limiter of golang.org/x/time/rate for a request that it will not let go before the context's deadline.
const wouldExceed = "would exceed context deadline"

// timersLag is how much later than its deadline a context may end, as the limiter sees it: a timer ends it.
const timersLag = 100 * time.Millisecond

// tooLate tells whether the line s, which has the words wouldExceed, may be about a request that was made at the poll's deadline or
// later. The limiter has the same words for each such request, whether or not it would have held it back. There is one in each
// poll that fails if RenewDeadline is a multiple of RetryPeriod: the last tick is at the deadline. It was not too late if the
// same log says more than timersLag later, and next of its turning points, that the process gave up.
func (p *pod) tooLate(s *evidence.Saying) bool {
	k := sort.SearchInts(p.turning, p.after(s))
	if k == len(p.turning) {
		return true
	}
	next := p.sayings[p.turning[k]]
	return next.Source != s.Source || next.Step != evidence.Lost || next.At.Sub(s.At.Add(unit(s))) <= timersLag
}

// limited returns Limited if the process says that its client's rate limiter would not let a request go, Throttled if it says
// that the server asked it to wait, and otherwise no cause (""). A limiter that returned the error of a context which is over
// shows nothing: it does so for each request that is made too late, whether or not it would have held it back. The same holds for
// the limiter's own words at the deadline (see tooLate).
func (w *window) limited() (Link, Cause) {
	for _, s := range w.said() {
		text := strings.ToLower(s.Text)
		switch by := flowSchema.FindStringSubmatch(s.Text); {
		case !w.earlier(s):
		case strings.Contains(text, "due to server-side throttling"):
			l := Link{[]evidence.Place{s.Place}, "its own log says that it waited because the server had refused a request (429)"}
			if by != nil {
				l.Text += fmt.Sprintf(", by the flow schema whose UID is %q", by[1])
			}
			return l, Throttled
		case strings.Contains(text, wouldExceed) && !w.pod.tooLate(s), s.Step == evidence.Waited && strings.Contains(text, "client-side throttling") && w.tooLong(text):
			return Link{[]evidence.Place{s.Place}, "its own log says that the client's rate limiter held a request back"}, Limited
		}
	}
	return Link{}, ""
}
