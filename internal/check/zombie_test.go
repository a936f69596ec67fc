package check

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// TestZombiesDoNotStand: whatever a client keeps back, and whatever faults do to requests, candidates must ask as often as on the
// network without faults.
func TestZombiesDoNotStand(t *testing.T) {
	const s = time.Second
	other := []plan.Traffic{{At: 30 * s, Count: 100_000}}
	for name, p := range map[string]plan.Plan{
		"a Retry-After of a year": {Faults: []plan.Fault{{Kind: plan.FaultThrottle, RetryAfter: new(8760 * time.Hour)}}},
		"a burst of others":       {Candidates: []plan.Candidate{{Client: &plan.Client{QPS: 5, Burst: 10, Other: other}}}},
		"a wait in the limiter":   {Faults: []plan.Fault{{Kind: plan.FaultDelay, Limiter: time.Hour}}},
		"slow answers":            {Faults: []plan.Fault{{Kind: plan.FaultDelay, Response: &plan.Delay{Max: time.Hour}}}},
		"a silent connection":     {Candidates: []plan.Candidate{{Client: &plan.Client{HTTP1: true}}}, Faults: []plan.Fault{{Kind: plan.FaultStall}}},
	} {
		p.Horizon = 600 * s
		if p.Candidates == nil {
			p.Candidates = []plan.Candidate{{Client: &plan.Client{Retries: true}}}
		}
		p.Candidates[0].Timings = machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s}
		assert.Equal(t, 14400*time.Millisecond, Header(&p).Candidates[0].StandsWithin, name)
	}
}

// TestAllStandBeyondTheHorizon: a run that is not longer than the bound says nothing about it.
func TestAllStandBeyondTheHorizon(t *testing.T) {
	h := standing()
	h.Candidates[1].StandsWithin = h.Horizon
	a, b := at(0, trace.RunStarted, 0), at(0, trace.RunStarted, 1)
	assert.Equal(t, Inconclusive, verdictOf(AllStand, h, append([]trace.Event{a, b}, asks(0, 0, 100)...)).Verdict)
}

// TestLivenessWaits: where candidates lead only because the bound has room for what their clients keep back, nothing is judged.
func TestLivenessWaits(t *testing.T) {
	waiting := func(events ...trace.Event) Verdict {
		h := alive()
		h.Failover, h.Waits = 60*time.Second, 30*time.Second
		return lives(h, append([]trace.Event{at(0, trace.RunStarted, 1)}, events...)...).Verdict
	}
	started, ended := func(s int64) trace.Event { return at(s, trace.WorkStarted, 1) }, func(s int64) trace.Event { return at(s, trace.WorkCancelled, 1) }
	assert.Equal(t, Held, waiting(started(50)), "as without waits")
	assert.Equal(t, Inconclusive, waiting(started(51)), "in the time of the waits")
	assert.Equal(t, Violated, waiting(started(81)), "even later")
	assert.Equal(t, Violated, waiting(), "never")
	assert.Equal(t, Held, waiting(started(5), ended(30), started(60)), "a loss that is soon made up for")
	assert.Equal(t, Inconclusive, waiting(started(5), ended(30), started(61)), "nobody leads for longer")
	assert.Equal(t, Inconclusive, waiting(started(5), ended(60)), "to the horizon")
	assert.Equal(t, Held, waiting(started(5), ended(60), at(60, trace.Crashed, 1)), "nobody is left")
	assert.Equal(t, Held, waiting(started(5), ended(70)), "to the horizon, but not for long")

	h := alive()
	h.Failover, h.Waits = 60*time.Second, 30*time.Second
	assert.Equal(t, "nobody led for longer than is allowed unless clients keep requests back", lives(h, at(0, trace.RunStarted, 1), started(51)).Why)
}

// TestWaitsOfTheBound: the waits of a client are a part of the bound that the header names, and closed connections are not.
func TestWaitsOfTheBound(t *testing.T) {
	const s = time.Second
	for name, c := range map[string]struct {
		client *plan.Client
		fault  plan.Fault
		want   time.Duration
	}{
		"no client":     {nil, plan.Fault{Kind: plan.FaultThrottle}, 0},
		"a Retry-After": {&plan.Client{Retries: true}, plan.Fault{Kind: plan.FaultThrottle, RetryAfter: new(9 * s)}, 9 * s},
		"a limiter":     {&plan.Client{QPS: 5, Burst: 1}, plan.Fault{Kind: plan.FaultThrottle}, s},
		"a stall":       {&plan.Client{}, plan.Fault{Kind: plan.FaultStall}, 0},
	} {
		p := &plan.Plan{Horizon: 600 * s, Faults: []plan.Fault{c.fault}, Candidates: []plan.Candidate{{Client: c.client,
			Timings: machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s}}}}
		assert.Equal(t, c.want, Header(p).Waits, name)
	}
}
