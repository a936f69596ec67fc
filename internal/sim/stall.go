package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/seat"
)

// This file is the HTTP/2 connection of a client, as golang.org/x/net/http2 has it with the settings of k8s.io/apimachinery
// (util/net/http.go): if nothing was read from it for readIdle it sends a ping, and if that is not answered within pingWait it
// is closed. Until then all requests use it, whatever became of others. internal/parity/conn compares it with the real one.
const (
	readIdle = 30 * time.Second
	pingWait = 15 * time.Second
)

// connection is what a node knows of the connection of its client. A new one costs no time.
type connection struct {
	// number counts the connections of the candidate from 1.
	number int32
	// readAt is when something was last read from it.
	readAt machine.Mono
	// stalled is the number of the connection that is stalled, 0 for none, and stalledTo when it no longer is.
	stalled   int32
	stalledTo clock.Instant
}

// dial has the node's client use a new connection.
func (w *world) dial(n *node) {
	n.number++
	n.readAt = n.Clock.Mono(w.Now)
	n.disarm(stallTimer)
}

// hasRead records that the node has read from its connection, which then is not closed. But if the connection stalls, that was the
// last that it will read, and it is closed so much later.
func (w *world) hasRead(n *node) {
	if n.Plan.Client == nil {
		return
	}
	n.readAt = n.Clock.Mono(w.Now)
	if n.stalls(w.Now) {
		w.arm(n, stallTimer, n.readAt.Add(readIdle+pingWait))
		return
	}
	n.disarm(stallTimer)
}

// stalls tells whether the connection in use carries nothing at that time.
func (c *connection) stalls(now clock.Instant) bool {
	return c.stalled == c.number && now < c.stalledTo
}

// stall has the node's connection carry nothing until that time, nil for ever. What is sent meanwhile leaves then. It returns false
// if there is no process, which has no connection.
func (w *world) stall(n *node, until *time.Duration) bool {
	if !n.Alive() || n.coordinates {
		return false
	}
	to := clock.Never
	if until != nil {
		to = clock.Instant(*until)
	}
	if n.stalls(w.Now) {
		n.stalledTo = max(n.stalledTo, to)
		return true
	}
	n.stalled, n.stalledTo = n.number, to
	now := n.Clock.Mono(w.Now)
	// Pings were answered until now.
	idle := time.Duration(now-n.readAt) / readIdle * readIdle
	n.readAt = n.readAt.Add(idle)
	w.arm(n, stallTimer, n.readAt.Add(readIdle+pingWait))
	return true
}

// unstall ends the stall of the node's connection. It goes on, unless the answer to its ping comes too late.
func (w *world) unstall(n *node) {
	if n.stalled != n.number || n.stalledTo != w.Now {
		return
	}
	answered := w.Now + n.Line.Longest()
	t := &n.slots[stallTimer]
	if !t.armed || t.at <= answered {
		return
	}
	n.disarm(stallTimer)
	if now := n.Clock.Mono(w.Now); now >= n.readAt.Add(readIdle) {
		n.readAt = n.Clock.Mono(answered) // the ping's answer
	}
}

// delays returns for how much longer a message is on its way that is sent at that time on the connection with that number, and
// whether it never arrives.
func (c *connection) delays(number int32, now clock.Instant) (longer clock.Instant, lost bool) {
	if c.stalled == 0 || number != c.stalled || now >= c.stalledTo {
		return 0, false
	}
	return c.stalledTo - now, c.stalledTo == clock.Never
}

// closeStalled closes the node's connection, whose ping was not answered, and has the client use a new one. A request that is in
// flight has lost its connection.
func (w *world) closeStalled(n *node) {
	w.dial(n)
	if n.Life == seat.Running && n.inFlight != 0 && n.held == 0 {
		w.connectionLost(n)
	}
}
