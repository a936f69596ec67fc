// Package coordinated has what a coordinated election needs beside its electors: LeaseCandidates, and the API server's
// coordinator.
package coordinated

import (
	"time"

	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
)

// First is the first of this package's kinds of entries in the queue. All higher kinds are this package's too.
const First queue.Kind = 64

const (
	// postDue and postAnswered: Ref is a post. newsDue: Ref is a watch event. In all others Ref is the index of a seat.
	postDue = First + iota
	postAnswered
	newsDue
	watchRetried
	relistDue
	openDue
	wakeDue
	resyncDue
	patienceEnds
	collectDue
)

// reconnect is how long a watch waits, once its connection was cut, before it tries to connect again. It then goes on
// from the version that it had reached.
const reconnect = clock.Instant(time.Second)
