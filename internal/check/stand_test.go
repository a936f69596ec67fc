package check

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// standing is a run of 100 s in which a, which does not run again, and b, which does, may be silent for 20 s.
func standing() *trace.Header {
	return &trace.Header{Horizon: 100 * time.Second, Candidates: []trace.Candidate{
		{ID: "a", StandsWithin: 20 * time.Second}, {ID: "b", StandsWithin: 20 * time.Second, Rejoins: true},
		{ID: "coordinator", Coordinator: true},
	}}
}

// asks returns requests of a candidate, one each 20 s from one second to another.
func asks(candidate int32, from, to int64) (events []trace.Event) {
	for s := from; s <= to; s += 20 {
		events = append(events, at(s, trace.RequestSent, candidate))
	}
	return events
}

func stands(events ...[]trace.Event) Property {
	var all []trace.Event
	for _, e := range events {
		all = append(all, e...)
	}
	return *verdictOf(AllStand, standing(), all)
}

func one(e ...trace.Event) []trace.Event { return e }

func TestAllStandHeld(t *testing.T) {
	told := at(15, trace.CancelAsked, 1)
	told.Cause = trace.Terminated
	a, b := one(at(0, trace.RunStarted, 0)), one(at(0, trace.RunStarted, 1))
	for name, p := range map[string]Property{
		"asks again and again": stands(a, asks(0, 0, 100)),
		"to the instant":       stands(a, asks(0, 20, 80)),
		"starts late":          stands(one(at(70, trace.RunStarted, 0)), asks(0, 90, 90)),
		"runs again": stands(b, asks(1, 0, 20), one(at(30, trace.RunReturned, 1), at(40, trace.RunStarted, 1)),
			asks(1, 40, 100)),
		"cancelled for good": stands(a, one(at(20, trace.CancelAsked, 0), at(21, trace.RunReturned, 0))),
		"cancelled, and runs again": stands(b, one(at(15, trace.CancelAsked, 1), at(60, trace.RunReturned, 1),
			at(70, trace.RunStarted, 1)), asks(1, 80, 100)),
		"told to end by a rollout": stands(b, one(told, at(16, trace.RunReturned, 1))),
		"told to end, and has":     stands(b, one(at(15, trace.CancelAsked, 1), at(30, trace.RunReturned, 1), at(40, trace.Crashed, 1))),
		"cancelled, and hangs":     stands(a, one(at(20, trace.CancelAsked, 0))),
		"crashed":                  stands(a, one(at(20, trace.Crashed, 0))),
		"lost, then crashed":       stands(a, one(at(20, trace.RunReturned, 0), at(20, trace.Crashed, 0))),
		"crashed, and starts anew": stands(a, one(at(20, trace.Crashed, 0), at(60, trace.RunStarted, 0)),
			asks(0, 60, 100)),
		"frozen": stands(a, one(at(20, trace.Paused, 0), at(70, trace.Resumed, 0)), asks(0, 90, 90)),
		"frozen, killed and replaced": stands(a, one(at(20, trace.Paused, 0), at(60, trace.Crashed, 0),
			at(60, trace.Resumed, 0), at(80, trace.RunStarted, 0)), asks(0, 80, 80)),
		"the coordinator need not": stands(a, one(at(0, trace.RunStarted, 2)), asks(0, 0, 100)),
	} {
		assert.Equal(t, Held, p.Verdict, name)
		assert.Equal(t, Eventually, p.Kind, name)
	}
}

