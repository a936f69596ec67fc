package perfetto

import (
	"cmp"
	"maps"
	"slices"

	"interregnum/internal/trace"
	"interregnum/reports"
)

// candidate is what of a candidate has begun and not ended.
type candidate struct {
	*file
	pid                 int
	name                string
	lock                *election
	run, belief, frozen slice
	requests            map[uint64]*request
	terms               map[trace.TermID]*work
}

// request shows a step of a request: a slice of no length where it takes place, bound to those before by a flow.
func (c *candidate) request(e *trace.Event) {
	if e.Kind == trace.RequestSent {
		name := e.Verb.String()
		if c.lock.objects != nil {
			name += " of the " + e.Object.String()
		}
		c.requests[e.Request] = send(c.file, c.pid, c.name, name, e)
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

// work shows guarded work.
func (c *candidate) work(e *trace.Event) {
	t := e.TermID()
	w := c.terms[t]
	switch {
	case e.Kind == trace.WorkStarted && w == nil:
		c.terms[t] = start(c.lock, c.pid, e)
	case w == nil:
	case e.Kind == trace.WorkCancelled:
		w.cancel()
	case e.Kind == trace.WorkEnded:
		w.end()
		delete(c.terms, t)
	}
}

// life shows what a candidate's process is in: Run, belief, a pause.
func (c *candidate) life(e *trace.Event) {
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

// close ends what has begun and not ended. It goes by number, not by the order of maps, so that the same run has the
// same bytes.
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
