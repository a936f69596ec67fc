package stage

import (
	"slices"
	"time"

	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// crowdIn adds the other traffic of a move, as much of it as the environment lets come at that time.
func (g *genome) crowdIn(s *scenarios.Scenario, m *move, at time.Duration) {
	c := s.Candidates[m.who].Client
	local := localAt(s, m.who, at+m.after)
	if n := min(m.count, gatetest.MayCome(g.env, c.Other, local)); n > 0 {
		c.Other = append(c.Other, plan.Traffic{At: local, Count: n})
	}
}

// localAt is what a candidate's clock shows at an instant, by the faults so far.
func localAt(s *scenarios.Scenario, who int, at time.Duration) time.Duration {
	c := &s.Candidates[who]
	shown, since, ppm := time.Duration(0), time.Duration(0), c.Clock.DriftPPM
	var turns []scenarios.Fault
	for _, f := range s.Faults {
		if f.Kind == plan.FaultClock && f.DriftPPM != nil && f.At <= at && slices.Contains(f.On, c.ID) {
			turns = append(turns, f)
		}
	}
	slices.SortStableFunc(turns, func(a, b scenarios.Fault) int { return int(a.At - b.At) })
	for _, f := range turns {
		shown += bound.Local(f.At-since, ppm)
		since, ppm = f.At, *f.DriftPPM
	}
	return shown + bound.Local(at-since, ppm)
}

// crowdTied is the move that is other traffic of a candidate, tied to the answer that it comes with or to the last request before.
func crowdTied(w *gatetest.Watch, who int, t plan.Traffic, ppm int64) move {
	at := bound.True(t.At, ppm)
	m := tied(w, who, at)
	for i, r := range w.Requests[who] {
		if d := r.Handled - at; r.Handled != gatetest.NotYet && max(d, -d) < 100*time.Microsecond {
			m = move{who: who, request: i, late: true}
		}
	}
	m.kind, m.count = moveTraffic, t.Count
	return m
}

// varyCrowd varies when other traffic comes, and how much.
func (g *genome) varyCrowd(r mutator, m *move) {
	switch r.IntN(4) {
	case 0:
		m.request = max(-1, m.request+r.IntN(3)-1)
	case 1:
		m.late = r.IntN(4) > 0
	case 2:
		m.after = max(0, r.length(m.after, g.cfg.RetryPeriod))
	}
	if r.IntN(2) == 0 {
		m.after = 0
	}
	m.count = g.env.MostAtOnce()
	if r.IntN(4) == 0 {
		m.count = 1 + r.IntN(g.env.MostAtOnce())
	}
}

// varyAgain varies what a server asks a client for that it refuses.
func (g *genome) varyAgain(r mutator, f *fate) {
	f.again = nil
	if s := int64(g.env.MaxRetryAfter / time.Second); s > 0 && r.IntN(2) == 0 && (f.outcome == refused || g.env.HiddenConflicts) {
		f.again = new(time.Duration(r.Int64N(s+1)) * time.Second)
	}
}
