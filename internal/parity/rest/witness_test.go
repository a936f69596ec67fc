package rest

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestWitnesses: the library's client shows the overlaps that the gate computes with waits in the limiter, and with answers that ask to wait
// (Retry-After).
func TestWitnesses(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	free := plan.Client{Retries: true, HTTP1: true} // over HTTP/2 closings would count, too
	usual, large := free, free
	usual.QPS, usual.Burst, large.QPS, large.Burst = 5, 10, 50, 100
	for name, c := range map[string]struct {
		client        plan.Client
		trip, timeout time.Duration
		otherQPS      float64
		otherBurst    int
		again         time.Duration
		release       bool
		want          time.Duration
	}{
		"limiter":             {usual, s, 5 * s, 0, 20, 0, false, 7600 * ms},
		"limiter, acquiring":  {usual, s, 5 * s, 0, 40, 0, false, 8200 * ms},
		"limiter, short":      {usual, 100 * ms, 5 * s, 0, 40, 0, false, 7900 * ms},
		"limiter, rate":       {usual, s, 5 * s, 3, 20, 0, false, 8 * s},
		"limiter, large":      {large, 100 * ms, 5 * s, 0, 300, 0, false, 6520 * ms},
		"Retry-After":         {free, 100 * ms, 5 * s, 0, 0, s, false, 10 * s},
		"Retry-After of 3s":   {free, 100 * ms, 5 * s, 0, 0, 3 * s, false, 10 * s},
		"limiter and release": {large, 100 * ms, 5 * s, 0, 0, 0, true, 17_400 * ms},
		"conflicts":           {large, s, 5 * s, 0, 0, 0, true, 23 * s},
	} {
		t.Run(name, func(t *testing.T) {
			j, err := gate.Judge(gate.Target{Config: bound.Config{
				Timings: machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s}, Profile: machine.ClientGo,
				RequestTimeout: c.timeout, ReleaseOnCancel: c.release, Client: &c.client,
			}}, &bound.Environment{MaxRoundTrip: c.trip, OtherQPS: c.otherQPS, OtherBurst: c.otherBurst, MaxRetryAfter: c.again})
			require.NoError(t, err)
			require.NotNil(t, j.Witness)
			if c.again > 0 {
				assert.True(t, asks(j.Witness))
			}
			assert.InDelta(t, float64(c.want), float64(j.Shown), float64(ms))
			p := inOneTime(&j.Witness.Plan)
			library := overlap(runLibrary(t, p, map[string]int{}), p.Horizon)
			assert.InDelta(t, float64(j.Shown), float64(library), float64(ms))
		})
	}
}

// inOneTime returns a plan in which all is later by as much as the first candidate's wall clock is ahead, which is then right: in the
// library's world there is one clock.
func inOneTime(of *plan.Plan) *plan.Plan {
	p := *of
	by := p.Candidates[0].Clock.Offset
	p.Horizon += by
	p.Candidates, p.Faults = slices.Clone(p.Candidates), slices.Clone(p.Faults)
	for i := range p.Candidates {
		c := &p.Candidates[i]
		c.StartAt, c.Clock, c.Client = c.StartAt+by, plan.Clock{}, c.Client.Clone()
		for k := range c.Client.Other {
			c.Client.Other[k].At += by
		}
	}
	for i := range p.Faults {
		f := &p.Faults[i]
		f.At += by
		if f.Until != nil {
			f.Until = new(*f.Until + by)
		}
	}
	return &p
}

// asks tells whether a server asks to wait in a scenario.
func asks(s *scenarios.Scenario) bool {
	for _, f := range s.Faults {
		if f.RetryAfter != nil {
			return true
		}
	}
	return false
}

// overlap returns for how long two candidates' work runs at once at most.
func overlap(marks []mark, horizon time.Duration) (longest time.Duration) {
	since, works := int64(0), map[int]bool{}
	pass := func(at int64) {
		if len(works) > 1 {
			longest = max(longest, time.Duration(at-since))
		}
	}
	for _, m := range marks {
		switch m.what {
		case started:
			works[m.candidate] = true
			since = m.at
		case cancelled:
			pass(m.at)
			delete(works, m.candidate)
			since = m.at
		}
	}
	pass(int64(horizon))
	return longest
}

// together returns for how long the work of the same two candidates runs at once at most. Work that has not ended ends at the horizon.
func together(marks []mark, horizon time.Duration) (longest time.Duration) {
	type term struct {
		who      int
		from, to int64
	}
	var terms []term
	for _, m := range marks {
		switch m.what {
		case started:
			terms = append(terms, term{m.candidate, m.at, int64(horizon)})
		case cancelled:
			for i := range terms {
				if t := &terms[i]; t.who == m.candidate && t.to == int64(horizon) {
					t.to = m.at
				}
			}
		}
	}
	for i, a := range terms {
		for _, b := range terms[:i] {
			if a.who != b.who {
				longest = max(longest, time.Duration(min(a.to, b.to)-max(a.from, b.from)))
			}
		}
	}
	return longest
}

// TestGatheringByWaits: leaders gather on the library because the reads of their releases wait for tokens, as package gate says: two of them
// work at once for longer than its sum.
func TestGatheringByWaits(t *testing.T) {
	s, err := scenarios.ReadFile("../../gate/stage/testdata/gathering-by-waits.yaml")
	require.NoError(t, err)
	library, simulated := runLibrary(t, &s.Plan, map[string]int{}), simulate(t, &s.Plan)
	require.Empty(t, difference(library, simulated))
	require.Zero(t, simulated.closed)
	assert.InDelta(t, float64(47*time.Second), float64(together(library, s.Horizon)), float64(10*time.Millisecond)) // 23 s are computed
}
