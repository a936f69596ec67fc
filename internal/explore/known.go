package explore

// state is a state that waits to be explored.
type state struct {
	// world is nil where it has to be made again from the choices that led to the state.
	world  *world
	digest digest
	number number
}

// common is what all workers read. The explorer alone changes it, while no worker is at work.
type common struct {
	cfg *Config
	// gets and writes are the fates that a read and a write can have.
	gets, writes []fate
	// faults is how many more faults the schedules of this layer may have.
	faults int
	// known are the states that were met, and queued the new ones that wait for the next layer, with one fault more.
	known, queued map[digest]struct{}
	// starts are the worlds at the start, and paths leads back to one of them from every state.
	starts []start
	paths  paths
}

// isNew tells whether the search should keep a state. It is false for a known state. If the choice that led to the
// state was a fault (cost 1), it is also false for a state that already waits for the next layer.
func (c *common) isNew(d digest, cost int) bool {
	if _, known := c.known[d]; known {
		return false
	}
	_, queued := c.queued[d]
	return cost == 0 || !queued
}
