package investigate

import (
	"fmt"
	"time"

	"interregnum/internal/evidence"
)

// lossesOf says of each term that another holder's follows, or that was released, why it ended.
func lossesOf(e *evidence.Evidence, s *Story, pods []*pod) (all []Loss) {
	for i := range s.Terms {
		t := &s.Terms[i]
		if t.Released.IsZero() && i == len(s.Terms)-1 {
			continue
		}
		all = append(all, s.loss(e, i, podOf(pods, t.Holder)))
	}
	return all
}

// loss says why the i-th term ended.
func (s *Story) loss(e *evidence.Evidence, i int, p *pod) Loss {
	t := &s.Terms[i]
	last := &s.Writes[t.Last]
	if !t.Released.IsZero() {
		return Loss{Term: i, Cause: ShutDown, Chain: []Link{{[]evidence.Place{last.Place}, "it released the lock after this write"}}}
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
	l.Text = "meanwhile the server refused its writes: " + string(cause)
	return l, cause
}

// stood returns a time in which the pod wrote nothing that began after its last write was stamped and was as long as the record's lease.
func stood(e *evidence.Evidence, p *pod, last *Write) (l Link, still bool) {
	if p == nil || last.Record.Duration == 0 {
		return l, false
	}
	for i := range e.Silences {
		q := &e.Silences[i]
		own := e.Sources[q.Source].Process == p.name && !q.Until.Before(last.Record.Renew.Add(last.Record.Duration))
		if own && q.From.Before(last.Record.Renew.Add(last.Record.Duration)) && q.Until.Sub(q.From) >= last.Record.Duration {
			return Link{[]evidence.Place{q.Place}, fmt.Sprintf("its log has nothing for %v, and no request of it was received", q.Until.Sub(q.From))}, true
		}
	}
	return l, false
}
