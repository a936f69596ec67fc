package search

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/internal/check"
	"interregnum/plan"
	"interregnum/scenarios"
)

// noisy hides a shipped scenario among so many faults, and candidates that play no part.
func noisy(t *testing.T, name string, seed uint64) *scenarios.Scenario {
	s, err := scenarios.Named(name)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(seed, 0))
	hidden := clone(s)
	for len(hidden.Candidates) < 5 {
		c := hidden.Candidates[0]
		c.ID = fmt.Sprintf("x%d", len(hidden.Candidates))
		c.StartAt = s.Horizon - time.Duration(r.Int64N(int64(time.Second)))
		c.Clock.Offset = time.Duration(r.Int64N(int64(time.Minute)))
		hidden.Candidates = append(hidden.Candidates, c)
	}
	kinds := []plan.FaultKind{plan.FaultDelay, plan.FaultPartition, plan.FaultLose, plan.FaultError, plan.FaultPause,
		plan.FaultClock, plan.FaultCrash, plan.FaultRestart}
	for len(hidden.Faults) < len(s.Faults)+40 {
		until := time.Duration(r.Int64N(int64(s.Horizon)))
		probability := r.Float64()
		late := plan.Delay{Min: time.Duration(r.Int64N(1e9)), Max: time.Duration(1e9 + r.Int64N(1e9))}
		f := scenarios.Fault{Kind: kinds[r.IntN(len(kinds))], At: time.Duration(r.Int64N(int64(until) + 1)), Until: &until,
			On: []string{hidden.Candidates[r.IntN(5)].ID}}
		switch f.Kind {
		case plan.FaultDelay:
			f.Response = &late
		case plan.FaultLose:
			f.Probability = &probability
		case plan.FaultError:
			f.Status = 500
		case plan.FaultClock:
			f.Jump = time.Duration(r.Int64N(1e9))
		}
		if !f.Kind.Window() {
			f.Until = nil
		}
		hidden.Faults = append(hidden.Faults, f)
	}
	return hidden
}

// TestHazardsInNoise: a scenario that ships, among 40 faults and five candidates, comes back no larger than it ships,
// and once more shrunk as it is.
func TestHazardsInNoise(t *testing.T) {
	for _, name := range []string{
		"h01-late-ack", "h03-release-before-stop", "h04-release-wipes-successor", "h16-retry-in-disguise",
	} {
		t.Run(name, func(t *testing.T) {
			shipped, err := scenarios.Named(name)
			require.NoError(t, err)
			found := 0
			for seed := uint64(0); found < 3; seed++ {
				hidden := noisy(t, name, seed)
				if violated, err := Violated(hidden); err != nil || !slices.Contains(violated, check.SingleWork) {
					continue // the noise keeps it from happening
				}
				found++
				small, err := Shrink(hidden, check.SingleWork)
				require.NoError(t, err)
				t.Logf("seed %d: %d runs", seed, small.Runs)
				assert.LessOrEqual(t, measure(small.Scenario).compare(measure(shipped)), 0)

				violated, err := Violated(small.Scenario)
				require.NoError(t, err)
				assert.Contains(t, violated, check.SingleWork)
				result, err := scenarios.Run(small.Scenario, scenarios.Options{})
				require.NoError(t, err)
				assert.True(t, result.AsExpected)
				again, err := Shrink(small.Scenario, check.SingleWork)
				require.NoError(t, err)
				assert.Equal(t, small.Scenario.Plan, again.Scenario.Plan)
			}
		})
	}
}

// TestTheShippedAreSmall: what ships loses nothing but digits.
func TestTheShippedAreSmall(t *testing.T) {
	for _, name := range []string{"h01-late-ack", "h09-seen-not-obeyed", "h13-lock-deleted"} {
		s, err := scenarios.Named(name)
		require.NoError(t, err)
		small, err := Shrink(s, check.SingleWork)
		require.NoError(t, err)
		assert.LessOrEqual(t, measure(small.Scenario).compare(measure(s)), 0, name)
		var text bytes.Buffer
		require.NoError(t, small.Scenario.WriteYAML(&text))
		read, err := scenarios.Read(&text, name)
		require.NoError(t, err)
		assert.Equal(t, small.Scenario.Plan, read.Plan)
	}
}

