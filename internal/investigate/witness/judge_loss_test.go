package witness

import (
	"slices"
	"time"

	"interregnum/internal/evidence"
	"interregnum/internal/investigate"
	"interregnum/internal/trace"
)

// loss judges why a term ended, as the story says. For Undone, the next write must be a release by another candidate, for Released one
// by the holder. For any other cause but Unknown, what it means must have happened to the holder between its last write and the next
// one, which are those that the story names. It also counts the loss. It fails the story for an index that is no term's.
func (j *judge) loss(l *investigate.Loss) {
	if l.Term < 0 || l.Term >= len(j.s.Terms) {
		j.fail("want a term among %d that was lost, got %d", len(j.s.Terms), l.Term)
		return
	}
	t := &j.s.Terms[l.Term]
	// The next write may be the holder's own, by which it stood for election again.
	last, next := j.l.Audit[l.Chain[0].Places[0].Line-1], j.l.Audit[l.Chain[1].Places[0].Line-1]
	if !slices.ContainsFunc(j.s.Writes[t.First:t.Last+1], func(w investigate.Write) bool { return w.Place == l.Chain[0].Places[0] }) {
		j.fail("term %d of %s: its last write is none of the term", l.Term, t.Holder)
	}
	until := next.Arrived
	vague := []investigate.Cause{investigate.Unknown, investigate.Silent, investigate.Released} // these say what it looks like, and not what it was
	told := !slices.Contains(vague, l.Cause)
	j.counts.ended(Ending{j.whatHappened(last, until), j.l.Habits.Whole, j.traced(last, until)}, told)
	if l.Cause == investigate.Undone {
		if next.Candidate == last.Candidate || next.Op.Record.Holder != "" {
			j.fail("term %d of %s: another process released the lock, but that did not happen", l.Term, t.Holder)
		}
		return
	}
	if l.Cause == investigate.Released {
		if next.Candidate != last.Candidate || next.Op.Record.Holder != "" {
			j.fail("term %d of %s: it released the lock, but that did not happen", l.Term, t.Holder)
		}
		return
	}
	if l.Cause != investigate.Unknown && !j.happened(l.Cause, last, until) {
		j.fail("term %d of %s ended because %s, but that did not happen from %v to %v", l.Term, t.Holder, l.Cause, last.Arrived, until)
	}
}

// whatHappened returns what happened to the candidate of the call last, or to the lock's object. It looks from when that call
// was sent, up to until, a time since the start. Of several things it returns the gravest: a deletion of the object, a crash,
// being told to stop, standing still, a refusal, no answer. It returns "nothing of that" if none of these happened.
func (j *judge) whatHappened(last *Call, until time.Duration) string {
	seen, paused := map[trace.Kind]bool{}, false
	for i := range j.l.Run.Events {
		e := &j.l.Run.Events[i]
		at := time.Duration(e.At)
		if at > until {
			break
		}
		own := int(e.Candidate) == last.Candidate
		if own && (e.Kind == trace.Paused || e.Kind == trace.Resumed) {
			paused = e.Kind == trace.Paused
		}
		if at >= last.Sent && (own || e.Kind == trace.Deleted) {
			seen[e.Kind] = true
			seen[trace.Paused] = seen[trace.Paused] || paused || e.Kind == trace.Resumed
		}
	}
	for _, x := range []struct {
		kind trace.Kind
		what string
	}{{trace.Deleted, "the object was deleted"}, {trace.Crashed, "its process crashed"}, {trace.CancelAsked, "it was told to stop"}, {trace.Paused, "it stood still"},
		{trace.RequestRefused, "a request was refused"}, {trace.GaveUp, "a request had no answer in time"}} {
		if seen[x.kind] {
			return x.what
		}
	}
	return "nothing of that"
}

// traced tells whether the logs have anything of the candidate of the call last, received or written later than that call, and before until, a time
// since the start: a request, or a line about the election. Lines that it has acquired the lock, or that report a new leader,
// do not count.
func (j *judge) traced(last *Call, until time.Duration) bool {
	return slices.ContainsFunc(j.l.Audit, func(c *Call) bool {
		return c.Candidate == last.Candidate && c.Received > last.Received && c.Arrived < until
	}) || slices.ContainsFunc(j.l.Processes, func(p *Process) bool {
		return p.Candidate == last.Candidate && slices.ContainsFunc(p.Lines, func(line Line) bool {
			return line.Step != "" && line.Step != evidence.Observed && line.Step != evidence.Acquired && line.True.After(start.Add(last.Arrived)) && line.True.Before(start.Add(until))
		})
	})
}

// statuses has, for some causes, the HTTP statuses of the refusals that they mean.
var statuses = map[investigate.Cause][]int{
	investigate.Throttled: {429}, investigate.Conflicts: {409}, investigate.Forbidden: {403}, investigate.Failing: {500, 503, 504},
}

// happened tells whether what a cause means really happened to the candidate of the call last, from that call up to until, a time since
// the start, and of requests that were refused or slow to one that it sent before its Run ended (see ended). Silent means that the logs
// have nothing of it until then.
func (j *judge) happened(cause investigate.Cause, last *Call, until time.Duration) bool {
	if codes := statuses[cause]; codes != nil || cause == investigate.Slow {
		over := j.ended(last)
		return slices.ContainsFunc(j.l.Run.Calls, func(c *Call) bool {
			own := c.Candidate == last.Candidate && c.Reached && c.Arrived >= last.Arrived && c.Received < until && c.Sent < over
			return own && (codes == nil && c.Answered-c.Received >= time.Second-slack || slices.Contains(codes, c.Status))
		})
	}
	if cause == investigate.Silent {
		return !j.traced(last, until)
	}
	if cause == investigate.Seized {
		return until < last.Arrived+last.Op.Record.Duration()+time.Millisecond
	}
	paused := false
	for i := range j.l.Run.Events {
		e := &j.l.Run.Events[i]
		at := time.Duration(e.At)
		if at > until || cause == investigate.Gone && e.Kind == trace.Deleted && at >= last.Sent {
			return paused && cause == investigate.StoodStill || cause == investigate.Gone && at <= until
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

// ended returns when the Run of the candidate of the call last, or its process, ended, a time since the start; the end of the run if
// neither has. What was asked later has not ended the term. If the log of the candidate is not whole, nobody can tell a Run from the
// next one under the same name: then that one counts, too.
func (j *judge) ended(last *Call) time.Duration {
	whole := !j.l.Habits.Absent[last.Candidate] && j.l.Habits.Cut[last.Candidate] == 0
	for i := range j.l.Run.Events {
		e := &j.l.Run.Events[i]
		if int(e.Candidate) != last.Candidate || time.Duration(e.At) < last.Sent {
			continue
		}
		another := e.Kind == trace.RunStarted && e.Holder != last.Op.Record.Holder
		if another || whole && (e.Kind == trace.RunReturned || e.Kind == trace.Crashed) {
			return time.Duration(e.At)
		}
	}
	return j.l.Run.Plan.Horizon
}

// of tells whether an event of kind k is what a cause means. It is false for each cause but ShutDown, Ended and Unreachable.
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
