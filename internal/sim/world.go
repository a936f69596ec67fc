// Package sim is the simulated world: true time, every candidate's own clocks, a network, a lock service,
// processes that pause, crash and restart. A run is a pure function of its plan.Plan.
package sim

import (
	"fmt"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/network"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/service"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
)

// Stats counts what a run did.
type Stats struct {
	TraceHash string
	// Events is the number of events, StoreOps that of requests that reached the store.
	Events, StoreOps uint64
}

// StandstillError says that a run made no progress in time.
type StandstillError struct {
	// At is the instant, in true time since the start; Candidate is whose event came last, "" for nobody's.
	At        time.Duration
	Candidate string
}

func (e *StandstillError) Error() string {
	whose := ""
	if e.Candidate != "" {
		whose = fmt.Sprintf(", the last of them of candidate %s", e.Candidate)
	}
	return fmt.Sprintf("the run stands still at %v: %d events at one instant%s; "+
		"a delay of 0 lets a candidate retry for ever without time passing", e.At, standstill, whose)
}

// mostOutputs is how many outputs a step of the machine has at most, all but always.
const mostOutputs = 8

// standstill is how many events at one instant are taken for no progress.
const standstill = 1_000_000

type world struct {
	queue.Timeline
	seed       uint64
	nodes      []node
	groups     []group
	elections  []string
	byElection map[string]int32
	byID       map[string]int32
	// director is nil where the plan says it all.
	director Director
	network  network.Network
	service  service.Service
	// marks counts what tells the holders of keys and rows apart.
	marks uint64

	// coordinator is the last node, nil where there is none.
	coordinator *node
	posts       queue.Pool[post]
	news        queue.Pool[news]

	faults []activeFault

	messages queue.Pool[message]
	// leaving is the message that the step in progress has sent, -1 for none.
	leaving   int32
	leavingAt clock.Instant

	out   []machine.Output
	input machine.Input
	// told is an input that is no answer.
	told machine.Input
	// replied: input holds an answer that came without time passing. workOver: so did the end of the work.
	replied, workOver bool

	hash  *trace.Hash
	sinks []trace.Sink
	// wanted are the kinds of event that any of the sinks wants to see.
	wanted [trace.Kinds]bool
	ev     trace.Event
	stats  Stats
	// sameTime counts the events of this instant.
	sameTime int
}

// Run simulates a plan to its horizon. Every event goes to the sinks, in order. The error is a *FieldError
// where the plan is not valid, or a *StandstillError.
func Run(p *plan.Plan, sinks ...trace.Sink) (Stats, error) { return run(p, nil, sinks) }

// run is Run with a director, nil for none.
func run(p *plan.Plan, d Director, sinks []trace.Sink) (Stats, error) {
	if err := p.Validate(); err != nil {
		return Stats{}, err
	}
	w := newWorld(p, sinks)
	w.director = d
	for !w.Empty() {
		last := w.Now
		e := w.Next()
		if e.At != last {
			w.sameTime = 0
		}
		if w.sameTime++; w.sameTime > standstill {
			return Stats{}, w.standstill()
		}
		w.dispatch(&e)
	}
	w.stats.TraceHash = w.hash.Sum()
	return w.stats, nil
}

func newWorld(p *plan.Plan, sinks []trace.Sink) *world {
	w := &world{
		seed:    p.Seed,
		network: network.New(p.Seed),
		nodes:   make([]node, len(p.Candidates)),
		byID:    make(map[string]int32, len(p.Candidates)),
		leaving: -1,
		out:     make([]machine.Output, 0, mostOutputs),
		hash:    trace.NewHash(),
		sinks:   sinks,
	}
	w.Horizon = clock.Instant(p.Horizon)
	w.openElections(p)
	for i := range w.nodes {
		n, c := &w.nodes[i], &p.Candidates[i]
		n.index, n.plan, n.clock = int32(i), c, clock.New(c.Clock)
		n.line = network.NewLine(n.index, &p.Network)
		n.identity = c.Identity
		if n.identity == "" {
			n.identity = c.ID
		}
		w.join(n)
		if c.Coordinated && p.Coordinator != nil {
			n.ballot = &ballot{}
		}
	}
	if p.Coordinator != nil {
		w.nodes = append(w.nodes, node{})
		w.addCoordinator(p.Coordinator, p.Network)
	}
	for k := range trace.Kind(trace.Kinds) {
		w.wanted[k] = slices.ContainsFunc(sinks, func(s trace.Sink) bool {
			selective, ok := s.(trace.Selective)
			return !ok || selective.Wants(k)
		})
	}
	// Faults come before starts, so that one that begins when a candidate starts is in force for it.
	w.scheduleFaults(p.Faults)
	w.Settle()
	for i := range w.nodes {
		w.scheduleStart(&w.nodes[i], clock.Instant(w.nodes[i].plan.StartAt))
	}
	return w
}

func (w *world) dispatch(e *queue.Entry) {
	switch e.Kind {
	case timerDue:
		w.timerUp(e)
	case requestDue:
		w.arrive(e.Ref)
	case responseDue:
		w.receive(e)
	case startDue:
		w.startUp(e)
	case drainDue:
		w.drainUp(e)
	case strayDue:
		w.strayUp(e)
	case expiryDue:
		w.expiryUp(e)
	case probeDue:
		w.probeUp(e)
	case postDue:
		w.deliver(e.Ref)
	case postAnswered, newsDue, watchRetried, relistDue, openDue, wakeDue, resyncDue, patienceEnds, collectDue:
		w.ballotUp(e)
	case faultBegins:
		w.beginFault(e.Ref)
	case faultEnds:
		w.endFault(e.Ref)
	}
}

// event begins an event of n at this instant, in w.ev; emit passes it on.
func (w *world) event(k trace.Kind, n *node) *trace.Event {
	e := &w.ev
	*e = trace.Event{}
	e.At, e.Kind, e.Candidate, e.Incarnation = int64(w.Now), k, n.index, n.incarnation
	return e
}

// emit numbers an event, hashes it, and shows it to the sinks if any of them wants events of its kind.
func (w *world) emit(e *trace.Event) {
	w.stats.Events++
	e.Seq = w.stats.Events
	w.hash.Observe(e)
	if w.wanted[e.Kind] {
		for _, s := range w.sinks {
			s.Observe(e)
		}
	}
}

func (w *world) standstill() error {
	e := &StandstillError{At: time.Duration(w.Now)}
	if w.ev.Candidate >= 0 {
		e.Candidate = w.nodes[w.ev.Candidate].plan.ID
	}
	return e
}