// TestShrinkClient: of a client only that is left without which the property is not violated.
func TestShrinkClient(t *testing.T) {
	for text, want := range map[string]*plan.Client{
		"{other: [{at: 1s}, {at: 20s, count: 200}, {at: 80s}]}":           {QPS: 5, Burst: 10, Other: []plan.Traffic{{At: 20 * time.Second, Count: 200}}},
		"{protocol: http/1.1, dial: 1ms, other: [{at: 20s, count: 200}]}": {QPS: 5, Burst: 10, Other: []plan.Traffic{{At: 20 * time.Second, Count: 200}}},
		"controller-runtime": nil,
	} {
		s, err := scenarios.Read(strings.NewReader("name: x\nhorizon: 120s\ndefaults: {jitter: 0.5, drain: 9s, renewDeadline: 10s}\n"+
			"candidates: [{id: a, client: "+text+"}, {id: b, startAt: 100ms, client: client-go}]\n"+
			"faults: [{kind: partition, at: 80s, until: 110s, on: [a]}]\n"), "x")
		require.NoError(t, err)
		small, err := Shrink(s, check.SingleWork)
		require.NoError(t, err)
		assert.Equal(t, want, small.Scenario.Candidates[0].Client)
		if want == nil {
			assert.Nil(t, small.Scenario.Candidates[1].Client) // else it may be a setting of both, which is as small
		}
	}
}

func TestNothingToShrink(t *testing.T) {
	s, err := scenarios.Named("healthy-failover")
	require.NoError(t, err)
	_, err = Shrink(s, check.SingleWork)
	assert.EqualError(t, err, "healthy-failover: single-work is not violated: there is nothing to shrink")
}

// TestShrinkElections: an election that has no part in it is left out, and the one that is left has no name.
func TestShrinkElections(t *testing.T) {
	s, err := scenarios.Named("elections-overload")
	require.NoError(t, err)
	small, err := Shrink(s, check.SingleWork)
	require.NoError(t, err)
	assert.Empty(t, small.Scenario.Elections)
	assert.Len(t, small.Scenario.Candidates, 2)
	var text bytes.Buffer
	require.NoError(t, small.Scenario.WriteYAML(&text))
	assert.NotContains(t, text.String(), "election:")
}

// TestShrinkKeepsElections: two that it takes stay. A process that loses one exits and takes the other with it.
func TestShrinkKeepsElections(t *testing.T) {
	s, err := scenarios.Named("elections-half-dead")
	require.NoError(t, err)
	both := func(r *scenarios.Result) bool {
		of := map[string]bool{}
		for i := range r.Terms {
			of[r.Terms[i].Election] = true
		}
		return of["main"] && of["shard"]
	}
	full := func(s *scenarios.Scenario) (*scenarios.Result, error) { return scenarios.Run(s, scenarios.Options{}) }
	small, err := (&shrinker{properties: []string{check.Liveness}, run: full, keeps: both}).shrink(s)
	require.NoError(t, err)
	assert.Equal(t, []string{"main", "shard"}, small.Scenario.Elections)
	assert.Empty(t, small.Scenario.Faults)
	require.Len(t, small.Scenario.Candidates, 2)
	assert.Equal(t, small.Scenario.Candidates[0].ID, small.Scenario.Candidates[1].ID)
}

// TestShrinkRollout: a candidate goes with its successor.
func TestShrinkRollout(t *testing.T) {
	s, err := scenarios.Named("rollout-deadlock")
	require.NoError(t, err)
	s = clone(s)
	f := &s.Faults[0]
	for _, id := range []string{"x", "y"} {
		old, successor := s.Candidates[0], s.Candidates[1]
		old.ID, successor.ID = id, id+id
		s.Candidates = append(s.Candidates, successor, old)
		f.On, f.To = append(f.On, old.ID), append([]string{successor.ID}, f.To...)
	}
	small, err := Shrink(s, check.RolloutEnds)
	require.NoError(t, err)
	assert.Len(t, small.Scenario.Candidates, 2)
	require.Len(t, small.Scenario.Faults, 1)
	assert.Len(t, small.Scenario.Faults[0].To, 1)
	require.NoError(t, small.Scenario.Validate())
}

// TestShrinkEveryField: whatever a fault can have is left out where nothing needs it; a field that nobody thought of would stay.
func TestShrinkEveryField(t *testing.T) {
	s, err := scenarios.Named("h01-late-ack")
	require.NoError(t, err)
	s = clone(s)
	i := slices.IndexFunc(s.Faults, func(f scenarios.Fault) bool { return f.Kind == plan.FaultDelay })
	require.GreaterOrEqual(t, i, 0)
	s.Faults[i].Limiter, s.Faults[i].Object = time.Nanosecond, "lease"
	small, err := Shrink(s, check.SingleWork)
	require.NoError(t, err)
	for _, f := range small.Scenario.Faults {
		assert.Zero(t, f.Limiter)
		assert.Empty(t, f.Object)
	}
	full := plan.Fault{Kind: plan.FaultDelay, Limiter: 1, Edit: plan.Edit{Holder: new("a"), LeaseDuration: new(time.Second)}}
	before := measured(&full)
	for _, change := range plainFault(&full) {
		change(&full)
	}
	assert.Less(t, measured(&full), before)
	assert.Equal(t, plan.Fault{Kind: plan.FaultDelay}, full)
}

