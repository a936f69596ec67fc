package stage

import (
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
	"interregnum/scenarios"
)

// genomeOf is the genome of a scenario, as its run shows it.
func genomeOf(t require.TestingT, c *bound.Config, e *bound.Environment, s *scenarios.Scenario) *genome {
	w := gatetest.Watched(t, s)
	g := &genome{cfg: c, env: e, leg: s.Network.Request.Min, horizon: s.Horizon, service: s.Service}
	for i := range s.Candidates {
		p := &s.Candidates[i]
		g.people = append(g.people, person{*p.Jitter, p.Clock})
		if i > 0 {
			m := tied(w, 0, p.StartAt)
			m.kind, m.other = moveStart, i
			g.moves = append(g.moves, m)
		}
		for n, r := range w.Requests[i] {
			if m := (move{who: i, request: n, fate: fateOf(&r, w, i, g.leg)}); m.fate != (fate{out: g.leg, back: g.leg}) {
				g.moves = append(g.moves, m)
			}
		}
		for _, f := range w.Freezes[i] {
			m := tied(w, i, f.From)
			m.kind, m.length = moveFreeze, f.To-f.From
			g.moves = append(g.moves, m)
		}
		if p.Client != nil {
			for _, crowd := range p.Client.Other {
				g.moves = append(g.moves, crowdTied(w, i, crowd, p.Clock.DriftPPM))
			}
		}
		for _, at := range w.Cancels[i] {
			m := tied(w, i, at)
			m.kind = moveCancel
			g.moves = append(g.moves, m)
		}
		for _, r := range w.Rates[i] {
			m := tied(w, i, r.At)
			m.kind, m.ppm = moveRate, r.PPM
			g.moves = append(g.moves, m)
		}
	}
	return g
}

// tied is a move at an instant, tied to what a candidate last did before.
func tied(w *gatetest.Watch, who int, at time.Duration) move {
	m := move{who: who, request: -1, after: at - w.Started[who]}
	for i, r := range w.Requests[who] {
		if r.Sent < at {
			m.request, m.after = i, at-r.Sent
		}
	}
	return m
}

// fateOf is what became of a request.
func fateOf(r *gatetest.Sending, w *gatetest.Watch, who int, leg time.Duration) fate {
	if r.Arrived == gatetest.NotYet {
		return fate{outcome: lost, out: leg, back: leg}
	}
	f := fate{out: r.Arrived - r.Sent, back: leg}
	if r.Handled != gatetest.NotYet {
		f.back = r.Handled - r.Arrived - w.Frozen(who, r.Arrived, r.Handled)
	}
	switch {
	case !r.Answered || r.Handled == gatetest.NotYet:
		f.outcome = unheard
	case r.Refused && r.Applied:
		f.outcome = hidden
	case r.Refused:
		f.outcome = refused
	}
	return f
}
