package sim

import (
	"fmt"
	"math/rand/v2"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/seat"
	"interregnum/simlock"
)

// node is one candidate: its clocks, its process, what the process knows.
type node struct {
	seat.Seat
	// group is the process, election which of the plan's elections it takes part in.
	*group
	election int32
	// coordinates tells that it is the coordinator, and no candidate.
	coordinates bool

	// cancelled: a fault has cancelled the Run in progress.
	cancelled bool
	// term counts the elections that the current process has won.
	term int32

	// elector is the current Run's, or the last one's, nil before the first; wait is what it waits for, and in which lock. Watch is
	// the other wait of a lock that expires by itself.
	*elector
	wait
	watch wait
	slots [slots]slot
	// requests counts the requests of all Runs.
	requests uint64
	// held is the message that waits in the client's limiter, from 1; 0 for none.
	held int32
	// strays are the attempts that polls have left running.
	strays []stray

	believes bool
	// working: the work of the current term runs and its context has not ended.
	working bool
	// token is the fencing token of the current term.
	token uint64
	// stoppedTerm is the last term whose end OnStoppedLeading was told.
	stoppedTerm int32
	drains      []drain
	// startSeq is the number of the entry that starts the next Run; 0: none.
	startSeq uint64

	jitterStream *rand.Rand
}

// elector is what each Run has anew, unless the plan has its process keep it. An attempt that a Run has left running keeps it too.
type elector struct {
	// stepper is nil of the coordinator.
	stepper
	// process is the incarnation that it is of.
	process int32
}

// stepper is an algorithm: a *machine.Machine, or a *ttl.Machine where the lock expires by itself.
type stepper interface {
	Step(machine.Now, *machine.Input, []machine.Output) []machine.Output
	Again()
	IsLeader() bool
	Healthy(now machine.Mono, tolerance time.Duration) bool
}

// wait is a client's wait for an answer.
type wait struct {
	// inFlight is the request whose answer it is, 0 for none; verb and object are what it asks, of what. asked is the
	// machine's number for the call that it is part of, which begins anew with each Run.
	inFlight, asked uint64
	verb            machine.Verb
	object          simlock.Object
	// lock is what it waits in.
	lock client
}

// drain is work whose context has ended.
type drain struct {
	term, incarnation int32
	endsAt            clock.Instant
	seq               uint64
}

// stray is an attempt that a poll has left running: see machine.Detach. It outlives the Run, but not the process.
type stray struct {
	*elector
	wait
	// seq is the number of the entry at which it gives up waiting, 0 for none; due and at are when.
	due machine.Mono
	at  clock.Instant
	seq uint64
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

func (n *node) disarm(t machine.Timer) { n.slots[t].armed = false }

// forsake is called where a Run or process ends: the node waits for no answer and holds no request any more.
func (n *node) forsake() {
	n.inFlight, n.watch.inFlight, n.held = 0, 0, 0
	n.disarm(limiterTimer)
}

// newIdentity is what a restarted process calls itself where it does not keep its name.
func (n *node) newIdentity() string {
	return fmt.Sprintf("%s-%d", n.Plan.ID, n.Incarnation)
}
