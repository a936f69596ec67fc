package search

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/internal/few"
	"interregnum/plan"
	"interregnum/scenarios"
)

// lockings are a target for each kind of lock, in which strict holds.
func lockings() map[string]*Target {
	strict := func(l draw.Locking, limits draw.Limits) *Target {
		return &Target{Profile: machine.Strict, Locking: l, Limits: limits}
	}
	db := draw.Locking{Lock: plan.SQLTTL, Now: plan.DatabaseNow}
	caller := strict(draw.Locking{Lock: plan.SQLTTL}, draw.Limits{MaxClockOffset: 4 * time.Second})
	caller.Timings = defaultTimings()
	seconds := strict(draw.Locking{Lock: plan.SQLTTL, Now: plan.DatabaseNow, Precision: time.Second}, draw.Limits{MaxDrain: 3 * time.Second})
	seconds.Timings = defaultTimings()
	return map[string]*Target{
		"configmap":         strict(draw.Locking{Lock: plan.ConfigMap}, draw.Limits{}),
		"endpoints, frozen": strict(draw.Locking{Lock: plan.Endpoints}, draw.Limits{MaxPause: time.Minute, MaxDriftPPM: 200_000, Deleted: true}),
		"kv-ttl":            strict(draw.Locking{Lock: plan.KVTTL}, draw.Limits{Shared: true}),
		"kv-ttl, frozen":    strict(draw.Locking{Lock: plan.KVTTL}, draw.Limits{MaxPause: time.Minute, MaxDriftPPM: 200_000}),
		"database's now":    strict(db, draw.Limits{}),
		"caller's now":      caller,
		"whole seconds":     seconds,
		"elections":         strict(draw.Locking{Elections: 3}, draw.Limits{}),
		"elections, kv-ttl": strict(draw.Locking{Lock: plan.KVTTL, Elections: 2}, draw.Limits{MaxPause: time.Minute}),
	}
}

// TestStrictHoldsOnEveryLock: but for those on two objects.
func TestStrictHoldsOnEveryLock(t *testing.T) {
	for name, target := range lockings() {
		require.NoError(t, target.Check(), name)
		s := NewSummary()
		for _, b := range blocksOf(t, target, Plan{Blocks: uint64(few.Of(20))}) {
			s.Add(b)
		}
		assert.Empty(t, s.Failures, name)
		assert.NotZero(t, s.Failovers.Count(), name)
		assert.NotZero(t, s.Witnesses[check.AnswerLostAfterApply], name)
	}
}

// TestEveryLockBreaks: and the same search is not blind: it finds what client-go does on each, what a delete does on two
// objects, and what clocks do that are further apart than the margin.
func TestEveryLockBreaks(t *testing.T) {
	apart := draw.Limits{MaxClockOffset: 14 * time.Second}
	for name, target := range map[string]*Target{
		"configmap":             {Profile: machine.ClientGo, Locking: draw.Locking{Lock: plan.ConfigMap}},
		"kv-ttl":                {Profile: machine.ClientGo, Locking: draw.Locking{Lock: plan.KVTTL}},
		"elections":             {Profile: machine.ClientGo, Locking: draw.Locking{Elections: 2}},
		"two objects":           {Profile: machine.ClientGo, Locking: draw.Locking{Lock: plan.ConfigMapsLeases}},
		"two objects, a delete": {Profile: machine.Strict, Locking: draw.Locking{Lock: plan.EndpointsLeases}, Limits: draw.Limits{Deleted: true}},
		"a delete":              {Profile: machine.Strict, Locking: draw.Locking{Lock: plan.KVTTL}, Limits: draw.Limits{Deleted: true}},
		"callers' clocks":       {Profile: machine.Strict, Locking: draw.Locking{Lock: plan.SQLTTL}, Limits: apart},
		"the database's clock":  {Profile: machine.Strict, Locking: draw.Locking{Lock: plan.SQLTTL, Now: plan.DatabaseNow}, Limits: apart},
		"followers' clocks":     {Profile: machine.CSharp, Limits: draw.Limits{MaxRoundTrip: time.Second, MaxClockOffset: apart.MaxClockOffset}},
	} {
		target.Property, target.Timings = check.SingleWork, defaultTimings()
		s := NewSummary()
		for _, b := range blocksOf(t, target, Plan{Blocks: 12}) {
			s.Add(b)
		}
		require.NotEmpty(t, s.Failures, name)
		small, err := Shrink(target.Find(s.Failures[0].Seed), check.SingleWork)
		require.NoError(t, err)
		_, err = small.Scenario.MarshalJSON()
		assert.NoError(t, err, name)
	}
}

// TestOtherClientsByWallClock: a search bounds by how much wall clocks are set, so that the client for C# holds where the gate
// says that it is safe. With 15/10/2 s and round trips of a second the margin is a second, and a clock counts twice.
func TestOtherClientsByWallClock(t *testing.T) {
	target := &Target{
		Profile: machine.CSharp, Timings: defaultTimings(), Property: check.SingleWork,
		Limits: draw.Limits{MaxRoundTrip: time.Second, MaxClockOffset: 499 * time.Millisecond},
	}
	require.NoError(t, target.Check())
	s := NewSummary()
	for _, b := range blocksOf(t, target, Plan{Blocks: 40}) {
		s.Add(b)
	}
	assert.Empty(t, s.Failures)
	assert.NotZero(t, s.Failovers.Count())
}

