package sim

import "interregnum/internal/sim/queue"

// The kinds of entries in the queue.
const (
	// timerDue: ref is what timerRef returns.
	timerDue queue.Kind = iota
	// requestDue and responseDue: ref is a message.
	requestDue
	responseDue
	// startDue, drainDue and strayDue: ref is a node.
	startDue
	drainDue
	strayDue
	// faultBegins and faultEnds: ref is a fault.
	faultBegins
	faultEnds
	// expiryDue is when a key's entry may have run out.
	expiryDue
	// probeDue: ref is the first node of a process.
	probeDue
	// killDue: ref is the first node of a process whose grace period is over.
	killDue
	// resetDue is the end of a connection that a paused process has yet to see: ref is a node, and Seq is the request in flight at
	// the reset. It is never in the queue.
	resetDue
	// cancelDue is a cancel that a paused process has yet to see: ref is a node. It is never in the queue.
	cancelDue
)
