package stage

import (
	"cmp"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/bound"
	told "interregnum/internal/fate"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// genome is a scenario as an adversary varies it. What happens is tied to requests, not to instants: when something early
// takes longer, all that follows moves with it.
type genome struct {
	cfg     *bound.Config
	env     *bound.Environment
	leg     time.Duration
	horizon time.Duration
	people  []person
	moves   []move
	service scenarios.Clock
	// crowd is how many people there may be, where that is more than three.
	crowd int
}

// person is a candidate. All but the first start when a move says so.
type person struct {
	jitter float64
	clock  scenarios.Clock
}

// move is what the adversary does once a candidate has sent its request of that number, from 0, or has started: -1.
type move struct {
	kind    moveKind
	who     int
	request int
	// after is how long after that, but for a fate, which is that of the request.
	after time.Duration
	fate  fate
	// length is of a freeze, ppm of a change of rate, other the candidate that starts. answersFirst is of a freeze, too.
	length       time.Duration
	answersFirst bool
	ppm          int64
	other        int
	// count is how many requests of other traffic come. late: after counts from the answer to the request.
	count int
	late  bool
}

type moveKind uint8

const (
	moveFate moveKind = iota
	moveFreeze
	moveRate
	moveCancel
	moveStart
	moveTraffic
)

// fate is what becomes of a request. Its way out and back take so long.
type fate struct {
	outcome   outcome
	out, back time.Duration
	// again is the Retry-After of an error, nil for none.
	again *time.Duration
}

// play makes the scenario, move by move: each run shows when the next one's request is sent, and ends then.
func (g *genome) play(t require.TestingT) (*scenarios.Scenario, *gatetest.Watch) {
	s := g.base()
	left := make([]*move, len(g.moves))
	for i := range g.moves {
		left[i] = &g.moves[i]
	}
	w := &gatetest.Watch{}
	for {
		w.Until(t, s, func(w *gatetest.Watch) time.Duration { return first(left, w) })
		at := first(left, w)
		if at == gatetest.NotYet {
			return s, w
		}
		left = slices.DeleteFunc(left, func(m *move) bool {
			if m.anchor(w) != at {
				return false
			}
			if m.make(s, at); m.kind == moveTraffic {
				g.crowdIn(s, m, at)
			}
			return true
		})
	}
}

func (g *genome) base() *scenarios.Scenario {
	always := always(g.leg)
	s := &scenarios.Scenario{Name: "adversary", Plan: scenarios.Plan{
		Seed: 1, Horizon: g.horizon, Network: scenarios.Network{Request: always, Response: always}, Service: g.service,
	}}
	for i := range g.people {
		c := scenarios.Candidate{
			ID: string(rune('a' + i)), Profile: g.cfg.Profile, Lock: cmp.Or(g.cfg.Lock, plan.Lease),
			Now: g.cfg.Now, Precision: g.cfg.Precision, Timings: g.cfg.Timings,
			ReleaseOnCancel: g.cfg.ReleaseOnCancel, RequestTimeout: g.cfg.RequestTimeout,
			Client: g.cfg.Client.Clone(),
			Jitter: &g.people[i].jitter, Drain: g.env.Drain, Clock: g.people[i].clock,
		}
		if i > 0 {
			c.StartAt = g.horizon
		}
		s.Candidates = append(s.Candidates, c)
	}
	return s
}

// first is when the first of some moves is to be made; NotYet if that is not known.
func first(moves []*move, w *gatetest.Watch) time.Duration {
	first := gatetest.NotYet
	for _, m := range moves {
		if at := m.anchor(w); at != gatetest.NotYet && (first == gatetest.NotYet || at < first) {
			first = at
		}
	}
	return first
}

// anchor is when the move's request was sent.
func (m *move) anchor(w *gatetest.Watch) time.Duration {
	switch {
	case m.request < 0:
		return w.Started[m.who]
	case m.request >= len(w.Requests[m.who]):
		return gatetest.NotYet
	case m.late:
		return w.Requests[m.who][m.request].Handled
	}
	return w.Requests[m.who][m.request].Sent
}

// make adds the move's faults.
func (m *move) make(s *scenarios.Scenario, at time.Duration) {
	on := []string{s.Candidates[m.who].ID}
	add := func(f scenarios.Fault, at, length time.Duration) {
		f.At, f.On = at, on
		if length > 0 {
			until := at + length
			f.Until = &until
		}
		s.Faults = append(s.Faults, f)
	}
	when := at + m.after
	switch m.kind {
	case moveFate:
		s.Faults = append(s.Faults, m.fate.faults(on[0], at)...)
	case moveFreeze:
		add(scenarios.Fault{Kind: plan.FaultPause, AnswersFirst: m.answersFirst}, when, m.length)
	case moveRate:
		add(scenarios.Fault{Kind: plan.FaultClock, DriftPPM: &m.ppm}, when, 0)
	case moveCancel:
		add(scenarios.Fault{Kind: plan.FaultCancel}, when, 0)
	case moveStart:
		s.Candidates[m.other].StartAt = min(when, s.Horizon)
	}
}

func (f *fate) faults(on string, at time.Duration) []scenarios.Fault {
	is := told.Fate{Out: told.Way{Delay: f.out, Lost: f.outcome == lost}, Back: told.Way{Delay: f.back, Lost: f.outcome == unheard}}
	if f.outcome == refused || f.outcome == hidden {
		is.Refusal = told.Refusal{Status: 500, Applied: f.outcome == hidden, RetryAfter: f.again}
	}
	return is.Faults(on, told.Times{Called: at, Sent: at, Arrived: at + f.out})
}
