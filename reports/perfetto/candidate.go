package perfetto

import (
	"cmp"
	"maps"
	"slices"

	"interregnum/internal/trace"
	"interregnum/reports"
)

// candidate is a candidate of the run in the file, with all of its slices that have begun and not ended.
type candidate struct {
	*file
	pid                 int
	name                string
	lock                *election
	run, belief, frozen slice
	requests            map[uint64]*request
	terms               map[trace.TermID]*work
}

// request writes the step of a request that e reports: mostly a slice of no length, which a flow connects to the steps before. The
// sending also begins the slice that shows how long the candidate waits. It ignores a request whose start it does not know, and
// forgets one of which neither the flow nor the wait goes on.
func (c *candidate) request(e *trace.Event) {
	if e.Kind == trace.RequestSent {
		name := e.Verb.String()
		if c.lock.objects != nil {
			name += " of the " + e.Object.String()
		}
		c.requests[e.Request] = newRequest(c, name, e)
		return
	}
	r := c.requests[e.Request]
	if r == nil {
		return
	}
	r.advance(e)
	if !r.waits && !r.flying {
		delete(c.requests, e.Request)
	}
}

// work writes the start, the cancellation or the end of guarded work that e reports. It ignores the start of work that has begun
// already, and the cancellation or end of work that it does not know.
func (c *candidate) work(e *trace.Event) {
	t := e.TermID()
	w := c.terms[t]
	switch {
	case e.Kind == trace.WorkStarted && w == nil:
		c.terms[t] = startWork(c.lock, c.pid, e)
	case w == nil:
	case e.Kind == trace.WorkCancelled:
		w.cancel()
	case e.Kind == trace.WorkEnded:
		w.end()
		delete(c.terms, t)
	}
}

// state writes the start or the end of Run, of a belief or of a pause that e reports. A crash ends the Run and all waits for
// answers, and is also written as an instant.
func (c *candidate) state(e *trace.Event) {
	switch e.Kind {
	case trace.RunStarted:
		c.begin(&c.run, c.pid, runThread, "Run as "+e.Holder, args{"incarnation": e.Incarnation})
	case trace.RunReturned:
		c.end(&c.run)
	case trace.Crashed:
		c.end(&c.run)
		c.instant(c.pid, markThread, reports.CrashLabel(e.Cause), nil)
		for _, number := range sortedKeys(c.requests) {
			c.requests[number].stopWaiting()
		}
	case trace.BeliefBegan:
		c.begin(&c.belief, c.pid, beliefThread, "leads", nil)
	case trace.BeliefEnded:
		c.end(&c.belief)
	case trace.Paused:
		c.begin(&c.frozen, c.pid, frozenThread, "frozen", nil)
	case trace.Resumed:
		c.end(&c.frozen)
	}
}

// close ends all slices that have not ended. It goes through maps in order of their keys, so that the same run always gives
// the same bytes.
func (c *candidate) close() {
	for _, number := range sortedKeys(c.requests) {
		c.requests[number].close()
	}
	for _, t := range slices.SortedFunc(maps.Keys(c.terms), func(a, b trace.TermID) int {
		return cmp.Or(cmp.Compare(a.Incarnation, b.Incarnation), cmp.Compare(a.Number, b.Number))
	}) {
		c.terms[t].end()
	}
	for _, s := range []*slice{&c.run, &c.belief, &c.frozen} {
		c.end(s)
	}
}
