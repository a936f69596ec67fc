package electiontest

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// node is one candidate, whichever of its processes runs.
type node struct {
	world *world
	// plan is that of its first election; what is the process's is the same in all.
	plan     *scenarios.Candidate
	identity string
	// seats are what it is in each of its elections.
	seats []*seat
	// process is the current one, nil before the first.
	process *process
	// disturbed: something has been in the way of it, such as a fault.
	disturbed bool
	// hosts are, by what the server calls it, what it calls itself by the name of its host.
	hosts map[string]string
	// burst counts the requests of this instant.
	burst   int
	burstAt time.Duration
}

// process is one incarnation. All but its constants is guarded by world.mu.
type process struct {
	node        *node
	incarnation int32
	identity    string
	// parts are those that it takes in elections, as the seats.
	parts []*part
	// dead is closed by a crash.
	dead chan struct{}
	// ctx is the context of the present Run, which cancel ends.
	ctx    context.Context
	cancel context.CancelFunc
	// warm: no controller of it warms up any more.
	warm bool
	// running: the function has not returned; left: nor will it be called again.
	running, left bool
}

func newNode(w *world, p *scenarios.Candidate) *node {
	n := &node{world: w, plan: p, identity: p.Identity, hosts: map[string]string{}}
	if n.identity == "" {
		n.identity = p.ID
	}
	return n
}

// startFirst begins the first process, unless a restart has begun one.
func (n *node) startFirst() { n.spawn(1) }

// spawn begins the process of that incarnation, unless it or a later one has begun already.
func (n *node) spawn(incarnation int32) {
	w := n.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if n.process != nil && n.process.incarnation >= incarnation {
		return
	}
	p := &process{node: n, incarnation: incarnation, identity: n.identity, dead: make(chan struct{}),
		ctx: context.Background(), cancel: func() {}}
	for _, s := range n.seats {
		s.part = &part{process: p, seat: s}
		p.parts = append(p.parts, s.part)
	}
	n.process = p
	go p.live()
}

// live calls the candidate's function, and where the scenario has a rejoin again after each return, until the process
// or the run is over.
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

// runOnce calls the candidate's function once, and notes the beginning and the end of its Run.
func (p *process) runOnce() {
	w := p.node.world
	ctx, cancel := w.context()
	defer cancel()
	c := newCandidate(p.parts[0])
	ctx = context.WithValue(ctx, candidateKey{}, c)
	w.mu.Lock()
	if p.gone() || w.isOver() {
		w.mu.Unlock()
		return
	}
	p.cancel, p.ctx, p.running = cancel, ctx, true
	for _, part := range p.parts {
		part.join()
	}
	id, _ := goroutine()
	w.functions[id] = p
	w.mu.Unlock()
	defer p.returned(ctx) // also where a test's FailNow ends the goroutine
	defer p.recover("its function")
	w.run(ctx, c)
}

// returned notes that the candidate's function has returned, which ends its Runs in all elections.
func (p *process) returned(ctx context.Context) {
	w := p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	p.early(ctx, "returned")
	p.outlives()
	p.running = false
	for _, part := range p.parts {
		part.leave()
	}
}

// recover, deferred, takes a panic for what it would be: the end of the process. The test fails, and says so.
func (p *process) recover(where string) {
	value := recover()
	if value == nil {
		return
	}
	w := p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	_, stack, _ := strings.Cut(string(debug.Stack()), "\npanic(")
	if lines := strings.SplitN(stack, "\n", 3); len(lines) == 3 {
		stack = lines[2]
	}
	w.fail("candidate %s: %s panicked at %v: %v\n%s", p.node.plan.ID, where, w.now(), value, strings.TrimSpace(stack))
	p.die(trace.NoCause)
}

// gone tells whether the process has crashed or exited.
func (p *process) gone() bool {
	select {
	case <-p.dead:
		return true
	default:
		return false
	}
}

// runs tells whether the candidate's function has been called and has not returned. The caller holds world.mu.
func (n *node) runs() bool { return n.process != nil && n.process.running && !n.process.gone() }

// crash ends the current process. It tells whether there was one.
func (n *node) crash() bool {
	n.world.mu.Lock()
	defer n.world.mu.Unlock()
	n.disturbed = true
	return n.process != nil && n.process.die(trace.NoCause)
}

// die ends the process as far as anybody can see: its work, its network and its context. It tells whether the process
// was there. The caller holds world.mu.
func (p *process) die(why trace.Cause) bool {
	if p.left || p.gone() {
		return false
	}
	for _, part := range p.parts {
		part.die(why)
	}
	close(p.dead)
	p.cancel()
	return true
}

// exit ends the process on its own behalf: see Candidate.Exit. Where the scenario has a rejoin another process begins
// that much later.
func (p *process) exit() {
	n, w := p.node, p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	p.early(p.ctx, "called Candidate.Exit")
	if !p.die(trace.Exited) || n.plan.Rejoin == nil {
		return
	}
	go func() {
		select {
		case <-time.After(*n.plan.Rejoin):
		case <-w.over:
			return
		}
		n.spawn(p.incarnation + 1)
	}()
}

// restart ends the current process, if there is one, and begins the next, under a new identity if that is asked for.
func (n *node) restart(identity plan.Identity) {
	n.crash()
	n.world.mu.Lock()
	incarnation := int32(1)
	if n.process != nil {
		incarnation = n.process.incarnation + 1
	}
	if identity == plan.NewIdentity {
		n.identity = fmt.Sprintf("%s-%d", n.plan.ID, incarnation)
	}
	n.world.mu.Unlock()
	n.spawn(incarnation)
}

// standstill is how many requests at one instant are taken for no progress: the code tries again and again without a
// pause, and on virtual time for ever.
const standstill = 10_000

// stands counts a request, and tells whether the candidate has sent so many at this instant that it makes no progress:
// see standstill. Then the run fails and the process ends. The caller holds world.mu.
func (n *node) stands() bool {
	w := n.world
	if now := w.now(); now != n.burstAt {
		n.burst, n.burstAt = 0, now
	}
	if n.burst++; n.burst < standstill {
		return false
	}
	w.fail("candidate %s has sent %d requests at %v, without any time passing: want a pause before it tries again",
		n.plan.ID, standstill, n.burstAt)
	n.process.die(trace.NoCause)
	return true
}

// shutDown cancels the context of the present Run. It tells whether there is one.
func (n *node) shutDown() bool {
	w := n.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if !n.runs() {
		return false
	}
	n.disturbed = true
	for _, part := range n.process.parts {
		if part.runs {
			part.note(trace.Event{Kind: trace.CancelAsked})
		}
	}
	n.process.cancel()
	return true
}
