package search

import (
	"fmt"
	"math/rand/v2"

	"interregnum/internal/draw"
	"interregnum/scenarios"
)

// Scenario returns the scenario of a seed, which depends on the target and the seed alone.
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

// space returns the space from which the target's runs are drawn.
func (t *Target) space() *draw.Space {
	return &draw.Space{Profile: t.Profile, Locking: t.Locking, Timings: t.Timings, Limits: t.Limits}
}

// name returns the name of the scenario of a seed.
func name(seed uint64) string { return fmt.Sprintf("swarm-%d", seed) }

// A block is BlockRuns runs. The first freshRuns of them are drawn anew; the others are mutations of the parents among
// those, the ones that came closest to two leaders. Blocks do not depend on each other, so that a campaign is the same
// in any order and on any number of machines.
const (
	BlockRuns = 64
	freshRuns = 48
	parents   = 4
)
