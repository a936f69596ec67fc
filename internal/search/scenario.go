package search

import (
	"fmt"

	"interregnum/internal/draw"
	"interregnum/internal/sim/stream"
	"interregnum/scenarios"
)

// page is a scenario of a target, and memory to draw it in. A blank page is one on which nothing was drawn yet, or nothing
// that is still needed. What is drawn on a page has no name yet: few scenarios ever need one.
type page struct {
	space    draw.Space
	sheet    draw.Sheet
	scenario scenarios.Scenario
	choices  stream.Draws
}

// newPage returns a blank page for the target's scenarios.
func (t *Target) newPage() *page {
	return &page{space: draw.Space{Profile: t.Profile, Locking: t.Locking, Timings: t.Timings, Limits: t.Limits}}
}

// fresh draws the scenario of a seed, and replaces what was on the page. It depends on the target and the seed alone.
func (p *page) fresh(seed uint64) *scenarios.Scenario {
	p.choices.Seed(seed, 0x73776172)
	p.sheet.Draw(&p.space, &p.choices)
	p.scenario = scenarios.Scenario{About: "A random run."}
	return p.drawn(seed)
}

// mutant draws a copy of a scenario, changed at random in one to three places, and replaces what was on the page. The
// copy shares with its parent what pointers point to.
func (p *page) mutant(parent *scenarios.Scenario, seed uint64) *scenarios.Scenario {
	p.choices.Seed(seed, 0x6d757461)
	p.sheet.Mutate(&p.space, &parent.Plan, &p.choices)
	p.scenario = scenarios.Scenario{About: parent.About, Expect: parent.Expect}
	return p.drawn(seed)
}

// drawn returns the page's scenario, with the plan that was drawn and with the seed. The next call changes it.
func (p *page) drawn(seed uint64) *scenarios.Scenario {
	p.scenario.Plan = p.sheet.Plan
	p.scenario.Seed = seed
	return &p.scenario
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
