package explore

import (
	"time"

	"interregnum/elector/machine"
)

// choice is one thing that can happen next.
type choice struct {
	kind choiceKind
	node int
	// index is that of a timer or a message.
	index int
	fate  fate
	// heals: the request gets through where those before it were lost.
	heals bool
	// until is the instant that time goes on to.
	until time.Duration
	// cost is 1 for a fault.
	cost int
}

type choiceKind uint8

const (
	// settle decides what becomes of a request, drop that it is lost like those before it.
	settle choiceKind = iota
	drop
	// fire is a timer, arrive a request's arrival, and respond that of an answer.
	fire
	arrive
	respond
	// pass lets time go on, and cancel cancels a Run then.
	pass
	cancel
)

// choices are what can happen next: all there is to decide of a message that was sent, else what is due now, else that
// time goes on.
func (e *explorer) choices(w *world) []choice {
	all := e.settlements(w)
	if len(all) == 0 {
		all = e.due(w)
	}
	if len(all) == 0 {
		all = e.later(w)
	}
	return all
}

// settlements are the fates that a message just sent can have.
func (e *explorer) settlements(w *world) []choice {
	for i := range w.nodes {
		n := &w.nodes[i]
		for j := range n.messages {
			if n.messages[j].unsettled {
				return e.settle(choice{node: i, index: j, heals: n.cut}, n.messages[j].op.Verb)
			}
		}
	}
	return nil
}

func (e *explorer) settle(c choice, v machine.Verb) []choice {
	var all []choice
	if c.heals {
		c.kind = drop
		all = append(all, c)
	}
	c.kind = settle
	fates := e.writes
	if v == machine.Get {
		fates = e.gets
	}
	for i, f := range fates {
		if c.fate, c.cost = f, min(i, 1); c.cost == 0 || e.faults > 0 {
			all = append(all, c)
		}
	}
	return all
}

// due are the events of this instant, in any order. A candidate's own, while none of its requests is at the service's
// door, commute with all that others do; unless the search is to be unreduced, those of the first such candidate go first.
func (e *explorer) due(w *world) []choice {
	var all []choice
	for i := range w.nodes {
		own, arrives := w.nodes[i].due(w.now, i)
		if !e.cfg.Unreduced && len(own) > 0 && !arrives {
			return own
		}
		all = append(all, own...)
	}
	return all
}

// due are the events of one candidate, and whether one of its requests is among them.
func (n *node) due(now time.Duration, node int) (all []choice, arrives bool) {
	for t := range n.timers {
		if n.timers[t].armed && n.timers[t].at == now {
			all = append(all, choice{kind: fire, node: node, index: t})
		}
	}
	for i := range n.messages {
		switch m := &n.messages[i]; {
		case m.at != now:
		case m.answer:
			all = append(all, choice{kind: respond, node: node, index: i})
		default:
			all = append(all, choice{kind: arrive, node: node, index: i})
			arrives = true
		}
	}
	return all, arrives
}

// later is the next instant at which something is due and, before that or first of all there, a cancel.
func (e *explorer) later(w *world) []choice {
	next, found := w.next()
	if !found {
		return nil
	}
	all := []choice{{kind: pass, until: next}}
	if e.faults == 0 {
		return all
	}
	for i := range w.nodes {
		if !w.nodes[i].running || w.nodes[i].machine.Phase() == machine.Releasing {
			continue // a release has a context of its own
		}
		for at := w.now + e.cfg.Grid; at <= next; at += e.cfg.Grid {
			all = append(all, choice{kind: cancel, node: i, until: at, cost: 1})
		}
	}
	return all
}

// next is when something is due again.
func (w *world) next() (at time.Duration, found bool) {
	consider := func(t time.Duration) {
		if !found || t < at {
			at, found = t, true
		}
	}
	for i := range w.nodes {
		n := &w.nodes[i]
		for _, t := range n.timers {
			if t.armed {
				consider(t.at)
			}
		}
		for j := range n.messages {
			consider(n.messages[j].at)
		}
	}
	return at, found
}

// take makes a choice.
func (w *world) take(c *choice) {
	n := &w.nodes[c.node]
	switch c.kind {
	case settle:
		w.settle(n, c)
	case drop:
		n.messages = append(n.messages[:c.index:c.index], n.messages[c.index+1:]...)
	case fire:
		w.fire(n, c.index)
	case arrive:
		w.arrive(n, c.index)
	case respond:
		w.answer(n, c.index)
	case pass:
		w.now = c.until
	case cancel:
		w.now, n.hit = c.until, true
		w.trail = &trail{before: w.trail, node: c.node, event: cancelled, at: w.now}
		w.step(n, &machine.Input{Kind: machine.Cancelled})
	}
}

// settle gives a message its fate.
func (w *world) settle(n *node, c *choice) {
	if c.heals {
		n.cut = false
		w.trail = &trail{before: w.trail, node: c.node, request: n.requests, event: healed}
	}
	if c.cost > 0 {
		n.hit = true
		w.trail = &trail{before: w.trail, node: c.node, request: n.requests, event: met, fate: c.fate}
	}
	if c.fate.kind == lost {
		n.cut = true
		n.messages = append(n.messages[:c.index:c.index], n.messages[c.index+1:]...)
		return
	}
	m := &n.messages[c.index]
	m.unsettled, m.fate, m.at = false, c.fate, w.now+c.fate.out
}

// overlap is for how long the work of two candidates has run at once when time goes on to an instant.
func (w *world) overlap(until time.Duration) time.Duration {
	longest := time.Duration(0)
	for i := range w.nodes {
		for j := range i {
			if a, b := &w.nodes[i], &w.nodes[j]; w.counts(a) && w.counts(b) {
				longest = max(longest, until-max(a.since, b.since))
			}
		}
	}
	return longest
}

// counts tells whether a candidate works, and that matters.
func (w *world) counts(n *node) bool { return n.working && !(w.cfg.Bystanders && n.hit) }
