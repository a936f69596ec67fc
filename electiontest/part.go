package electiontest

import (
	"math/rand/v2"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/simlock"
)

// seat is a candidate in one of its elections, whichever of its processes runs.
type seat struct {
	node *node
	// index is its place among the scenario's candidates, election that of its election among the scenario's.
	index, election int
	plan            *scenarios.Candidate
	key             types.NamespacedName
	// part is that of the current process, nil before the first.
	part     *part
	requests uint64
	// asked: somebody asked for its lock.
	asked bool
	// jitter, delays and losses are its random streams.
	jitter, delays, losses *rand.Rand
	// drawn counts, by what they are about, the other requests that anything has been drawn for.
	drawn map[string]int
}

// part is what a process does in one election. It is guarded by world.mu.
type part struct {
	process *process
	seat    *seat
	// runs: it takes part now.
	runs bool
	// terms counts those that began; stopped is the last whose end OnStoppedLeading was told; open are those that go on.
	// termsBefore are those before the present Run.
	terms, stopped, termsBefore int32
	open                        []*term
	elector                     Believer
	believes                    bool
	// version is that of the record as of its last write that was answered; renewed: that write named a holder.
	version uint64
	renewed bool
}

func newSeat(n *node, i, election int) *seat {
	w := n.world
	s := &seat{node: n, index: i, election: election, plan: &w.scenario.Candidates[i], key: w.options.lock(),
		drawn: map[string]int{},
	}
	if s.plan.Election != "" {
		s.key.Name = s.plan.Election
	}
	stream := func(of uint64) *rand.Rand { return rand.New(rand.NewPCG(w.scenario.Seed, uint64(i)<<8|of)) }
	s.jitter, s.delays, s.losses = stream(1), stream(2), stream(3)
	return s
}

// locks tells whether the candidate's lock in this election is on that object.
func (s *seat) locks(o trace.Object, namespace, name string) bool {
	return s.key.Namespace == namespace && s.key.Name == name && slices.Contains(s.plan.Lock.Objects(), simlock.Object(o))
}

// join begins a Run in this election, unless one is going on. The caller holds world.mu.
func (p *part) join() {
	if !p.runs {
		p.runs, p.termsBefore = true, p.terms
		p.note(trace.Event{Kind: trace.RunStarted, Holder: p.process.identity})
	}
}

// leave ends a Run in this election, and with it the belief. The caller holds world.mu.
func (p *part) leave() {
	p.settle()
	p.elector = nil
	if p.runs && !p.process.gone() {
		p.noteBelief(int64(p.world().now()), false)
		p.note(trace.Event{Kind: trace.RunReturned})
	}
	p.runs = false
}

// die notes what the end of the process means for this election: the crash, and the end of its work and its belief. The
// caller holds world.mu.
func (p *part) die(why trace.Cause) {
	p.settle()
	p.note(trace.Event{Kind: trace.Crashed, Cause: why})
	for _, t := range p.open {
		t.noteCancelled()
		p.note(trace.Event{Kind: trace.WorkEnded, Term: t.number})
	}
	p.noteBelief(int64(p.world().now()), false)
}

func (p *part) world() *world { return p.process.node.world }

// note adds an event of a process that has not crashed. The caller holds world.mu.
func (p *part) note(e trace.Event) {
	if p.process.gone() {
		return
	}
	e.Candidate, e.Incarnation = int32(p.seat.index), p.process.incarnation
	p.world().note(e)
}

// tell adds an event as note does, for a caller that does not hold world.mu.
func (p *part) tell(e trace.Event) {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	p.note(e)
}

// believe notes what an elector said, as of an instant, about whether it leads.
func (p *part) believe(at int64, believes bool) {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.runs && !p.process.gone() {
		p.noteBelief(at, believes)
	}
}

// noteBelief adds an event where the belief has changed, as of an instant that may be over. The caller holds world.mu.
func (p *part) noteBelief(at int64, believes bool) {
	if p.believes == believes {
		return
	}
	p.believes = believes
	kind := trace.BeliefEnded
	if believes {
		kind = trace.BeliefBegan
	}
	w := p.world()
	before := len(w.events)
	p.note(trace.Event{Kind: kind})
	if len(w.events) > before {
		w.events[before].At = at
	}
}

// stoppedLeading notes a call of OnStoppedLeading, and of which term it tells the end: 0 where no term's end is left to
// tell.
func (p *part) stoppedLeading() {
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	p.settle()
	number := int32(0)
	if p.stopped < p.terms {
		number, p.stopped = p.terms, p.terms
	}
	p.note(trace.Event{Kind: trace.Stopped, Term: number})
}

// stoppedRun notes the end of a Run, in a scenario of several elections, when its OnStoppedLeading has returned. In a scenario of
// one election it does nothing: process.returned notes the end there, when the candidate's function returns.
func (p *part) stoppedRun() {
	if p.seat.plan.Election == "" {
		return
	}
	w := p.world()
	w.mu.Lock()
	defer w.mu.Unlock()
	p.leave()
}
