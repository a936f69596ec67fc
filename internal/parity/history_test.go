package parity

import (
	"cmp"
	"fmt"
	"slices"

	"interregnum/internal/trace"
	"interregnum/plan"
)

// none is a time that did not come.
const none int64 = -1

// history is what an outside observer sees of a run. Times are nanoseconds since its start.
type history struct {
	terms        []term
	writes       []write
	requests     []request
	observations []observation
	beliefs      []belief
}

type term struct {
	candidate, incarnation             int
	started, cancelled, ended, stopped int64
}

type write struct {
	at                   int64
	candidate            int
	verb, holder         string
	version, transitions int
}

type request struct {
	at           int64
	candidate    int
	verb, object string
}

type observation struct {
	at         int64
	candidate  int
	what, text string
}

type belief struct {
	at  int64
	who string
}

// sorted orders what happened at one instant, since goroutines may note that in any order.
func (h *history) sorted() {
	slices.SortFunc(h.observations, func(a, b observation) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.candidate, b.candidate),
			cmp.Compare(a.what, b.what), cmp.Compare(a.text, b.text))
	})
	slices.SortFunc(h.beliefs, func(a, b belief) int { return cmp.Compare(a.at, b.at) })
}

// gather builds the history of a simulated run from its events.
type gather struct {
	history
	plan     *plan.Plan
	samples  []int64
	believes []bool
	open     map[[3]int32]int
}

// Observe takes in an event.
func (g *gather) Observe(e *trace.Event) {
	for len(g.samples) > 0 && g.samples[0] < e.At {
		g.sample()
	}
	c := int(e.Candidate)
	switch e.Kind {
	case trace.RequestSent:
		g.requests = append(g.requests, request{e.At, c, e.Verb.String(), e.Object.String()})
	case trace.Written:
		g.writes = append(g.writes, write{
			e.At, c, e.Verb.String(), e.Holder, int(e.Version), int(e.Transitions)})
	case trace.LeaderReported:
		g.observations = append(g.observations, observation{e.At, c, "leader", e.Holder})
	case trace.EventRecorded:
		g.observations = append(g.observations, observation{e.At, c, "event", e.Holder})
	case trace.MetricSet:
		g.observations = append(g.observations, observation{e.At, c, "metric", e.Cause.String()})
	case trace.BeliefBegan, trace.BeliefEnded:
		g.believes[c] = e.Kind == trace.BeliefBegan
	default:
		g.work(e, c)
	}
}

func (g *gather) work(e *trace.Event, c int) {
	key := [3]int32{e.Candidate, e.Incarnation, e.Term}
	i, ok := g.open[key]
	switch e.Kind {
	case trace.WorkStarted:
		g.open[key] = len(g.terms)
		g.terms = append(g.terms, term{c, int(e.Incarnation), e.At, none, none, none})
	case trace.WorkCancelled:
		g.terms[i].cancelled = e.At
	case trace.WorkEnded:
		g.terms[i].ended = e.At
	case trace.Stopped:
		if ok {
			g.terms[i].stopped = e.At
		}
	}
}

func (g *gather) sample() {
	var who []int
	for i, b := range g.believes {
		if b {
			who = append(who, i)
		}
	}
	g.beliefs = append(g.beliefs, belief{g.samples[0], fmt.Sprint(who)})
	g.samples = g.samples[1:]
}
