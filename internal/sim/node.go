package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/seat"
	"interregnum/internal/sim/stream"
	"interregnum/internal/stepping"
	"interregnum/simlock"
)

// node is one candidate: its clocks, its process, what the process knows.
type node struct {
	seat.Seat
	// group is the node's process, and election the index of its election in the plan.
	*group
	election int32
	// expires: its lock expires by itself.
	expires bool

	// cancelled: a fault or a rollout has cancelled the Run in progress.
	cancelled bool
	// term counts the elections that the current process has won.
	term int32

	// Machine is the algorithm of the current or last Run; it is nil before the first, and for the coordinator. Each Run has a new
	// one, unless the plan lets the process keep its elector. process is the incarnation that it belongs to, 0 before the first. wait is its
	// wait for an answer, and watch the second wait that a lock which expires by itself has, for its Watch.
	stepping.Machine
	process int32
	wait
	watch wait
	slots [slots]slot
	// direct is how the node's attempts may skip the queue.
	direct direct
	// requests counts the requests of all Runs.
	requests uint64
	keptBack
	// client is nil if the plan gives the candidate none.
	client *clientState
	// strays are the attempts that polls have left running.
	strays []stray

	believes bool
	// working: the work of the current term runs and its context has not ended.
	working bool
	// token is the fencing token of the current term.
	token uint64
	// stoppedTerm is the last term at whose end OnStoppedLeading was called.
	stoppedTerm int32
	drains      []drain
	// startSeq is the number of the entry that starts the next Run; 0: none.
	startSeq uint64

	// jitters counts the draws for which the plan has a number.
	jitters      int
	jitterStream stream.Stream
}

// reset clears the node for another candidate. It keeps only memory.
func (n *node) reset() {
	line, strays, drains, jitters := n.Line, n.strays, n.drains, n.jitterStream
	*n = node{}
	n.Line, n.strays, n.drains, n.jitterStream = line, strays[:0], drains[:0], jitters // the line is reset with what it is told
	n.jitterStream.Close()
}

// wait is a client's wait for an answer.
type wait struct {
	// inFlight is the number of the request, 0 for none. verb and object say what it asks for, and of what object.
	// asked is the machine's number for the call that the request is part of, which begins anew with each Run.
	inFlight, asked uint64
	verb            machine.Verb
	object          simlock.Object
	// scope is the context of the call.
	scope machine.Scope
	// lock is the lock that made the request.
	lock client
}

// drain is work that goes on after its context has ended.
type drain struct {
	term, incarnation int32
	// endsAt is when the work ends, and seq the number of the entry for that. While the process is frozen, endsAt is how much time
	// is left, and seq is 0.
	endsAt clock.Instant
	seq    uint64
}

// draining tells whether the work of the current term goes on although its context has ended.
func (n *node) draining() bool {
	for i := range n.drains {
		if n.drains[i].term == n.term && n.drains[i].incarnation == n.Incarnation {
			return true
		}
	}
	return false
}

// disarm stops the node's timer t.
func (n *node) disarm(t machine.Timer) { n.slots[t].armed = false }

// forsake ends the node's waits when a Run or process ends. A request that waits in the client is never sent, and
// OnStartedLeading, if it has not returned, is no longer waited for.
func (n *node) forsake() {
	n.inFlight, n.watch.inFlight, n.held, n.resting, n.connecting = 0, 0, 0, false, false
	n.disarm(limiterTimer)
	n.disarm(returnTimer)
}
