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

// choices returns what can happen next: the fates of a message just sent, or else what is due now, or else that time goes on until something is due
// or a candidate is cancelled.
func (k *worker) choices(w *world) []choice {
	k.all = k.all[:0]
	if k.settlements(w) {
		return k.all
	}
	if !k.due(w) {
		k.later(w)
	}
	return k.all
}

// settlements adds the fates of the first message whose fate is not decided yet, and tells whether there was one.
func (k *worker) settlements(w *world) bool {
	for i, n := range w.all() {
		for j := range n.messages {
			if n.messages[j].unsettled {
				k.settle(choice{node: i, index: j, heals: n.cut}, n.messages[j].op.Verb)
				return true
			}
		}
	}
	return false
}

// settle adds one choice for each fate that a message of that verb can have; fates with a fault only while faults are left.
func (k *worker) settle(c choice, v machine.Verb) {
	if c.heals {
		c.kind = drop
		k.all = append(k.all, c)
	}
	c.kind = settle
	fates := k.e.writes
	if v == machine.Get {
		fates = k.e.gets
	}
	for i, f := range fates {
		if c.fate, c.cost = f, min(i, 1); c.cost == 0 || k.e.faults > 0 {
			k.all = append(k.all, c)
		}
	}
}

// due adds the events of this instant, in every order that matters, and tells whether one of them must happen before time goes on. Events of a
// candidate without a request about to arrive do not affect others, so that unless the search is unreduced those of the first such candidate go
// first.
func (k *worker) due(w *world) (must bool) {
	for i, n := range w.all() {
		before := len(k.all)
		own, arrives := k.dueOf(n, w.now, i)
		if !k.e.cfg.Unreduced && own && !arrives {
			k.all = append(k.all[:0], k.all[before:]...)
			return true
		}
		must = must || own
	}
	return must
}

// dueOf adds the events of one candidate that are due, and tells whether one must happen now and whether a request arrives among them.
func (k *worker) dueOf(n *node, now time.Duration, node int) (must, arrives bool) {
	for t := range n.timers {
		if n.timers[t].armed && n.timers[t].at == now {
			k.all = append(k.all, choice{kind: fire, node: node, index: t})
			must = true
		}
	}
	for i := range n.messages {
		m := &n.messages[i]
		if m.fate.kind != open && m.at != now {
			continue
		}
		c := choice{kind: arrive, node: node, index: i}
		if m.answer {
			c.kind = respond
		}
		k.all = append(k.all, c)
		arrives = arrives || !m.answer
		if m.fate.kind != open {
			must = true
		} else if m.awaited && !(m.answer && m.op.Verb == machine.Get) {
			c.kind = refuse
			k.all = append(k.all, c)
		}
	}
	return must, arrives
}

// later adds the choice to let time go on until something is due and, while faults are left, to cancel a candidate on the way.
func (k *worker) later(w *world) {
	next, found := w.next()
	if !found {
		return
	}
	k.all = append(k.all, choice{kind: pass, until: next})
	if k.e.faults == 0 {
		return
	}
	for i, n := range w.all() {
		if !n.running || !k.e.cfg.worthCancelling(n.machine.Phase()) {
			continue
		}
		for at := w.now + w.cfg.Grid; at <= next; at += w.cfg.Grid {
			k.all = append(k.all, choice{kind: cancel, node: i, until: at, cost: 1})
		}
	}
}

// worthCancelling tells whether to cancel a candidate can do what a loss of all it sends from then on cannot: the latter
// costs the same, looks the same to others, and leaves the work running for longer. So only a leader that releases the
// lock is cancelled, unless the search is to be unreduced. A release has a context of its own.
func (c *Config) worthCancelling(p machine.Phase) bool {
	if c.Unreduced {
		return p != machine.Releasing
	}
	return c.ReleaseOnCancel && p == machine.Renewing
}

// next returns the next instant at which something is due, or may be; false where nothing is left.
func (w *world) next() (at time.Duration, found bool) {
	consider := func(t time.Duration) {
		if !found || t < at {
			at, found = t, true
		}
	}
	for _, n := range w.all() {
		for _, t := range n.timers {
			if t.armed {
				consider(t.at)
			}
		}
		for j := range n.messages {
			m := &n.messages[j]
			switch {
			case m.fate.kind != open:
				consider(m.at)
			case m.at > w.now:
				consider(w.now + w.cfg.Grid)
			}
		}
	}
	return at, found
}

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

// note adds something that happened to a candidate now to the history that show plays back.
func (w *world) note(n *node, t *trail) {
	t.before, t.node, t.at = w.trail, n.index, w.now
	w.trail = t
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

// overlap is for how long the work of two candidates has run at once when time goes on to an instant.
func (w *world) overlap(until time.Duration) time.Duration {
	longest := time.Duration(0)
	for i, a := range w.all() {
		for _, b := range w.nodes[:i] {
			if w.counts(a) && w.counts(b) {
				longest = max(longest, until-max(a.since, b.since))
			}
		}
	}
	return longest
}

// counts tells whether a candidate works and its work counts as an overlap; with Bystanders, that of a candidate hit by a fault does not.
func (w *world) counts(n *node) bool { return n.working && !(w.cfg.Bystanders && n.hit) }
