package explore

import (
	"slices"
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
	// fire is a timer, arrive a request's arrival, respond that of an answer, and refuse that of an error instead.
	fire
	arrive
	respond
	refuse
	// pass lets time go on, and cancel cancels a Run then.
	pass
	cancel
)

// take carries out a choice. It changes only the node of that choice, and a copy where other worlds share the node.
func (w *world) take(c *choice) {
	n := w.own(c.node)
	switch c.kind {
	case settle:
		w.settle(n, c)
	case drop:
		n.messages = slices.Delete(n.messages, c.index, c.index+1)
	case fire:
		w.fire(n, c.index)
	case arrive:
		w.arrive(n, c.index)
	case respond:
		w.answer(n, c.index)
	case refuse:
		w.refuse(n, c.index)
	case pass:
		w.pass(c.until)
	case cancel:
		w.pass(c.until)
		n.hit = true
		w.note(n, &trail{event: cancelled})
		w.step(n, &machine.Input{Kind: machine.Cancelled})
	}
}

// pass lets time go on to an instant, and drops messages that can no longer arrive or would change nothing.
func (w *world) pass(until time.Duration) {
	w.now = until
	if w.cfg.Unreduced {
		return
	}
	version := w.version()
	gone := func(m message) bool {
		return m.fate.kind == open && (m.at < until || !m.awaited && m.stale(version))
	}
	for i, n := range w.all() {
		if slices.ContainsFunc(n.messages, gone) {
			n = w.own(i)
			n.messages = slices.DeleteFunc(n.messages, gone)
		}
	}
}

// settle gives a message its fate.
func (w *world) settle(n *node, c *choice) {
	if c.heals {
		n.cut = false
		w.note(n, &trail{request: n.requests, event: healed})
	}
	if c.cost > 0 {
		n.hit = true
		w.note(n, &trail{request: n.requests, event: met, fate: c.fate})
	}
	m := &n.messages[c.index]
	m.unsettled, m.fate, m.at = false, c.fate, w.now+c.fate.out
	switch c.fate.kind {
	case open:
		// Until an answer comes this is a loss, the last instant for which is that of the longest round trip.
		n.cut, m.at = true, w.now+w.cfg.MaxRoundTrip
	case unheard:
		n.cut = true
	case lost:
		n.cut = true
		n.messages = slices.Delete(n.messages, c.index, c.index+1)
	}
}
