package outcome

import (
	"net/http"

	"interregnum/internal/trace"
)

// deadlines follow, event by event, until when each candidate's elector can lead: for RenewDeadline from the first request after its last
// renewal that was answered. Code whose callbacks are not the kit's shows in no other way that it has stopped leading.
type deadlines struct {
	header *trace.Header
	of     []deadline
}

// deadline is that of one candidate. leads: it was told that it holds the lock, and nothing has shown that it has stopped since. tried is
// when it first asked again after that, -1 for not yet. named are its requests that have written its name.
type deadline struct {
	leads bool
	tried int64
	named map[uint64]bool
}

func newDeadlines(h *trace.Header) *deadlines {
	return &deadlines{h, make([]deadline, len(h.Candidates))}
}

// observe updates d by an event; releases says that a release begins with it. It returns an event Stopped for each candidate whose time
// had run out before that.
func (d *deadlines) observe(e *trace.Event, releases bool) (stops []trace.Event) {
	for i := range d.of {
		if c, end := &d.of[i], d.end(int32(i)); c.leads && c.tried >= 0 && end < e.At {
			c.leads = false
			stops = append(stops, trace.Event{Kind: trace.Stopped, At: end, Candidate: int32(i)})
		}
	}
	if e.Candidate == trace.Nobody {
		return stops
	}
	c := &d.of[e.Candidate]
	switch {
	case releases, e.Kind == trace.RunStarted, e.Kind == trace.RunReturned, e.Kind == trace.Stopped, e.Kind == trace.Crashed:
		*c = deadline{}
	case e.Kind == trace.RequestSent && e.Verb == trace.Get && c.leads && c.tried >= 0 && e.At == d.end(e.Candidate):
		*c = deadline{} // the get of a release, since there is a pause after any try
	case e.Kind == trace.RequestSent && c.tried < 0:
		c.tried = e.At
	case (e.Kind == trace.Written || e.Kind == trace.RequestApplied && e.Verb != trace.Get) && e.Holder != "":
		if c.named == nil {
			c.named = map[uint64]bool{}
		}
		c.named[e.Request] = true
	case e.Kind == trace.ResponseHandled && e.Status < http.StatusBadRequest && c.named[e.Request]:
		c.leads, c.tried = true, -1
	}
	return stops
}

// end returns when the candidate's time for renewing is over. It has been told that it leads, and has asked again since.
func (d *deadlines) end(candidate int32) int64 {
	return d.of[candidate].tried + int64(d.header.Candidates[candidate].RenewDeadline)
}
