package explore

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/simlock"
)

// lockKey names the one lock object.
const lockKey = "lock"

// epoch is the wall clock's reading at the start, a whole second as in the simulator.
var epoch = machine.WallOf(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))

// world is one state. Worlds share what they have in common: a node is copied before it changes.
type world struct {
	cfg   *Config
	now   time.Duration
	store *simlock.Store
	nodes [maxCandidates]*node
	// mine are the nodes that no other world has.
	mine  [maxCandidates]bool
	trail *trail
	// at work on it is a worker, with what a step needs.
	*scratch
}

// scratch is what a step needs, and spare nodes.
type scratch struct {
	out   []machine.Output
	input machine.Input
	// replied: input holds an answer that came at once. workOver: so did the end of the work.
	replied, workOver bool
	spare             []*node
}

// timer is armed for an instant.
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
	// waiting: it waits for the answer to a request, which the machine calls asked.
	waiting  bool
	asked    uint64
	verb     machine.Verb
	messages []message
	// requests counts what it asked for.
	requests int
}

// ids are the candidates' names.
var ids = [maxCandidates]string{"a", "b", "c", "d"}

// newWorld has candidates that start when, and wait for as long as, it is told.
func newWorld(c *Config, starts, waits []time.Duration) *world {
	w := &world{cfg: c, store: &simlock.Store{}}
	for i := range c.Candidates {
		n := &node{index: i}
		w.nodes[i] = n
		n.machine = machine.New(machine.Config{
			Timings: c.Timings, Identity: ids[i], ReleaseOnCancel: c.ReleaseOnCancel, Profile: c.Profile,
		})
		n.lock, n.wait, n.start = simlock.Single{Key: lockKey}, waits[i], starts[i]
		n.timers[startTimer] = timer{true, starts[i]}
	}
	return w
}

// all returns the candidates of the world.
func (w *world) all() []*node { return w.nodes[:w.cfg.Candidates] }

// clone returns another world that shares all with this one. A node, or the store, is copied when one of them changes it.
func (w *world) clone() *world {
	w.mine = [maxCandidates]bool{}
	c := *w
	return &c
}

// own returns a node that the world may change, and copies it first where other worlds share it.
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

// fresh returns a node to be overwritten, one that was given back if there is any.
func (s *scratch) fresh() *node {
	last := len(s.spare) - 1
	if last < 0 {
		return &node{}
	}
	n := s.spare[last]
	s.spare = s.spare[:last]
	return n
}

// discard gives back the nodes that only this world has.
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

// note adds something that happened to a candidate now to the history that show plays back.
func (w *world) note(n *node, t *trail) {
	t.before, t.node, t.at = w.trail, n.index, w.now
	w.trail = t
}

// overlap is for how long the work of two candidates has run at once when time goes on to an instant.
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

// counts tells whether a candidate works and its work counts as an overlap; with Bystanders, that of a candidate hit by a fault does not.
func (w *world) counts(n *node) bool { return n.working && !(w.cfg.Bystanders && n.hit) }

// version is that of the record in the store, 0 where there is none.
func (w *world) version() uint64 {
	get, in := simlock.Op{Verb: machine.Get, Key: lockKey}, simlock.Result{}
	w.store.ApplyTo(&get, &in)
	return in.Version
}
