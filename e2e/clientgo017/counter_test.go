package parity

import (
	"interregnum/internal/trace"
)

// counter counts what happens in runs, to attempts that were left running above all.
type counter struct {
	seen      map[string]int
	processes []counted
	// aside is the candidate whose attempt, left running, the event before was an answer to, -1 for none; its Run is
	// asideRun.
	aside    int32
	asideRun int
}

// counted is one candidate.
type counted struct {
	// waits is the request that is waited for, 0 for none; releasing tells that it is a release.
	waits     uint64
	releasing bool
	// left are the requests of attempts that were left running, each with the Run that it is of.
	left map[uint64]int
	// run counts Runs, running tells that one is in progress.
	run     int
	running bool
	began   int64
}

func newCounter(seen map[string]int, candidates int) *counter {
	c := &counter{seen: seen, processes: make([]counted, candidates), aside: -1}
	for i := range c.processes {
		c.processes[i].left = map[uint64]int{}
	}
	return c
}

// Observe takes in an event.
func (c *counter) Observe(e *trace.Event) {
	if e.Candidate < 0 {
		return
	}
	p, aside := &c.processes[e.Candidate], c.aside == e.Candidate
	c.aside = -1
	switch e.Kind {
	case trace.RunStarted:
		p.run++
		p.running = true
	case trace.RunReturned:
		p.running = false
	case trace.Crashed:
		p.waits, p.running = 0, false
		clear(p.left)
	case trace.EventRecorded:
		if e.Holder == "stopped leading" && p.waits != 0 {
			c.seen["left running"]++
			p.left[p.waits], p.waits = p.run, 0
		}
	case trace.WorkStarted:
		p.began = e.At
	case trace.WorkCancelled:
		if p.began == e.At {
			c.seen["work began cancelled"]++
		}
	case trace.BeliefBegan, trace.BeliefEnded:
		if aside {
			c.seen["changed the belief"]++
		}
	default:
		c.request(e, p, aside)
	}
}

// request takes in an event of a request.
func (c *counter) request(e *trace.Event, p *counted, aside bool) {
	run, left := p.left[e.Request]
	switch e.Kind {
	case trace.RequestSent:
		c.sent(e, p, aside)
	case trace.Written:
		if left {
			c.count("wrote", p, run)
		} else if e.Holder == "" {
			c.seen["release written"]++
		}
	case trace.RequestApplied:
		if p.releasing && e.Request == p.waits && e.Status == 409 {
			c.seen["release conflicted"]++
		}
	case trace.GaveUp, trace.ResponseHandled:
		if !left {
			p.waits = 0
			return
		}
		what := "answered"
		if e.Kind == trace.GaveUp {
			what = "timed out"
		}
		c.count(what, p, run)
		delete(p.left, e.Request)
		c.aside, c.asideRun = e.Candidate, run
	}
}

func (c *counter) sent(e *trace.Event, p *counted, aside bool) {
	if aside {
		c.seen["sent more"]++
		p.left[e.Request] = c.asideRun
		return
	}
	p.waits, p.releasing = e.Request, e.Verb == trace.Update && e.Holder == ""
	if p.releasing {
		c.seen["release sent"]++
	}
}

// count counts what happened to an attempt of that Run.
func (c *counter) count(what string, p *counted, run int) {
	c.seen[what]++
	switch {
	case !p.running:
		c.seen[what+" after Run"]++
	case run != p.run:
		c.seen[what+" in the next Run"]++
	case p.releasing && p.waits != 0:
		c.seen[what+" while releasing"]++
	}
}
