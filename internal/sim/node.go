package sim

import (
	"fmt"
	"math/rand/v2"
	"time"

	"interregnum/elector/machine"
	"interregnum/elector/ttl"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/network"
	"interregnum/internal/sim/service"
	"interregnum/internal/sim/stream"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// node is one candidate: its clocks, its process, what the process knows.
type node struct {
	index int32
	plan  *plan.Candidate
	clock clock.Clock
	// group is the process, election which of the plan's elections it takes part in.
	*group
	election int32
	line     network.Line
	// coordinator tells that it is no candidate.
	coordinator bool

	life     life
	identity string
	// cancelled: a fault has cancelled the Run in progress.
	cancelled bool
	// incarnation counts processes, term the elections that the current one has won.
	incarnation, term int32

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

	// ballot is nil but for a coordinated election.
	ballot *ballot
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

// newElector gives the node a new elector for its next Run, and a new lock too. A lock that expires by itself is kept
// as long as the process: what one Run has left behind is still its own in the next.
func (w *world) newElector(n *node) {
	config := configOf(n.plan, n.identity)
	if !n.plan.Lock.Expires() {
		n.lock = newClient(n.plan.Lock, &n.plan.Profile, n.identity, n.plan.Election)
		m := machine.New(config)
		n.elector = &elector{&m, n.incarnation}
		return
	}
	if n.elector == nil || n.process != n.incarnation {
		o := n.plan.Lock.Objects()[0]
		n.lock = simlock.NewExpiring(o, service.Name(o, n.plan.Election), n.identity, n.plan.LeaseDuration, &w.marks)
	}
	m := ttl.New(config)
	n.elector, n.watch = &elector{&m, n.incarnation}, wait{lock: n.lock}
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

// life is what a candidate's process is doing.
type life uint8

const (
	unborn life = iota
	running
	// resting is between two Runs of one process.
	resting
	// left: Run has returned for good.
	left
	crashed
)

// drain is work whose context has ended.
type drain struct {
	term, incarnation int32
	endsAt            clock.Instant
	seq               uint64
}

// draining tells whether the work of the current term goes on although its context has ended.
func (n *node) draining() bool {
	for i := range n.drains {
		if n.drains[i].term == n.term && n.drains[i].incarnation == n.incarnation {
			return true
		}
	}
	return false
}

// jitter returns the node's next draw, in [0,1), for a timer: the director's, the plan's fixed one, or one from the seed.
func (n *node) jitter(w *world) float64 {
	if w.director != nil {
		return w.director.Jitter(int(n.index))
	}
	if n.plan.Jitter != nil {
		return *n.plan.Jitter
	}
	return stream.At(&n.jitterStream, w.seed, "jitter", n.index).Float64()
}

// newIdentity is what a restarted process calls itself where it does not keep its name.
func (n *node) newIdentity() string {
	return fmt.Sprintf("%s-%d", n.plan.ID, n.incarnation)
}
