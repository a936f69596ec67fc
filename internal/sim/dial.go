package sim

import (
	"cmp"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// This file is how a client makes its connection. While nothing gets through, its dial sends its first packet in vain, and again
// after plan.FirstResend, and then after twice as long each time, as TCP does. Meanwhile the request counts as sent and lost. A dial goes on
// though its request was given up, and a request takes whatever connection is made first.

// dialling is a dial that nobody has answered yet, since nothing got through.
type dialling struct {
	// next is when it sends its first packet once more, and resend how long after that again. givesUp is when its time is over.
	next, givesUp machine.Mono
	resend        time.Duration
}

// due is when something becomes of the dial.
func (d *dialling) due() machine.Mono { return min(d.next, d.givesUp) }

// dial makes the node's client open a connection, if it has none. If nothing gets through, the dial goes on.
func (w *world) dial(n *node) {
	w.closeIdle(n)
	n.disarm(dialledTimer)
	if n.client.open {
		return
	}
	if n.client.cuts == 0 {
		w.open(n)
		return
	}
	now := n.Clock.Mono(w.Now)
	n.client.dials = append(n.client.dials, dialling{
		next: now.Add(plan.FirstResend), givesUp: now.Add(plan.DialTimeout), resend: 2 * plan.FirstResend,
	})
	w.awaitDials(n)
}

// open makes the connection of the node's client, to which the first packet has got through now.
func (w *world) open(n *node) {
	c := n.client
	c.open, c.readyAt = true, n.Clock.Mono(w.Now).Add(n.Plan.Client.Dial)
	c.readAt, c.idleAt = c.readyAt, c.readyAt
}

// awaitDials arms the timer for what becomes of the node's dials next, if there are any.
func (w *world) awaitDials(n *node) {
	if len(n.client.dials) == 0 {
		return
	}
	first := slices.MinFunc(n.client.dials, func(a, b dialling) int { return cmp.Compare(a.due(), b.due()) })
	w.arm(n, dialTimer, first.due())
}

// redial is called when the dialTimer fires, in a frozen process too, since the kernel sends the packets. Each dial that is due sends
// its first packet again, which makes the connection if something gets through, or gives up. If the connection is made, or the dial that
// began last is over, the process is told (dialled).
func (w *world) redial(n *node) {
	c := n.client
	now := n.Clock.Mono(w.Now)
	tell := false
	kept := c.dials[:0]
	for i, d := range c.dials {
		switch {
		case d.givesUp <= now:
			tell = tell || i == len(c.dials)-1
		case d.next > now:
			kept = append(kept, d)
		case c.cuts > 0:
			d.next, d.resend = d.next.Add(d.resend), 2*d.resend
			kept = append(kept, d)
		case !c.open:
			w.open(n)
			tell = true
		}
	}
	c.dials = kept
	w.awaitDials(n)
	if tell {
		w.armAfter(n, dialledTimer, 0)
	}
}

// dialled tells the process, which is not frozen, that its connection is made or that its dial is over. A request that waits for that is
// sent now, with a new number, since the one before counts as lost. If there is no connection, its call fails, and not even a read is
// repeated.
func (w *world) dialled(n *node) {
	switch {
	case !n.underWay():
	case n.client.open:
		w.sendAgain(n)
	default:
		w.unconnected(n)
	}
}

// sendAgain sends the request in flight, which is lost, once more with a new number. Its timeout goes on.
func (w *world) sendAgain(n *node) {
	w.gaveUpEvent(n, &n.wait, trace.ConnectionLost)
	ref, m := w.request(n, &n.wait)
	m.op = n.client.sent
	w.transmit(n, ref)
	w.leave()
}

// connects makes the request numbered ref wait until the node's connection is made, and returns true. If the connection is there,
// or nothing gets through to make one, it returns false.
func (w *world) connects(n *node, ref int32) bool {
	left := time.Duration(n.client.readyAt - n.Clock.Mono(w.Now))
	if !n.client.open || left <= 0 {
		return false
	}
	n.connecting = true
	w.hold(n, ref, left)
	return true
}

// connected sends the request that has waited for its connection. If nothing gets through, the connection was not made: the
// client dials anew, and the network loses the request.
func (w *world) connected(n *node) {
	ref := n.held - 1
	n.held, n.connecting = 0, false
	if n.client.cuts > 0 {
		w.hangUp(n)
	}
	w.transmit(n, ref)
	w.leave()
}

// dials tells whether the node's client tries in vain to make a connection, since nothing gets through.
func (n *node) dials() bool { return n.client != nil && !n.client.open && len(n.client.dials) > 0 }
