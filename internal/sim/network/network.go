// Package network says what becomes of messages between candidates and the lock service: whether they arrive, and when.
package network

import (
	"math/rand/v2"
	"slices"
	"time"

	"interregnum/internal/fate"
	"interregnum/internal/reuse"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/stream"
	"interregnum/plan"
	"interregnum/simlock"
)

// Network has the rules in force, and draws what they leave to chance.
type Network struct {
	seed uint64
	// rules are in the order of the file.
	rules []rule
	seats reuse.Slab[Seats]
}

// Line is a node's connection to the service.
type Line struct {
	node int32
	way  *plan.Network
	// request and response are how long each leg takes without faults, -1 if that is drawn.
	request, response clock.Instant
	// delays are drawn from one stream and losses from another, so that neither shifts the other.
	delays, losses stream.Stream
}

// Reset removes all rules and sets the seed of the random draws.
func (n *Network) Reset(seed uint64) {
	n.seed, n.rules = seed, n.rules[:0]
	n.seats.Reset()
}

// Reset makes l the line of the node with that index. way says how long messages take without faults.
func (l *Line) Reset(node int32, way *plan.Network) {
	l.node, l.way = node, way
	l.request, l.response = fixed(&way.Request), fixed(&way.Response)
	l.delays.Close()
	l.losses.Close()
}

// fixed returns the delay if nothing of it is drawn, or -1.
func fixed(d *plan.Delay) clock.Instant {
	if d.Max > d.Min {
		return -1
	}
	return clock.Instant(d.Min)
}

// Begin adds a rule: from now on the fault f changes the messages of the nodes in on. index is its place in the scenario file.
func (n *Network) Begin(index int32, f *plan.Fault, on Scope) {
	at, _ := n.find(index)
	n.rules = append(n.rules, rule{}) // slices.Insert would take memory for its argument
	copy(n.rules[at+1:], n.rules[at:])
	n.rules[at] = rule{Fault: f, Scope: on, index: index}
	if f.Seats > 0 {
		n.rules[at].seats = n.seats.Next()
		n.rules[at].seats.reset(f)
	}
}

// End ends the fault on messages with that index, if it is in force.
func (n *Network) End(index int32) {
	if at, found := n.find(index); found {
		n.rules = slices.Delete(n.rules, at, at+1)
	}
}

// find returns where in the rules the fault with that index is or would be, and whether it is there.
func (n *Network) find(index int32) (at int, found bool) {
	return slices.BinarySearchFunc(n.rules, index, func(r rule, index int32) int { return int(r.index - index) })
}

// Calm tells whether no fault on messages is in force.
func (n *Network) Calm() bool { return len(n.rules) == 0 }

// Carry draws what becomes of a message on that leg of the line, sent now. about is the kind of object that it concerns.
func (n *Network) Carry(l *Line, leg plan.Leg, about simlock.Object) fate.Way {
	if n.Calm() {
		return fate.Way{Delay: time.Duration(n.Usual(l, leg))}
	}
	o := n.odds(l, leg, about)
	return o.Draw(n.losses(l), n.delays(l))
}

// Spares tells whether no rule in force applies to requests about such an object on the line, or to their answers.
func (n *Network) Spares(l *Line, about simlock.Object) bool {
	for i := range n.rules {
		if n.rules[i].touches(l.node, about) {
			return false
		}
	}
	return true
}

// Longest returns the longest true time that a request on the line and its answer take together, without faults.
func (l *Line) Longest() clock.Instant {
	return clock.Instant(max(l.way.Request.Min, l.way.Request.Max) + max(l.way.Response.Min, l.way.Response.Max))
}

// Mark returns how far the line's delays are drawn.
func (l *Line) Mark() stream.Mark { return l.delays.Mark() }

// Return undoes the draws of the line's delays since Mark returned m.
func (l *Line) Return(m stream.Mark) { l.delays.Return(m) }

// Usual returns how long a message that meets no rule takes on that leg of the line. It draws the time, unless the line's is
// fixed.
func (n *Network) Usual(l *Line, leg plan.Leg) clock.Instant {
	d := l.response
	if leg == plan.RequestLeg {
		d = l.request
	}
	if d >= 0 { // so it is for most messages of most runs
		return d
	}
	way := usual(l.way, leg)
	return clock.Instant(way.Min) + clock.Instant(l.delays.Open(n.seed, "network", l.node).Int64N(int64(way.Max-way.Min)+1))
}

// Loses draws whether a message about such an object is lost on that leg of the line, under the rules in force now.
func (n *Network) Loses(l *Line, leg plan.Leg, about simlock.Object) bool {
	o := n.odds(l, leg, about)
	return o.Lost(n.losses(l))
}

// Delay draws how long a message about such an object takes on that leg of the line, under the rules in force now.
func (n *Network) Delay(l *Line, leg plan.Leg, about simlock.Object) clock.Instant {
	o := n.odds(l, leg, about)
	return clock.Instant(o.Takes(n.delays(l)))
}

// odds returns the odds of a message about such an object on that leg of the line, under the rules in force now.
func (n *Network) odds(l *Line, leg plan.Leg, about simlock.Object) Odds {
	o := NewOdds(l.way, leg)
	for i := range n.rules {
		if r := &n.rules[i]; r.touches(l.node, about) {
			o.Meet(r.Fault)
		}
	}
	return o
}

// losses returns a function that opens the stream from which the losses of the line are drawn.
func (n *Network) losses(l *Line) func() *rand.Rand {
	return func() *rand.Rand { return l.losses.OpenAll(n.seed, "loss", l.node) }
}

// delays returns a function that opens the stream from which the delays of the line are drawn.
func (n *Network) delays(l *Line) func() *rand.Rand {
	return func() *rand.Rand { return l.delays.OpenAll(n.seed, "network", l.node) }
}

// RefusalBy returns how the service refuses requests that meet f, an error or a throttle.
func RefusalBy(f *plan.Fault) fate.Refusal {
	status, after := f.Answer()
	return fate.Refusal{Status: status, Applied: f.Applied, RetryAfter: after}
}

// Refuses returns how the service refuses a request under the rules in force now; Status is 0 if it does not. The last rule
// that the request meets counts.
func (n *Network) Refuses(l *Line, op *simlock.Op) (answer fate.Refusal) {
	for i := range n.rules {
		r := &n.rules[i]
		if Refuses(r.Fault, op.Verb) && r.touches(l.node, op.Object) {
			answer = RefusalBy(r.Fault)
		}
	}
	return answer
}

// Seats returns the seats that limit requests about such an object on the line; nil if a request needs no seat. If several
// rules limit them, the last one counts.
func (n *Network) Seats(l *Line, about simlock.Object) (seats *Seats) {
	for i := range n.rules {
		if r := &n.rules[i]; r.seats != nil && r.touches(l.node, about) {
			seats = r.seats
		}
	}
	return seats
}

// Holds returns for how long the rules in force now have a request about such an object wait in the client's rate limiter. It
// is 0 if no rule has it wait. The last rule that the request meets counts.
func (n *Network) Holds(l *Line, about simlock.Object) (wait time.Duration) {
	for i := range n.rules {
		if r := &n.rules[i]; r.Limiter > 0 && r.touches(l.node, about) {
			wait = r.Limiter
		}
	}
	return wait
}
