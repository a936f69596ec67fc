package search

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
	"interregnum/internal/draw"
	"interregnum/plan"
	"interregnum/scenarios"
)

// Scenario returns the fresh scenario of a seed.
func (t *Target) Scenario(seed uint64) *scenarios.Scenario {
	s := t.newPage().fresh(seed)
	s.Name = name(seed)
	return s
}

// mutantOf returns the mutant of a scenario.
func mutantOf(t *Target, parent *scenarios.Scenario, seed uint64) *scenarios.Scenario {
	s := t.newPage().mutant(parent, seed)
	s.Name = name(seed)
	return s
}

// TestSeedsStayWhatTheyAre: a seed has the same scenario, and the same mutant of it, in every version: people keep seeds.
func TestSeedsStayWhatTheyAre(t *testing.T) {
	targets := lockings()
	targets["two objects"] = &Target{
		Profile: machine.ClientGo, Locking: draw.Locking{Lock: plan.EndpointsLeases}, Limits: draw.Limits{MaxRoundTrip: 5 * time.Second, Shared: true},
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		for seed := range uint64(200) {
			s := targets[name].Scenario(seed)
			text, err := s.MarshalJSON()
			require.NoError(t, err)
			sum.Write(text)
			text, err = mutantOf(targets[name], s, seed).MarshalJSON()
			require.NoError(t, err)
			sum.Write(text)
		}
	}
	assert.Equal(t, "2726f1b58205bb3dc8db4a6aea68432368063b003fe5589d45691ef18813017d", fmt.Sprintf("%x", sum.Sum(nil)))
}
