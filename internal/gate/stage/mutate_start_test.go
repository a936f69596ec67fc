package stage

import (
	"time"

	"github.com/stretchr/testify/require"

	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
	"interregnum/scenarios"
)

// random is a genome of two or three candidates.
func (r mutator) random(c *bound.Config, e *bound.Environment, horizon time.Duration) *genome {
	leg := max(shortestLeg, min(longestLeg, e.MaxRoundTrip/8))
	g := &genome{cfg: c, env: e, leg: leg, horizon: horizon}
	for i := range 2 + r.IntN(2) {
		g.people = append(g.people, person{r.jitter(0.5), r.clock(e)})
		if i > 0 {
			g.moves = append(g.moves, move{
				kind: moveStart, other: i, request: -1, after: 1 + r.length(0, c.LeaseDuration),
			})
		}
	}
	for range 1 + r.IntN(6) {
		g.addMove(r)
	}
	return g
}

// worse is the witness of an environment that is worse.
func (r mutator) worse(t require.TestingT, c *bound.Config, e *bound.Environment) *scenarios.Scenario {
	worse, other := *e, *c
	more := func(d time.Duration) time.Duration {
		return d + time.Duration(r.Float64()*r.Float64()*float64(d+c.RetryPeriod))
	}
	worse.MaxRoundTrip = more(e.MaxRoundTrip)
	if r.IntN(2) == 0 {
		worse.MaxPause = more(e.MaxPause)
	}
	if r.IntN(4) == 0 && !c.Profile.EndsInTime() { // which has no bound so near RenewDeadline
		other.LeaseDuration = max(time.Second, (c.RenewDeadline + time.Millisecond).Truncate(time.Millisecond)) // what an SQL lock takes
	}
	result, err := bound.Of(&other, &worse)
	require.NoError(t, err)
	return Witness(&other, &worse, result)
}

// pressed is the genome of a scenario, cut down to an environment.
func (r mutator) pressed(
	t require.TestingT, s *scenarios.Scenario, c *bound.Config, e *bound.Environment,
) *genome {
	g := genomeOf(t, c, e, s)
	for i := range g.moves {
		m := &g.moves[i]
		if gatetest.Tiny < e.MaxRoundTrip {
			m.fate.out = min(m.fate.out, e.MaxRoundTrip)
			m.fate.back = min(m.fate.back, e.MaxRoundTrip-m.fate.out)
		}
		m.ppm = min(max(m.ppm, -e.MaxDriftPPM), e.MaxDriftPPM)
	}
	for i := range g.people {
		drift := &g.people[i].clock.DriftPPM
		*drift = min(max(*drift, -e.MaxDriftPPM), e.MaxDriftPPM)
	}
	g.service.DriftPPM = min(max(g.service.DriftPPM, -e.MaxDriftPPM), e.MaxDriftPPM)
	g.withinPause()
	return g
}
