package world

import (
	"math/rand/v2"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"interregnum/electiontest/internal/bubble"
	"interregnum/electiontest/internal/lockobject"
	"interregnum/electiontest/internal/post"
	"interregnum/internal/sim/network"
	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/simlock/fakekube"
)

// newWorld returns the state of a run that begins now, in bubble b. No process has begun in it.
func newWorld(of *Setup, b *bubble.Bubble) *world {
	s := of.Scenario
	w := &world{
		scenario: s, header: s.Header(), run: of.Run, mayKeep: of.MayKeep, server: of.Server, bubble: b, start: time.Now(),
		over: make(chan struct{}), touched: make(chan struct{}, 1), post: post.New(),
		functions: map[string]*process{}, askers: map[string]*seat{}, erred: map[string]errorsAt{}, aliases: map[string]*process{},
		targets: make([]network.Scope, len(s.Faults)),
	}
	if w.server == nil {
		w.server = &fakekube.Server{}
	}
	for i := range s.Candidates {
		c := &s.Candidates[i]
		if i == 0 || s.Candidates[i-1].ID != c.ID {
			w.nodes = append(w.nodes, newNode(w, c))
		}
		n, election := w.nodes[len(w.nodes)-1], max(slices.Index(s.Elections, c.Election), 0)
		n.seats = append(n.seats, newSeat(n, i, election, of.Lock))
		w.seats = append(w.seats, n.seats[len(n.seats)-1])
	}
	for i := range s.Faults {
		w.targets[i] = w.scope(&s.Faults[i])
	}
	w.answered = w.seats[0]
	w.locks = make([]types.NamespacedName, max(len(s.Elections), 1))
	w.holders = make([][trace.Objects]string, len(w.locks))
	w.stored = make([][trace.Objects]*lockobject.Record, len(w.locks))
	w.asked, w.unserved = make([]bool, len(w.locks)), map[string]bool{}
	for _, seat := range w.seats {
		w.locks[seat.election] = seat.key
	}
	return w
}

// newNode returns a node for the candidate p of the scenario, without seats and processes. Its identity is p.ID if p names none.
func newNode(w *world, p *scenarios.Candidate) *node {
	n := &node{world: w, plan: p, identity: p.Identity, hosts: map[string]string{}}
	if n.identity == "" {
		n.identity = p.ID
	}
	return n
}

// newSeat returns the seat of n for candidate i of the scenario, in the election of that index. Its lock is at lock; if the
// scenario names elections, its lock's name is the election's, in lock's namespace.
func newSeat(n *node, i, election int, lock types.NamespacedName) *seat {
	w := n.world
	s := &seat{node: n, index: i, election: election, plan: &w.scenario.Candidates[i], key: lock,
		drawn: map[string]int{},
	}
	if s.plan.Election != "" {
		s.key.Name = s.plan.Election
	}
	stream := func(of uint64) *rand.Rand { return rand.New(rand.NewPCG(w.scenario.Seed, uint64(i)<<8|of)) }
	s.jitter, s.delays, s.losses = stream(1), stream(2), stream(3)
	return s
}
