package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/coordinated"
	"interregnum/internal/sim/network"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/recorder"
	"interregnum/internal/sim/service"
	"interregnum/internal/stepping"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock"
)

// world is a run under way.
type world struct {
	queue.Timeline
	recorder.Recorder

	nodes      []node
	groups     []group
	byElection map[string]int32
	byID       map[string]int32

	network  network.Network
	service  service.Service
	faults   []activeFault
	rollouts []rollout

	memory   memory
	messages queue.Pool[message]
	stepping.Steps
	course
}

// course is what a world has for one run only. All else in a world has memory that the next run uses again.
type course struct {
	seed      uint64
	elections []string
	// marks counts the marks that the locks on keys and rows have used: see simlock.NewExpiring.
	marks       uint64
	coordinated coordinated.Election
	// noShortcut tells that no request skips the queue: see exchange. exchanged is the last one that did.
	noShortcut bool
	exchanged  trace.Exchange
	// director is nil if the plan decides everything.
	director Director
	// attendant is the director if it follows the run between its events, else nil.
	attendant Attendant
	// between: there is an attendant or a rollout, so that something may come between two entries of the queue.
	between bool
	// turns are counted if there is a rollout. rolledAt is one more than they were when roll was last called; 0 where roll has more to do.
	turns    turns
	rolledAt uint64

	// leaving is the message that the step in progress has sent, -1 for none.
	leaving   int32
	leavingAt clock.Instant

	// told is an input other than an answer: its Response is zero.
	told machine.Input
}

// message is a request on its way, then its answer on its way back.
type message struct {
	// incarnation is the node's process that sent it, and id its number among all that the node sent.
	node, incarnation int32
	id                uint64

	op     simlock.Op
	result simlock.Result
	// retryAfter is how long the answer asks the client to wait before it sends the request again; nil is not at all.
	retryAfter *time.Duration
	// connection is the number of the connection on which the client sent it.
	connection int32
	// queued: it has asked for a seat of the service. turnedAway: it gets none, since too
	// many waited already, or it waits too long.
	queued, turnedAway bool
	// keptBack is what becomes of it if its connection, for the end of whose stall it waits, is reset: RequestLost or ResponseLost; 0: it
	// does not wait for that. gone: that has happened, and it never arrives.
	keptBack trace.Kind
	gone     bool
}

// activeFault is a fault and, once it has begun, the nodes that it is on.
type activeFault struct {
	*plan.Fault
	network.Scope
	// first: of what comes at one instant, its beginning comes first. service: the fault is on the service's clock.
	first, service bool
}

// rollout is a rolling update that has begun. It counts pods as the Deployment controller of Kubernetes does
// (pkg/controller/deployment/rolling.go): a pod that was told to end is none any more.
type rollout struct {
	*plan.Rollout
	fault    int32
	old, new []*group
	// over: all successors are ready, and all others were told to end. ended: these have ended, too.
	over, ended bool
}

// members returns the nodes of a process.
func (w *world) members(g *group) []node { return w.nodes[g.first : g.first+g.size] }

// some tells whether the function is returns true for at least one node of the process.
func (w *world) some(g *group, is func(*node) bool) bool {
	for i := range w.members(g) {
		if is(&w.members(g)[i]) {
			return true
		}
	}
	return false
}

// lives tells whether at least one node of the process is in a Run, or between two Runs.
func (w *world) lives(g *group) bool {
	return w.some(g, func(n *node) bool { return n.Alive() })
}

// electionNamed returns the index of an election. It is 0 for "".
func (w *world) electionNamed(name string) int32 {
	return w.byElection[name]
}