// TestTargetsKeepToTheirLock: every run has the target's lock, clocks within its limit, and a form in a file; and so have
// mutations.
func TestTargetsKeepToTheirLock(t *testing.T) {
	all := lockings()
	all["two objects"] = &Target{Profile: machine.Strict, Locking: draw.Locking{Lock: plan.EndpointsLeases, Elections: 2}}
	objects := map[string]int{}
	for name, target := range all {
		for seed := range uint64(100) {
			s := target.Scenario(seed)
			if seed < 3 {
				s = target.Find(BlockRuns - 1 - seed)
			}
			require.NoError(t, s.Validate(), name)
			_, err := s.MarshalJSON()
			require.NoError(t, err, name)
			for i := range s.Candidates {
				require.Equal(t, target.Kind(), s.Candidates[i].Lock)
			}
			require.Len(t, s.Elections, target.Elections)
			require.LessOrEqual(t, target.Apart(&s.Plan), target.Limits.MaxClockOffset+time.Duration(len(s.Faults)), name)
			for i := range s.Faults {
				objects[s.Faults[i].Object]++
			}
		}
	}
	assert.Len(t, objects, 3, "faults of every object, of one and of the other: %v", objects)
}

func TestCheckLocking(t *testing.T) {
	for want, target := range map[string]Target{
		`lock "x": want lease, `:                {Locking: draw.Locking{Lock: "x"}},
		"now and precision are of lock sql-ttl": {Locking: draw.Locking{Lock: plan.KVTTL, Now: plan.DatabaseNow}},
		`now "x": want caller or database`:      {Locking: draw.Locking{Lock: plan.SQLTTL, Now: "x"}},
		"precision 1m0s: want 1us, 1ms or 1s":   {Locking: draw.Locking{Lock: plan.SQLTTL, Precision: time.Minute}},
		"elections 9: want 2 to 8":              {Locking: draw.Locking{Elections: 9}},
		"max-clock-offset is of lock sql-ttl and of profile fabric8, python, java, csharp or rust: nothing else": {Limits: draw.Limits{MaxClockOffset: 1}},
		"max-clock-offset -1ns must not be":        {Limits: draw.Limits{MaxClockOffset: -1}},
		"clients: keys and rows are not asked for": {Locking: draw.Locking{Lock: plan.KVTTL}, Limits: draw.Limits{Clients: true}},
		"has fractions of a millisecond":           {Locking: draw.Locking{Lock: plan.SQLTTL}, Timings: machine.Timings{LeaseDuration: 15*time.Second + 1, RenewDeadline: 10 * time.Second, RetryPeriod: time.Second}},
		"leaseDuration must be greater than renew": {Timings: machine.Timings{LeaseDuration: 1, RenewDeadline: 2, RetryPeriod: 1}},
	} {
		target.Profile = machine.Strict
		assert.ErrorContains(t, target.Check(), want)
	}
}

// TestAnotherLock: results of another lock are refused, and what a header says of the lock reads back.
func TestAnotherLock(t *testing.T) {
	for name, target := range lockings() {
		p := Plan{Blocks: 1}
		h := NewHeader(target, &p)
		again, err := h.Target()
		require.NoError(t, err)
		assert.Equal(t, target, again, name)
		plain := *target
		plain.Locking = draw.Locking{}
		other := NewHeader(&plain, &p)
		assert.NotEqual(t, h.whole(), other.whole(), name)
	}
}

// TestFitLock: scenarios of a corpus get the search's lock, and what they cannot have with it is left out.
func TestFitLock(t *testing.T) {
	all, err := scenarios.Library()
	require.NoError(t, err)
	targets := lockings()
	targets["lease"] = &Target{Profile: machine.Strict}
	targets["client-go"] = &Target{Profile: machine.ClientGo, Locking: draw.Locking{Lock: plan.ConfigMapsLeases}}
	for name, target := range targets {
		fits := 0
		for _, s := range all {
			fitted, done := target.fit(s)
			if fitted == nil {
				assert.Contains(t, done[0], "left out", name)
				continue
			}
			fits++
			require.NoError(t, fitted.Validate(), "%s %s", name, s.Name)
			require.LessOrEqual(t, target.Apart(&fitted.Plan), target.Limits.MaxClockOffset)
			again, left := target.fit(fitted)
			assert.Empty(t, left, "%s %s: what was made to fit fits", name, s.Name)
			assert.Equal(t, textOf(t, fitted), textOf(t, again))
			require.NoError(t, target.descendant(target.newPage(), &Parent{"x", fitted}, CorpusSeed).Validate())
		}
		if target.Elections == 0 {
			assert.Greater(t, fits, 30, name)
		}
	}
}

// TestFitClocks: offsets come first, jumps have what is left, and one that has nothing left is no fault.
func TestFitClocks(t *testing.T) {
	const text = "name: x\nhorizon: 1m\ndefaults: {lock: sql-ttl, profile: strict}\n" +
		"candidates: [{id: a}, {id: b, clock: {offset: 3s}}]\n" +
		"faults: [{kind: clock, at: 5s, on: [b], jump: -9s}, {kind: clock, at: 6s, on: [a], jump: 9s}, {kind: clock, at: 7s, on: [service], jump: 9s}]\n"
	s, err := scenarios.Read(strings.NewReader(text), "x.yaml")
	require.NoError(t, err)
	target := lockings()["caller's now"]
	fitted, done := target.fit(s)
	assert.Equal(t, []string{"clocks that decide brought to within 4s"}, done)
	require.Len(t, fitted.Faults, 2)
	assert.Equal(t, -time.Second, fitted.Faults[0].Jump)
	assert.Equal(t, 9*time.Second, fitted.Faults[1].Jump, "the service's clock does not count there")
}
