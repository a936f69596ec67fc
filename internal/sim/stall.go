package sim

import (
	"math"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/plan"
)

// This file is the connection of a client, one of HTTP/2 unless its plan says HTTP1. If nothing was read from it for
// plan.ReadIdle, the client sends a ping. If no answer comes within plan.PingWait, the client closes the connection. Until
// then it sends all requests on it, even if others got no answer. internal/parity/conn compares it with the real one. With
// HTTP/1.1 nobody pings: a connection ends with a request that is given up, or by a reset. A fault by which nothing gets
// through loses what is sent, and no ping is answered meanwhile.

// connection is the connection of a node's client.
type connection struct {
	// number counts the connections of the candidate, from 1. open: a request was sent on this one, so that it is there.
	number int32
	open   bool
	// served: an answer was read from it. hadServed: one was read from the connection that ended last.
	served, hadServed bool
	// readAt is when something was last read from it, and readyAt is when it is made.
	readAt, readyAt machine.Mono
	// idleAt is since when no request has been under way on it, busy while one is.
	idleAt machine.Mono
	// closesAt is when the stallTimer closes it, where it is armed and the connection is open.
	closesAt machine.Mono
	// stalled is the number of the connection that stalled last, 0 for none. stalledTo is when that stall ends.
	stalled   int32
	stalledTo clock.Instant
	// cuts is how many faults are in force by which nothing gets through. It is of all connections.
	cuts int32
	// dials are those under way that nobody has answered, the one that began last at the end.
	dials []dialling
}

// busy is the idleAt of a connection on which a request is under way.
const busy machine.Mono = math.MaxInt64

// closeIdle ends the connection of the node's client if no request has been under way on it for plan.IdleTimeout. It is called before
// anybody asks whether there is a connection, and does nothing without a client.
func (w *world) closeIdle(n *node) {
	if n.client != nil && n.client.open && n.client.idleAt != busy && n.Clock.Mono(w.Now) >= n.client.idleAt.Add(plan.IdleTimeout) {
		w.hangUp(n)
	}
}

// rests stores that the request which was under way on the node's connection is so no more. It does nothing without a client.
func (w *world) rests(n *node) {
	if n.client != nil {
		n.client.idleAt = n.Clock.Mono(w.Now)
	}
}

// hangUp ends the connection of the node's client, and stops the timer that would close it. The next request opens a new one,
// which has the next number. n.client.hadServed then tells whether an answer was read from the old one.
func (w *world) hangUp(n *node) {
	n.client.number++
	n.client.open, n.client.served, n.client.hadServed = false, false, n.client.served
	n.disarm(stallTimer)
}

// drop loses all messages that are kept back on the node's connection, since that is reset while it stalls, and emits RequestLost
// or ResponseLost for each. Their numbers are freed only when they would have arrived.
func (w *world) drop(n *node) {
	room, _ := w.messages.Size()
	for ref := range int32(room) {
		m := w.messages.At(ref)
		if m.node != n.Index || m.keptBack == 0 || m.connection != n.client.number {
			continue
		}
		lost := m.keptBack
		m.keptBack, m.gone = 0, true
		w.messageEvent(lost, ref)
	}
}

// noteRead stores that the node has read from its connection, so that the connection is not closed for want of an answer. If the
// connection is silent, nothing more will be read, and noteRead arms the timer that closes it, except with HTTP/1.1. If a ping was sent
// before, the connection is closed for want of that one's answer, whatever was read since (healthCheck in http2/transport.go). It does
// nothing without a client or an open connection.
func (w *world) noteRead(n *node) {
	if n.client == nil || !n.client.open {
		return
	}
	now := n.Clock.Mono(w.Now)
	n.client.readAt, n.client.served = now, true
	switch {
	case !n.client.silent(w.Now) || n.Plan.Client.HTTP1:
		n.disarm(stallTimer)
	case !n.slots[stallTimer].armed || now < n.client.closesAt.Add(-plan.PingWait):
		w.closeLater(n)
	}
}

// readsFrame has the node's client read something that is no answer to the elector, such as an event of a watch, so that the next ping
// comes plan.ReadIdle later. It returns false, and does nothing, if there is no process, no client, no connection that is made, or
// none that carries anything.
func (w *world) readsFrame(n *node) bool {
	w.closeIdle(n)
	if !n.Alive() || n.client == nil || !n.client.open || n.client.silent(w.Now) || n.Clock.Mono(w.Now) < n.client.readyAt {
		return false
	}
	if n.client.idleAt != busy {
		w.rests(n)
	}
	w.noteRead(n)
	return true
}