func TestAllStandViolated(t *testing.T) {
	a, b := one(at(0, trace.RunStarted, 0)), one(at(0, trace.RunStarted, 1))
	cancelled := one(at(20, trace.CancelAsked, 1), at(20, trace.RunReturned, 1))
	for name, c := range map[string]struct {
		got  Property
		want []string
	}{
		"never asks":            {stands(a), []string{"20s..1m40s a"}},
		"late by a second":      {stands(a, asks(0, 21, 101)), []string{"20s..21s a"}},
		"lost, and never again": {stands(a, asks(0, 0, 20), one(at(30, trace.RunReturned, 0))), []string{"40s..1m40s a"}},
		"cancelled, and does not run again although it should": {stands(b, cancelled), []string{"40s..1m40s b"}},
		"silent until it crashes":                              {stands(a, one(at(50, trace.Crashed, 0))), []string{"20s..50s a"}},
		"silent until it is frozen":                            {stands(a, one(at(50, trace.Paused, 0))), []string{"20s..50s a"}},
		"silent after it was frozen":                           {stands(a, one(at(20, trace.Paused, 0), at(50, trace.Resumed, 0))), []string{"1m10s..1m40s a"}},
		"silent until it is cancelled":                         {stands(a, one(at(50, trace.CancelAsked, 0))), []string{"20s..50s a"}},
		"two, in order of time": {stands(a, b, asks(1, 10, 10), one(at(90, trace.Crashed, 1))),
			[]string{"20s..1m40s a", "30s..1m30s b"}},
	} {
		assert.Equal(t, Violated, c.got.Verdict, name)
		assert.Equal(t, c.want, show(c.got.Violations), name)
	}
}

func TestAllStandInconclusive(t *testing.T) {
	assert.Equal(t, Inconclusive, stands().Verdict, "nobody has started")
	soon := stands(one(at(70, trace.RunStarted, 0)), asks(0, 90, 90), one(at(95, trace.RunReturned, 0)))
	assert.Equal(t, Inconclusive, soon.Verdict, "it may yet run again")
}

// TestStandsWithin: the terms of the bound, one by one.
func TestStandsWithin(t *testing.T) {
	bound := func(change func(*plan.Plan, *plan.Candidate)) time.Duration {
		p := &plan.Plan{Candidates: make([]plan.Candidate, 1)}
		c := &p.Candidates[0]
		c.Lock, c.Timings = plan.Lease, machine.Timings{LeaseDuration: 15e9, RenewDeadline: 10e9, RetryPeriod: 2e9}
		change(p, c)
		return Header(p).Candidates[0].StandsWithin
	}
	plain := 10*time.Second + 4400*time.Millisecond
	late := &plan.Delay{Max: 3 * time.Second}
	for name, c := range map[string]struct {
		change func(*plan.Plan, *plan.Candidate)
		want   time.Duration
	}{
		"plain":           {func(*plan.Plan, *plan.Candidate) {}, plain},
		"timeout":         {func(_ *plan.Plan, c *plan.Candidate) { c.RequestTimeout = 12 * time.Second }, plain + 2*time.Second},
		"shorter timeout": {func(_ *plan.Plan, c *plan.Candidate) { c.RequestTimeout = time.Second }, plain},
		"drain":           {func(_ *plan.Plan, c *plan.Candidate) { c.Drain = time.Second }, plain + time.Second},
		"rejoin":          {func(_ *plan.Plan, c *plan.Candidate) { c.Rejoin = new(time.Second) }, plain + time.Second},
		"slow clock":      {func(_ *plan.Plan, c *plan.Candidate) { c.Clock.DriftPPM = -500_000 }, 2 * plain},
		"fast clock":      {func(_ *plan.Plan, c *plan.Candidate) { c.Clock.DriftPPM = 500_000 }, plain * 2 / 3},
		"a key":           {func(_ *plan.Plan, c *plan.Candidate) { c.Lock = plan.KVTTL }, plain + 15*time.Second},
		"network":         {func(p *plan.Plan, _ *plan.Candidate) { p.Network = plan.Network{Request: *late, Response: *late} }, plain + 6*time.Second},
		"clock made slow": {func(p *plan.Plan, _ *plan.Candidate) {
			p.Faults = []plan.Fault{{Kind: plan.FaultClock, DriftPPM: new(int64(-500_000))}}
		}, 2 * plain},
		"delays": {func(p *plan.Plan, _ *plan.Candidate) {
			p.Faults = []plan.Fault{{Kind: plan.FaultDelay, Request: late}, {Kind: plan.FaultDelay, Response: late, Limiter: time.Second}}
		}, plain},
		"dial":           {func(_ *plan.Plan, c *plan.Candidate) { c.Client = &plan.Client{Dial: time.Second} }, plain + time.Second},
		"longest of all": {func(_ *plan.Plan, c *plan.Candidate) { c.Rejoin = new(plan.MaxDuration) }, plan.MaxDuration},
	} {
		assert.Equal(t, c.want, bound(c.change), name)
	}
}
