package search

import (
	"fmt"
	"math/rand/v2"

	"interregnum/internal/draw"
	"interregnum/scenarios"
)

// Scenario is the run of a seed: a pure function of target and seed.
func (t *Target) Scenario(seed uint64) *scenarios.Scenario {
	s := &scenarios.Scenario{Name: name(seed), About: "A random run."}
	s.Plan = *t.space().Plan(rand.New(rand.NewPCG(seed, 0x73776172)))
	s.Seed = seed
	return s
}

// mutant returns a copy of a scenario, changed at random in one to three places.
func (t *Target) mutant(parent *scenarios.Scenario, seed uint64) *scenarios.Scenario {
	s := clone(parent)
	s.Name, s.Seed = name(seed), seed
	t.space().Mutate(&s.Plan, rand.New(rand.NewPCG(seed, 0x6d757461)))
	return s
}

// space is what the target's runs are drawn from.
func (t *Target) space() *draw.Space {
	return &draw.Space{Profile: t.Profile, Locking: t.Locking, Timings: t.Timings, Limits: t.Limits}
}

func name(seed uint64) string { return fmt.Sprintf("swarm-%d", seed) }

// A block is so many runs, of which the last ones are mutations of those among the first that came closest to two leaders.
// Blocks know nothing of each other, so that a campaign is the same in whatever order and on however many machines its
// blocks run.
const (
	BlockRuns = 64
	freshRuns = 48
	parents   = 4
)
