package explore

import (
	"slices"
	"time"

	"interregnum/elector/machine"
)

// choice is one way in which a state can go on.
type choice struct {
	kind choiceKind
	node int
	// index is that of a timer or a message.
	index int
	fate  fate
	// heals: the request gets through, after others that were lost.
	heals bool
	// until is the instant to which time goes on.
	until time.Duration
	// cost is 1 for a fault, otherwise 0.
	cost int
}

// choiceKind says what happens in a choice.
type choiceKind uint8

const (
	// settle chooses what becomes of a request; drop lets it be lost like those before it.
	settle choiceKind = iota
	drop
	// fire lets a timer fire, arrive a request arrive, respond its answer arrive, and refuse an error arrive in place of
	// the answer.
	fire
	arrive
	respond
	refuse
	// pass lets time go on; cancel does so, and then cancels a Run.
	pass
	cancel
)

// take carries out a choice in the world. It first copies the choice's node if other worlds share that.
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

// pass lets time go on to the instant until. Unless the search is unreduced, it drops messages of an open fate that can
// no longer arrive, or that would change nothing.
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

// settle gives a message of the node n the fate of the choice, and adds what is unusual about that to the world's trail. It
// sets whether the node is cut, marks it as hit if the fate is a fault, and removes a message that is lost.
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
