package search

import (
	"maps"
	"slices"

	"interregnum/internal/check"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// runner draws, runs and judges the scenarios of a target, one after the other, in the memory of the first: once it has
// run some, another takes no new memory. What a run shows is the same in any runner. A runner serves one goroutine.
type runner struct {
	target *Target
	// blank is the page to draw on next. closest are the runs of the block that came closest to two leaders, the closest first. After
	// them there may be runs of earlier blocks, whose pages are used again: see keep.
	blank   *page
	closest []attempt

	header     trace.Header
	world      sim.Runner
	suite      check.Suite
	coverage   check.Coverage
	elections  trace.ByElection[*handovers]
	properties []scenarios.Property
	// surprises are the violated properties of the last run; sorts are all such lists that a run had so far, each once.
	surprises []string
	sorts     [][]string
}

// attempt is a run that was drawn, and its margin.
type attempt struct {
	*page
	margin int64
}

// newRunner returns a runner for the target's scenarios. Those of a corpus were validated when it was read. No results have a hash.
func (t *Target) newRunner() *runner {
	return &runner{target: t, blank: t.newPage(), world: sim.Runner{Valid: t.drawsValid(), NoHash: true}}
}

// runUntil runs the first n runs of the block with that number, stores in b what they showed, and returns the scenario of
// the last of them. The scenario is valid until the next run.
func (r *runner) runUntil(b *Block, block uint64, n int) (s *scenarios.Scenario) {
	b.reset(block)
	kept := 0
	for i := range uint64(n) {
		seed := block*BlockRuns + i
		var origin *Origin
		if s, origin = r.target.inherit(r.blank, seed); origin != nil {
			r.run(b, s, seed, origin)
			continue
		}
		if i >= freshRuns && kept > 0 {
			s = r.blank.mutant(&r.closest[int(i)%kept].scenario, seed)
			r.run(b, s, seed, nil)
			continue
		}
		s = r.blank.fresh(seed)
		if margin := r.run(b, s, seed, nil); i < freshRuns {
			kept = r.keep(kept, margin)
		}
	}
	return s
}

// keep puts the run that was just drawn on r.blank into r.closest, if it is among the runs of this block with the shortest margins,
// of which it keeps as many as the constant parents says. The first kept entries of r.closest are those kept so far, the shortest
// margin first; of equal ones the earlier run comes first. keep returns how many there are now. If the new run is one of them,
// r.blank becomes another page.
func (r *runner) keep(kept int, margin int64) int {
	at := kept
	switch {
	case kept == parents:
		at--
		if r.closest[at].margin <= margin {
			return kept
		}
	case kept == len(r.closest): // else a page of an earlier block is there
		r.closest = append(r.closest, attempt{page: r.target.newPage()})
	}
	drawn := attempt{r.blank, margin}
	r.blank = r.closest[at].page
	kept = at + 1
	for ; at > 0 && r.closest[at-1].margin > margin; at-- {
		r.closest[at] = r.closest[at-1]
	}
	r.closest[at] = drawn
	return kept
}

// run runs the scenario of a seed, whose origin is o, and adds what came of it to the block. It returns the run's margin: the
// shortest time from the end of one candidate's work to the start of another's, in nanoseconds. It returns NoMargin if nobody
// took over, or if the run has failed with an error.
func (r *runner) run(b *Block, s *scenarios.Scenario, seed uint64, o *Origin) int64 {
	stats, err := r.simulate(s)
	if err != nil {
		b.Failures = append(b.Failures, Failure{Seed: seed, Error: err.Error(), Corpus: o.withScenario(s)})
		return NoMargin
	}
	r.properties = r.suite.AppendProperties(r.properties[:0], int64(s.Horizon))
	r.surprises = r.target.surprises(r.surprises, r.properties, s, o)
	failure := Failure{Seed: seed, Properties: r.shared(r.surprises)}
	shortest := int64(NoMargin)
	for _, own := range r.elections.Observers {
		shortest = min(shortest, own.miss.shortest)
		if err := b.succession(&own.vacancies); err != nil {
			failure.Error = err.Error()
		}
	}
	if len(failure.Properties) > 0 || failure.Error != "" {
		failure.OverlapNs, failure.Corpus = check.Named(r.properties, check.SingleWork).OverlapNs, o.withScenario(s)
		b.Failures = append(b.Failures, failure)
	}
	for w := range r.coverage.All() {
		b.Witnesses[w]++
	}
	b.Events += stats.Events
	if shortest < b.MarginNs {
		b.MarginNs, b.MarginSeed, b.MarginCorpus = shortest, seed, o
	}
	return shortest
}

// shared returns the names in memory that is not changed, and that all runs use which violate the same; nil for no names.
func (r *runner) shared(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	i := slices.IndexFunc(r.sorts, func(known []string) bool { return slices.Equal(known, names) })
	if i < 0 {
		i = len(r.sorts)
		r.sorts = append(r.sorts, slices.Clone(names))
	}
	return r.sorts[i]
}

// simulate runs a scenario, observed by the properties, the witnesses and the handovers of r, which it resets first. The error is
// that of sim.Run.
func (r *runner) simulate(s *scenarios.Scenario) (sim.Stats, error) {
	check.SetHeader(&r.header, &s.Plan)
	r.suite.Reset(&r.header, slices.Collect(maps.Keys(s.Expect))...)
	r.coverage.Join(&r.suite)
	r.elections.Join(&r.suite, (*handovers).renew)
	return r.world.Run(&s.Plan, &r.suite)
}
