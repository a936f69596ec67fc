package electiontest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// node is one candidate, whichever of its processes runs.
type node struct {
	world    *world
	index    int
	plan     *scenarios.Candidate
	identity string
	// process is the current one, nil before the first.
	process  *process
	requests uint64
	// burst counts the requests of this instant.
	burst   int
	burstAt time.Duration
	// jitter, delays and losses are its random streams.
	jitter, delays, losses *rand.Rand
}

// process is one incarnation. All but its constants is guarded by world.mu.
type process struct {
	node        *node
	incarnation int32
	identity    string
	// dead is closed by a crash.
	dead chan struct{}
	// cancel ends the context of the present Run.
	cancel context.CancelFunc
	// running: the function has not returned; left: nor will it be called again.
	running, left bool
	// terms counts those that began; stopped is the last whose end OnStoppedLeading was told; open are those that go on.
	terms, stopped int32
	open           []*term
	elector        Believer
	believes       bool
	// version is that of the record as of its last write that was answered; renewed: that write named a holder.
	version uint64
	renewed bool
}

func newNode(w *world, i int) *node {
	n := &node{world: w, index: i, plan: &w.scenario.Candidates[i]}
	n.identity = n.plan.Identity
	if n.identity == "" {
		n.identity = n.plan.ID
	}
	stream := func(of uint64) *rand.Rand { return rand.New(rand.NewPCG(w.scenario.Seed, uint64(i)<<8|of)) }
	n.jitter, n.delays, n.losses = stream(1), stream(2), stream(3)
	return n
}

// startFirst begins the first process, unless a restart has begun one.
func (n *node) startFirst() { n.spawn(1) }

// spawn begins a process, unless there is one as new already.
func (n *node) spawn(incarnation int32) {
	w := n.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if n.process != nil && n.process.incarnation >= incarnation {
		return
	}
	p := &process{node: n, incarnation: incarnation, identity: n.identity, dead: make(chan struct{}), cancel: func() {}}
	n.process = p
	w.processes.Go(p.live)
}

// live is the life of a process: the function, and the function again where the scenario says so.
func (p *process) live() {
	w, rejoin := p.node.world, p.node.plan.Rejoin
	for {
		p.runOnce()
		if rejoin == nil || p.gone() {
			w.mu.Lock()
			p.left = true
			w.mu.Unlock()
			return
		}
		select {
		case <-time.After(*rejoin):
		case <-p.dead:
			return
		case <-w.over:
			return
		}
	}
}

func (p *process) runOnce() {
	w := p.node.world
	ctx, cancel := w.context()
	defer cancel()
	c := newCandidate(p)
	ctx = context.WithValue(ctx, candidateKey{}, c)
	w.mu.Lock()
	if p.gone() || w.isOver() {
		w.mu.Unlock()
		return
	}
	p.cancel, p.running = cancel, true
	p.note(trace.Event{Kind: trace.RunStarted, Holder: p.identity})
	w.mu.Unlock()
	defer p.returned() // also where a test's FailNow ends the goroutine
	w.run(ctx, c)
}

// returned is the end of a Run.
func (p *process) returned() {
	w := p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	p.settle()
	p.running, p.elector = false, nil
	if !p.gone() {
		p.noteBelief(int64(w.now()), false)
		p.note(trace.Event{Kind: trace.RunReturned})
	}
}

func (p *process) gone() bool {
	select {
	case <-p.dead:
		return true
	default:
		return false
	}
}

// note adds an event of a process that has not crashed. The caller holds world.mu.
func (p *process) note(e trace.Event) {
	if p.gone() {
		return
	}
	e.Candidate, e.Incarnation = int32(p.node.index), p.incarnation
	p.node.world.note(e)
}

// crash ends the current process. It tells whether there was one.
func (n *node) crash() bool {
	n.world.mu.Lock()
	defer n.world.mu.Unlock()
	return n.process != nil && n.process.die(trace.NoCause)
}

// die ends the process as far as anybody can see. It tells whether it was there. The caller holds world.mu.
func (p *process) die(why trace.Cause) bool {
	w := p.node.world
	if p.left || p.gone() {
		return false
	}
	p.note(trace.Event{Kind: trace.Crashed, Cause: why})
	for _, t := range p.open {
		t.noteCancelled()
		p.note(trace.Event{Kind: trace.WorkEnded, Term: t.number})
	}
	p.noteBelief(int64(w.now()), false)
	close(p.dead)
	p.cancel()
	return true
}

// exit is the process ending itself; another one begins after Rejoin.
func (p *process) exit() {
	n, w := p.node, p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if !p.die(trace.Exited) || n.plan.Rejoin == nil {
		return
	}
	w.processes.Go(func() {
		select {
		case <-time.After(*n.plan.Rejoin):
		case <-w.over:
			return
		}
		n.spawn(p.incarnation + 1)
	})
}

func (n *node) restart(identity sim.Identity) {
	n.crash()
	n.world.mu.Lock()
	incarnation := int32(1)
	if n.process != nil {
		incarnation = n.process.incarnation + 1
	}
	if identity == sim.NewIdentity {
		n.identity = fmt.Sprintf("%s-%d", n.plan.ID, incarnation)
	}
	n.world.mu.Unlock()
	n.spawn(incarnation)
}

// standstill is how many requests at one instant are taken for no progress: the code tries again and again without a
// pause, and on virtual time for ever.
const standstill = 10_000

// stands tells whether the candidate has come to that, and ends it then. The caller holds world.mu.
func (n *node) stands() bool {
	w := n.world
	if now := w.now(); now != n.burstAt {
		n.burst, n.burstAt = 0, now
	}
	if n.burst++; n.burst < standstill {
		return false
	}
	w.stuck = fmt.Sprintf("candidate %s has sent %d requests at %v, without any time passing: want a pause before it "+
		"tries again", n.plan.ID, standstill, n.burstAt)
	n.process.die(trace.NoCause)
	return true
}

// shutDown cancels the context of the present Run. It tells whether there is one.
func (n *node) shutDown() bool {
	w := n.world
	w.mu.Lock()
	defer w.mu.Unlock()
	p := n.process
	if p == nil || p.gone() || !p.running {
		return false
	}
	p.note(trace.Event{Kind: trace.CancelAsked})
	p.cancel()
	return true
}

func (p *process) believe(at int64, believes bool) {
	w := p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.running && !p.gone() {
		p.noteBelief(at, believes)
	}
}

// noteBelief notes where a belief changes. It may be told of late.
func (p *process) noteBelief(at int64, believes bool) {
	if p.believes == believes {
		return
	}
	p.believes = believes
	kind := trace.BeliefEnded
	if believes {
		kind = trace.BeliefBegan
	}
	w := p.node.world
	before := len(w.events)
	p.note(trace.Event{Kind: kind})
	if len(w.events) > before {
		w.events[before].At = at
	}
}