// TestShrinkEveryCandidateField: so is whatever a candidate can have, but for what searches keep.
func TestShrinkEveryCandidateField(t *testing.T) {
	kept := []string{"id", "profile", "lock", "now", "coordinated", "binaryVersion", "emulationVersion", "strategy"}
	var full scenarios.Candidate
	fill(reflect.ValueOf(&full).Elem())
	s := &scenarios.Scenario{Plan: scenarios.Plan{Candidates: []scenarios.Candidate{full}}}
	for _, change := range plainCandidates(s, everyone(s)) {
		before := measure(s)
		change(s)
		assert.LessOrEqual(t, measure(s).compare(before), 0)
	}
	c := &s.Candidates[0]
	assert.Equal(t, roundJitter, *c.Jitter)
	for _, field := range plan.CandidateFields() {
		if !slices.Contains(kept, field.Name) && field.Name != "jitter" {
			assert.True(t, field.Alike(c, &usualCandidate), field.Name)
		}
	}
	s.Candidates[0] = full
	var client plan.Client
	fill(reflect.ValueOf(&client).Elem())
	for _, field := range plan.ClientFields() {
		s.Candidates[0].Client = client.Clone()
		before := measure(s)
		field.Clear(s.Candidates[0].Client)
		assert.Equal(t, field.Name == "kind" || field.Name == "burst", measure(s) == before, field.Name)
	}
}

// fill gives a value that is not zero to value, and to each field of it.
func fill(value reflect.Value) {
	switch value.Kind() {
	case reflect.Struct:
		for i := range value.NumField() {
			fill(value.Field(i))
		}
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem())
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 1, 1))
	case reflect.String:
		value.SetString("x")
	case reflect.Bool:
		value.SetBool(true)
	default:
		value.Set(reflect.ValueOf(7).Convert(value.Type()))
	}
}

// measured is how large a fault is by itself, in settings.
func measured(f *plan.Fault) int {
	var m size
	m.fault(f)
	return m.settings
}

// TestShrinkLeavesClientOut: a client that has no part in it is left out.
func TestShrinkLeavesClientOut(t *testing.T) {
	s, err := scenarios.Named("h01-late-ack")
	require.NoError(t, err)
	s = clone(s)
	s.Candidates[0].Client = &plan.Client{QPS: 1000, Burst: 100, Retries: true, Other: []plan.Traffic{{Count: 1}}}
	small, err := Shrink(s, check.SingleWork)
	require.NoError(t, err)
	for i := range small.Scenario.Candidates {
		assert.Nil(t, small.Scenario.Candidates[i].Client)
	}
	assert.NotNil(t, s.Candidates[0].Client, "the scenario itself is unchanged")
}

// TestShrinkSeats: seats go with all that is about them, where a factor is enough.
func TestShrinkSeats(t *testing.T) {
	s, err := scenarios.Read(strings.NewReader("name: x\nhorizon: 120s\ndefaults: {jitter: 0.5, drain: 9s}\n"+
		"candidates: [{id: a}, {id: b, startAt: 100ms}]\n"+
		"faults: [{kind: brownout, at: 80s, until: 110s, on: [a], factor: 1000000, seats: 1, takes: 1ms, queue: 3, every: 1s}]\n"), "x")
	require.NoError(t, err)
	small, err := Shrink(s, check.SingleWork)
	require.NoError(t, err)
	require.Len(t, small.Scenario.Faults, 1)
	f := &small.Scenario.Faults[0]
	assert.NotNil(t, f.Factor)
	assert.Zero(t, f.Seats)
	assert.Zero(t, f.Takes)
}

// TestRounds: a fixed delay of the network, and how long until a process is back, are given fewer digits.
func TestRounds(t *testing.T) {
	s, err := scenarios.Read(strings.NewReader("name: x\nhorizon: 1m\ncandidates: [{id: a, rejoin: 4.370015ms}]\nnetwork: {request: 101.850639ms}\n"), "x")
	require.NoError(t, err)
	for again := true; again; {
		again = false
		for _, change := range rounder(s) {
			small := clone(s)
			if change(small); measure(small).compare(measure(s)) < 0 {
				s, again = small, true
				break
			}
		}
	}
	assert.Less(t, *s.Candidates[0].Rejoin%time.Millisecond, time.Nanosecond)
	assert.Equal(t, plan.Delay{Min: 100 * time.Millisecond, Max: 100 * time.Millisecond}, s.Network.Request)
}
