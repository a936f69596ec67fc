package explore

import (
	"time"

	"interregnum/elector/machine"
)

// chooser lists what can happen next in a state.
type chooser struct {
	*common
	// all are the choices of the state that was looked at last. left is how many faults there may be from there on.
	all  []choice
	left int
}

// choices returns how a state can go on, with at most that many more faults. A message just sent gets one of its fates first.
// Otherwise something that is due now happens or, unless some of that must happen now, time goes on: until something is due,
// or until a candidate is cancelled. The next call overwrites the result.
func (k *chooser) choices(w *world, faults int) []choice {
	k.all, k.left = k.all[:0], faults
	if k.settlements(w) {
		return k.all
	}
	if !k.due(w) {
		k.later(w)
	}
	return k.all
}

// settlements adds the fates of the first message whose fate is not decided yet to k.all, and tells whether there was
// such a message.
func (k *chooser) settlements(w *world) bool {
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

// settle adds a copy of the choice c for each fate that a message with the verb v can have to k.all. Fates that are
// faults count only while faults are left. Where c heals it also adds the choice to drop the message.
func (k *chooser) settle(c choice, v machine.Verb) {
	if c.heals {
		c.kind = drop
		k.all = append(k.all, c)
	}
	c.kind = settle
	fates := k.writes
	if v == machine.Get {
		fates = k.gets
	}
	for i, f := range fates {
		if c.fate, c.cost = f, min(i, 1); c.cost == 0 || k.left > 0 {
			k.all = append(k.all, c)
		}
	}
}

// due adds the choices of what is due now to k.all, in every order that matters, and tells whether one of them must
// be taken before time goes on. A candidate with no request about to arrive affects no other: so the events of the
// first such candidate go first, unless the search is unreduced.
func (k *chooser) due(w *world) (must bool) {
	for i, n := range w.all() {
		before := len(k.all)
		own, arrives := k.dueOf(n, w.now, i)
		if !k.cfg.Unreduced && own && !arrives {
			k.all = append(k.all[:0], k.all[before:]...)
			return true
		}
		must = must || own
	}
	return must
}

// dueOf adds the choices of what is due for the candidate with the index node to k.all: timers and messages. A message of an
// open fate can always arrive, but need not; if the candidate waits for it, and it is no answer to a Get, it can also be
// answered by an error. must tells whether one of the choices must be taken now, and arrives whether a request arrives at the
// service in one of them.
func (k *chooser) dueOf(n *node, now time.Duration, node int) (must, arrives bool) {
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

// later adds to k.all the choice to let time go on until something is due. While faults are left, it also adds the choices to
// cancel a candidate at a step of the grid up to that instant, for each candidate that runs and is worth that (see
// worthCancelling). It adds nothing where nothing more happens.
func (k *chooser) later(w *world) {
	next, found := w.next()
	if !found {
		return
	}
	k.all = append(k.all, choice{kind: pass, until: next})
	if k.left == 0 {
		return
	}
	for i, n := range w.all() {
		if !n.running || !k.cfg.worthCancelling(n.machine.Phase()) {
			continue
		}
		for at := w.now + w.cfg.Grid; at <= next; at += w.cfg.Grid {
			k.all = append(k.all, choice{kind: cancel, node: i, until: at, cost: 1})
		}
	}
}

// worthCancelling tells whether the cancel of a candidate can do what the loss of all its later requests cannot. Such a
// loss costs the same, looks the same to others, and leaves the work running for longer. So only a leader that releases
// the lock is cancelled, unless the search is unreduced. A release has a context of its own, which nothing cancels.
func (c *Config) worthCancelling(p machine.Phase) bool {
	if c.Unreduced {
		return p != machine.Releasing
	}
	return c.ReleaseOnCancel && p == machine.Renewing
}

// next returns the next instant at which something is due, or can be; false where nothing more happens.
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
