package investigate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/internal/evidence"
)

// lossesOf says of each term that another holder's follows, or that was released, why it ended.
func (t *teller) lossesOf() (all []Loss) {
	for i := range t.s.Terms {
		x := &t.s.Terms[i]
		if x.Released.IsZero() && i == len(t.s.Terms)-1 {
			continue
		}
		all = append(all, t.s.loss(t.e, i, t.podOf(x.Holder), t.courses[i]))
	}
	return all
}

// loss says why the i-th term ended.
func (s *Story) loss(e *evidence.Evidence, i int, p *pod, courses []*course) Loss {
	t := &s.Terms[i]
	last := &s.Writes[t.Last]
	if !t.Released.IsZero() {
		return released(i, last, courses)
	}
	next := &s.Writes[t.Last+1]
	chain := []Link{
		{[]evidence.Place{last.Place}, "its last write"},
		{[]evidence.Place{next.Place}, fmt.Sprintf("%v later the next write was received", next.Received.Sub(last.Received))},
	}
	if l, cause := refused(e, s.Lock, t.Holder, last.Received, next.Received); cause != "" {
		return Loss{Term: i, Cause: cause, Chain: append(chain, l)}
	}
	if l, still := stood(e, p, last); still {
		return Loss{Term: i, Cause: StoodStill, Chain: append(chain, l)}
	}
	return Loss{Term: i, Cause: Unknown, Chain: chain}
}

// refused returns the refusals of a holder's own writes between two times, if all were for one reason.
func refused(e *evidence.Evidence, lock evidence.Lock, holder string, from, until time.Time) (l Link, cause Cause) {
	reasons := map[int]Cause{403: Forbidden, 409: Conflicts, 429: Throttled}
	for i := range e.Requests {
		q := &e.Requests[i]
		own := q.Lock == lock && q.Wrote != nil && q.Wrote.Holder == holder && q.Received.After(from) && q.Received.Before(until)
		if !own || q.Status == 200 || q.Status == 201 {
			continue
		}
		why := reasons[q.Status]
		if why == "" || cause != "" && why != cause {
			return Link{}, ""
		}
		cause = why
		l.Places = append(l.Places, q.Place)
	}
	l.Text = "all of its writes that were received meanwhile were refused: " + string(cause)
	return l, cause
}

// stood returns a time in which the pod logged nothing, until after the record's lease. A process that runs would have said before that
// that it gave up: RenewDeadline is shorter. So it counts only if the pod said nothing of the election between its last write and that time.
func stood(e *evidence.Evidence, p *pod, last *Write) (l Link, still bool) {
	if p == nil || last.Record.Duration == 0 {
		return l, false
	}
	over := last.Record.Renew.Add(last.Record.Duration)
	for i := range e.Silences {
		q := &e.Silences[i]
		if e.Sources[q.Source].Process == p.name && q.From.Before(over) && !q.Until.Before(over) && !p.said(last.Record.Renew, q.From) {
			return Link{[]evidence.Place{q.Place}, fmt.Sprintf("its log has nothing for %v", q.Until.Sub(q.From))}, true
		}
	}
	return l, false
}

// said tells whether the pod says anything of the election after from, and not after until.
func (p *pod) said(from, until time.Time) bool {
	return slices.ContainsFunc(p.sayings, func(s *evidence.Saying) bool { return s.At.After(from) && !s.At.After(until) })
}

// released says why the i-th term ended with a record that names nobody. A process that gave up at its deadline may release the lock too.
func released(i int, last *Write, courses []*course) Loss {
	l := Loss{Term: i, Cause: Unknown, Chain: []Link{{[]evidence.Place{last.Place}, "the lock was released after this write"}}}
	for _, c := range courses {
		if c.ends != nil && c.ends.Step == evidence.Lost && strings.Contains(c.ends.Text, "context canceled") {
			l.Cause = ShutDown
			l.Chain = append(l.Chain, Link{[]evidence.Place{c.ends.Place}, "its own log says that it gave up since its context was cancelled"})
		}
	}
	return l
}
