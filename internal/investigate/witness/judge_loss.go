package witness

import (
	"slices"
	"time"

	"interregnum/internal/investigate"
	"interregnum/internal/trace"
)

// loss judges why a term ended, as the story says: that such a thing happened to the holder between its last write and the next one.
func (j *judge) loss(l *investigate.Loss) {
	if l.Cause == investigate.Unknown {
		return
	}
	j.counts.Caused++
	if l.Term < 0 || l.Term >= len(j.s.Terms) {
		j.fail("want a term among %d that was lost, got %d", len(j.s.Terms), l.Term)
		return
	}
	t := &j.s.Terms[l.Term]
	last, next := j.l.Audit[j.s.Writes[t.Last].Line-1], (*Call)(nil)
	until := j.l.Run.Plan.Horizon
	if t.Last+1 < len(j.s.Writes) {
		next = j.l.Audit[j.s.Writes[t.Last+1].Line-1]
		until = next.Arrived
	}
	if !j.happened(l.Cause, last, until) {
		j.fail("term %d of %s ended since %s, but that did not happen from %v to %v", l.Term, t.Holder, l.Cause, last.Arrived, until)
	}
}

// statuses are those of refusals by their causes.
var statuses = map[investigate.Cause][]int{
	investigate.Throttled: {429}, investigate.Conflicts: {409}, investigate.Forbidden: {403}, investigate.Failing: {500, 503, 504},
}

// happened tells whether what a cause says happened to the candidate of a call after it, until a time since the start.
func (j *judge) happened(cause investigate.Cause, last *Call, until time.Duration) bool {
	if codes := statuses[cause]; codes != nil || cause == investigate.Slow {
		return slices.ContainsFunc(j.l.Run.Calls, func(c *Call) bool {
			own := c.Candidate == last.Candidate && c.Reached && c.Arrived >= last.Arrived && c.Received < until
			return own && (codes == nil && c.Answered-c.Received >= time.Second-slack || slices.Contains(codes, c.Status))
		})
	}
	if cause == investigate.Seized {
		return until < last.Arrived+last.Op.Record.Duration()+time.Millisecond
	}
	paused := false
	for i := range j.l.Run.Events {
		e := &j.l.Run.Events[i]
		at := time.Duration(e.At)
		if at > until && cause != investigate.ShutDown || cause == investigate.Gone && e.Kind == trace.Deleted && at >= last.Sent {
			return paused || cause == investigate.Gone && at <= until
		}
		if int(e.Candidate) != last.Candidate {
			continue
		}
		switch after := at >= last.Sent; {
		case e.Kind == trace.Paused || e.Kind == trace.Resumed:
			paused = e.Kind == trace.Paused || paused && after
			if paused && after && cause == investigate.StoodStill {
				return true
			}
		case after && of(cause, e.Kind):
			return true
		}
	}
	return paused && cause == investigate.StoodStill
}

// of tells whether an event is what a cause says.
func of(cause investigate.Cause, k trace.Kind) bool {
	switch cause {
	case investigate.ShutDown:
		return k == trace.CancelAsked
	case investigate.Ended:
		return k == trace.Crashed || k == trace.RunReturned
	case investigate.Unreachable:
		return k == trace.GaveUp || k == trace.LocalError || k == trace.RequestLost || k == trace.ResponseLost
	}
	return false
}
