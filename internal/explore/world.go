package explore

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/stepping"
	"interregnum/simlock"
)

// lockKey is the name of the only lock object.
const lockKey = "lock"

// epoch is what wall clocks show at the start: a whole second, as in the simulator.
var epoch = machine.WallOf(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))

// world is one state. Worlds share the nodes in which they do not differ: a node is copied before it changes.
type world struct {
	cfg   *Config
	now   time.Duration
	store *simlock.Store
	nodes [maxCandidates]*node
	// mine tells which nodes no other world has.
	mine  [maxCandidates]bool
	trail *trail
	// at work on it is a worker, with what a step needs.
	*scratch
}

// scratch is what a worker needs for a step, and nodes to be used again. A world has that of the worker which works on
// it.
type scratch struct {
	stepping.Steps
	spare []*node
}

// timer is armed for the instant at.
type timer struct {
	armed bool
	at    time.Duration
}

const (
	// requestTimer follows the machine's own, and startTimer is the start of the process.
	requestTimer = machine.Timers + iota
	startTimer
	timers
)

// node is one candidate.
type node struct {
	index   int
	machine machine.Machine
	lock    simlock.Single
	timers  [timers]timer
	// wait is its jittered wait.
	wait time.Duration
	// start is when it starts.
	start time.Duration
	// running: Run is in progress. working: so is the work, since an instant.
	running, working bool
	since            time.Duration
	// cut: its last request was lost. hit: a fault was on it.
	cut, hit bool
	// waiting: it waits for the answer to a request, to which the machine gave the number asked.
	waiting  bool
	asked    uint64
	verb     machine.Verb
	messages []message
	// requests is how many requests it has made.
	requests int
}

// ids are the candidates' names.
var ids = [maxCandidates]string{"a", "b", "c", "d"}

// start says when each candidate starts, and which jittered wait it has.
type start struct{ at, waits [maxCandidates]time.Duration }

// newWorld returns the world at the start s, in which no candidate has started yet.
func newWorld(c *Config, s *start) *world {
	w := &world{cfg: c, store: &simlock.Store{}}
	for i := range c.Candidates {
		n := &node{index: i}
		w.nodes[i] = n
		n.machine = machine.New(machine.Config{
			Timings: c.Timings, Identity: ids[i], ReleaseOnCancel: c.ReleaseOnCancel, Profile: c.Profile,
		})
		n.lock, n.wait, n.start = simlock.Single{Key: lockKey}, s.waits[i], s.at[i]
		n.timers[startTimer] = timer{true, s.at[i]}
	}
	return w
}

// all returns the nodes of all candidates.
func (w *world) all() []*node { return w.nodes[:w.cfg.Candidates] }

// clone returns another world that shares all nodes and the store with this one. From then on both worlds copy a node, or the
// store, before they change it.
func (w *world) clone() *world {
	w.mine = [maxCandidates]bool{}
	c := *w
	return &c
}

// own returns the i-th node, which the caller may then change; it copies the node first where other worlds share it.
func (w *world) own(i int) *node {
	if w.mine[i] {
		return w.nodes[i]
	}
	n := w.fresh()
	messages := n.messages[:0]
	*n = *w.nodes[i]
	n.messages = append(messages, n.messages...)
	w.nodes[i], w.mine[i] = n, true
	return n
}

// fresh returns a node to be overwritten, whose content is arbitrary: a spare one, or a new one.
func (s *scratch) fresh() *node {
	last := len(s.spare) - 1
	if last < 0 {
		return &node{}
	}
	n := s.spare[last]
	s.spare = s.spare[:last]
	return n
}

// discard keeps the nodes that only this world has as spare ones. The world must not be used after that.
func (w *world) discard() {
	for i, n := range w.all() {
		if w.mine[i] {
			w.spare = append(w.spare, n)
		}
	}
}

// clocks returns the readings of a candidate's clocks, which have neither drift nor offset.
func (w *world) clocks() machine.Now {
	return machine.Now{Wall: epoch + machine.Wall(w.now), Mono: machine.Mono(w.now)}
}

// note sets the node and the time of an event that happens now, and adds it to the world's trail.
func (w *world) note(n *node, t *trail) {
	t.before, t.node, t.at = w.trail, n.index, w.now
	w.trail = t
}

// overlap returns for how long the work of two candidates will have run at once at the instant until, if nothing
// happens before; 0 where no two work.
func (w *world) overlap(until time.Duration) time.Duration {
	longest := time.Duration(0)
	for i, a := range w.all() {
		for _, b := range w.nodes[:i] {
			if w.counts(a) && w.counts(b) {
				longest = max(longest, until-max(a.since, b.since))
			}
		}
	}
	return longest
}

// counts tells whether the node works and its work counts. With Bystanders, that of a candidate which a fault was on
// does not.
func (w *world) counts(n *node) bool { return n.working && !(w.cfg.Bystanders && n.hit) }

// version returns the version of the record in the store, 0 where there is none.
func (w *world) version() uint64 {
	get, in := simlock.Op{Verb: machine.Get, Key: lockKey}, simlock.Result{}
	w.store.ApplyTo(&get, &in)
	return in.Version
}
