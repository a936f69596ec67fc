// Package coordinated is what a coordinated election has beside its electors: LeaseCandidates, and the API server's coordinator.
package coordinated

import (
	"time"

	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
)

// First is the first kind of entry in the queue that is this package's; it has all that follow.
const First queue.Kind = 64

const (
	// postDue and postAnswered: Ref is a post. newsDue: Ref is a watch event. All that follow: Ref is the index of a seat.
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

// reconnect is how long a watch whose connection was cut stands still before it is tried again. It then goes on from the
// version it had come to.
const reconnect = clock.Instant(time.Second)