// closeLater arms the timer that closes the node's connection, plan.LongestStall after it was last read.
func (w *world) closeLater(n *node) {
	n.client.closesAt = n.client.readAt.Add(plan.LongestStall)
	w.arm(n, stallTimer, n.client.closesAt)
}

// silent tells whether whatever is sent at that time on the connection in use gets no answer.
func (c *connection) silent(now clock.Instant) bool { return c.cuts > 0 || c.stalls(now) }

// stalls tells whether the connection in use carries nothing at that time.
func (c *connection) stalls(now clock.Instant) bool {
	return c.stalled == c.number && now < c.stalledTo
}

// stall makes the node's connection carry nothing until the true time until; nil is for ever. What is sent meanwhile leaves then.
// If the connection is stalled already, the later of both ends counts. It returns false, and does nothing, if there is no
// process, no client or no connection.
func (w *world) stall(n *node, until *time.Duration) bool {
	w.closeIdle(n)
	if !n.Alive() || n.client == nil || !n.client.open {
		return false
	}
	c := &n.client.connection
	to := clock.Never
	if until != nil {
		to = clock.Instant(*until)
	}
	if c.stalls(w.Now) {
		c.stalledTo = max(c.stalledTo, to)
		return true
	}
	before := c.silent(w.Now)
	c.stalled, c.stalledTo = c.number, to
	if !before {
		w.silence(n)
	}
	return true
}

// silence arms the timer that closes the node's connection, which falls silent now, plan.LongestStall after it was last read.
// Until now each ping was answered, and each answer was read. With HTTP/1.1 nobody pings, and it does nothing.
func (w *world) silence(n *node) {
	if n.Plan.Client.HTTP1 {
		return
	}
	c := &n.client.connection
	idle := time.Duration(n.Clock.Mono(w.Now)-c.readAt) / plan.ReadIdle * plan.ReadIdle
	c.readAt = c.readAt.Add(idle)
	w.closeLater(n)
}

// cutOff counts a fault that begins, by which nothing gets through between the node and the service. The connection of the node's
// client falls silent: no ping is answered, and the timer that closes it is armed (see silence). What is sent meanwhile is lost,
// as for a candidate without a client; for such a one cutOff does nothing.
func (w *world) cutOff(n *node) {
	if n.client == nil {
		return
	}
	w.closeIdle(n)
	if n.Alive() && n.client.open && !n.client.silent(w.Now) {
		w.silence(n)
	}
	n.client.cuts++
}

// rejoined counts the end of a fault that cutOff has counted. If the connection is then silent no longer, the node hears from it.
// It does nothing for a candidate without a client.
func (w *world) rejoined(n *node) {
	if n.client == nil {
		return
	}
	if n.client.cuts--; n.client.open && !n.client.silent(w.Now) {
		w.heard(n)
	}
}

// unstall handles the end of a stall at its window's end: the node hears from its connection again. It does nothing if the
// connection has been replaced, if its stall ends at another time, or if another fault keeps it silent.
func (w *world) unstall(n *node) {
	if n.client == nil {
		return
	}
	c := &n.client.connection
	if c.stalled != c.number || c.stalledTo != w.Now || c.cuts > 0 {
		return
	}
	w.heard(n)
}

// heard keeps the node's connection, which is silent no longer, from being closed. If a ping is due already, its answer counts
// as read. If that answer comes too late, the connection is closed all the same.
func (w *world) heard(n *node) {
	c := &n.client.connection
	answered := w.Now + n.Line.Longest()
	t := &n.slots[stallTimer]
	if !t.armed || t.at <= answered {
		return
	}
	n.disarm(stallTimer)
	if now := n.Clock.Mono(w.Now); now >= c.readAt.Add(plan.ReadIdle) {
		c.readAt = n.Clock.Mono(answered) // the ping's answer
	}
}

// delays returns how much longer a message takes, in true time, because of a stall, if it is sent now on the connection with that
// number. lost is true if it never arrives.
func (c *connection) delays(number int32, now clock.Instant) (longer clock.Instant, lost bool) {
	if c.stalled == 0 || number != c.stalled || now >= c.stalledTo {
		return 0, false
	}
	return c.stalledTo - now, c.stalledTo == clock.Never
}

// closeStalled is called when the stallTimer fires. It closes the node's connection, whose ping was not answered; the next
// request opens a new one, and a request in flight loses its connection.
func (w *world) closeStalled(n *node) {
	w.hangUp(n)
	if n.underWay() {
		w.connectionLost(n)
	}
}
