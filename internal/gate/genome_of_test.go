package gate

import (
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/bound"
	"interregnum/scenarios"
)

// genomeOf is the genome of a scenario, as its run shows it.
func genomeOf(t require.TestingT, c *bound.Config, e *bound.Environment, s *scenarios.Scenario) *genome {
	w := watched(t, s)
	g := &genome{cfg: c, env: e, leg: s.Network.Request.Min, horizon: s.Horizon, service: s.Service}
	for i := range s.Candidates {
		p := &s.Candidates[i]
		g.people = append(g.people, person{*p.Jitter, p.Clock, max(0, e.Drain-p.Drain)})
		if i > 0 {
			m := w.tied(0, p.StartAt)
			m.kind, m.other = moveStart, i
			g.moves = append(g.moves, m)
		}
		for n, r := range w.requests[i] {
			if m := (move{who: i, request: n, fate: r.fate(w, i, g.leg)}); m.fate != (fate{out: g.leg, back: g.leg}) {
				g.moves = append(g.moves, m)
			}
		}
		for _, f := range w.freezes[i] {
			m := w.tied(i, f.from)
			m.kind, m.length = moveFreeze, f.to-f.from
			g.moves = append(g.moves, m)
		}
		if p.Client != nil {
			for _, crowd := range p.Client.Other {
				g.moves = append(g.moves, w.crowdTied(i, crowd, p.Clock.DriftPPM))
			}
		}
		for _, at := range w.cancels[i] {
			m := w.tied(i, at)
			m.kind = moveCancel
			g.moves = append(g.moves, m)
		}
		for _, r := range w.rates[i] {
			m := w.tied(i, r.at)
			m.kind, m.ppm = moveRate, r.ppm
			g.moves = append(g.moves, m)
		}
	}
	return g
}

// tied is a move at an instant, tied to what a candidate last did before.
func (w *watch) tied(who int, at time.Duration) move {
	m := move{who: who, request: -1, after: at - w.started[who]}
	for i, r := range w.requests[who] {
		if r.sent < at {
			m.request, m.after = i, at-r.sent
		}
	}
	return m
}

// fate is what became of a request.
func (r *sending) fate(w *watch, who int, leg time.Duration) fate {
	if r.arrived == notYet {
		return fate{outcome: lost, out: leg, back: leg}
	}
	f := fate{out: r.arrived - r.sent, back: leg}
	if r.handled != notYet {
		f.back = r.handled - r.arrived - w.frozen(who, r.arrived, r.handled)
	}
	switch {
	case !r.answered || r.handled == notYet:
		f.outcome = unheard
	case r.refused && r.applied:
		f.outcome = hidden
	case r.refused:
		f.outcome = refused
	}
	return f
}
