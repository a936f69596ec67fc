package sim

import "interregnum/internal/sim/queue"

// stage is how far rollouts have got with a process. Without a rollout it is present.
type stage uint8

const (
	present stage = iota
	// awaited: its pod is yet to be made.
	awaited
	// leaving: it was told to end.
	leaving
	// gone: it has ended, or will never start.
	gone
)

// group is a process: the nodes of one candidate, one for each of its elections. Their indices follow each other.
type group struct {
	first, size int32
	stage       stage
	// paused counts the pauses in force, and pauses has their faults. pending is what came due meanwhile.
	paused  int
	pauses  []int32
	pending []queue.Entry
	// handled is the memory of what was handled at the last wake.
	handled []queue.Entry
	// probed is the incarnation that is being probed, probeSeq the entry of the next probe, failures the bad answers in
	// a row.
	probed   int32
	failures int
	probeSeq uint64
}

// reset makes g a process that is not frozen. Its only node so far is the one with the index first.
func (g *group) reset(first int32) {
	*g = group{first: first, size: 1, pauses: g.pauses[:0], pending: g.pending[:0], handled: g.handled[:0]}
}

// parks tells whether the process is frozen. If so it keeps e, which has come due, until the process wakes.
func (g *group) parks(e *queue.Entry) bool {
	if g.paused > 0 {
		g.pending = append(g.pending, *e)
	}
	return g.paused > 0
}
