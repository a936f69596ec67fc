package search

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// Block is the results of a block's runs.
type Block struct {
	Block uint64 `json:"block"`
	// Failures are the runs that violated something or could not be run to their end, in order of their seeds.
	Failures []Failure `json:"failures,omitempty"`
	// MarginNs is the shortest time from the end of one candidate's work to the start of another's, and MarginSeed is the
	// run that showed it. It is NoMargin where nobody took over.
	MarginNs   int64  `json:"marginNs"`
	MarginSeed uint64 `json:"marginSeed"`
	// MarginCorpus is the origin of that run, nil where it is not of a corpus.
	MarginCorpus *Origin `json:"marginCorpus,omitempty"`
	// Witnesses has the names of the witnesses that were seen, each with the number of runs that showed it.
	Witnesses map[string]int `json:"witnesses"`
	Events    uint64         `json:"events"`
	// Failovers are the times, in milliseconds, from the crash of the only leader to the start of the next one's work.
	// Vacant counts the crashes after which nobody worked before the run had ended.
	Failovers Times `json:"failoversMs"`
	Vacant    int   `json:"vacant,omitempty"`
}

// Failure is a run that violated properties, or that could not be run to its end.
type Failure struct {
	Seed       uint64   `json:"seed"`
	Properties []string `json:"properties,omitempty"`
	// OverlapNs is the longest time for which two candidates worked at once.
	OverlapNs int64 `json:"overlapNs,omitempty"`
	// Error says why the run could not be run to its end.
	Error string `json:"error,omitempty"`
	// Corpus is the origin of the run, nil where it is not of a corpus.
	Corpus *Origin `json:"corpus,omitempty"`
}

// Run runs all runs of a block.
func (t *Target) Run(block uint64) *Block {
	b, _ := t.runUntil(block, BlockRuns)
	return b
}

// Find returns the scenario of a seed. The seed says where in a campaign the run is.
func (t *Target) Find(seed uint64) *scenarios.Scenario {
	_, s := t.runUntil(seed/BlockRuns, int(seed%BlockRuns)+1)
	return s
}

// runUntil runs the first n runs of a block, and also returns the scenario of the last of them.
func (t *Target) runUntil(block uint64, n int) (*Block, *scenarios.Scenario) {
	b := &Block{Block: block, MarginNs: NoMargin, Witnesses: map[string]int{}}
	var closest []attempt
	var s *scenarios.Scenario
	for i := range uint64(n) {
		seed := block*BlockRuns + i
		var origin *Origin
		if s, origin = t.inherit(seed); origin != nil {
			b.run(t, s, seed, origin)
			continue
		}
		if i < freshRuns || len(closest) == 0 {
			s = t.Scenario(seed)
		} else {
			s = t.mutant(closest[int(i)%len(closest)].scenario, seed)
		}
		margin := b.run(t, s, seed, nil)
		if i < freshRuns {
			closest = append(closest, attempt{s, margin})
		}
		if i == freshRuns-1 {
			slices.SortStableFunc(closest, func(x, y attempt) int { return cmp.Compare(x.margin, y.margin) })
			closest = slices.Clip(closest[:parents])
		}
	}
	return b, s
}

// attempt is a run and its margin.
type attempt struct {
	scenario *scenarios.Scenario
	margin   int64
}

// run runs a scenario, adds what came of it to the block, and returns its margin: the shortest time between two candidates' work.
func (b *Block) run(t *Target, s *scenarios.Scenario, seed uint64, o *Origin) int64 {
	h := s.Header()
	coverage, elections := check.NewCoverage(h), trace.NewByElection(h, newHandovers)
	r, err := scenarios.Run(s, scenarios.Options{Brief: true, Sinks: []trace.Sink{coverage, &elections}})
	if err != nil {
		b.Failures = append(b.Failures, Failure{Seed: seed, Error: err.Error(), Corpus: o.withScenario(s)})
		return NoMargin
	}
	if broken := t.surprises(r, s, o); len(broken) > 0 {
		b.Failures = append(b.Failures, Failure{Seed: seed, Properties: broken, OverlapNs: overlap(r), Corpus: o.withScenario(s)})
	}
	shortest := int64(NoMargin)
	for _, own := range elections.Observers {
		shortest = min(shortest, own.miss.shortest)
		if err := b.succession(&own.vacancies); err != nil {
			b.Failures = append(b.Failures, Failure{Seed: seed, Error: err.Error()})
		}
	}
	for _, w := range coverage.Seen() {
		b.Witnesses[w]++
	}
	b.Events += r.Stats.Events
	if shortest < b.MarginNs {
		b.MarginNs, b.MarginSeed, b.MarginCorpus = shortest, seed, o
	}
	return shortest
}

// succession adds the times that it took to replace leaders that crashed.
func (b *Block) succession(f *failovers) error {
	for _, ns := range f.lengths {
		if err := b.Failovers.add(ns/int64(time.Millisecond), 1); err != nil {
			return err
		}
	}
	if f.vacant >= 0 {
		b.Vacant++
	}
	return nil
}

// overlap returns the longest time for which two candidates worked at once, in nanoseconds; 0 where none did.
func overlap(r *scenarios.Result) int64 {
	for i := range r.Properties {
		if r.Properties[i].Name == check.SingleWork {
			return r.Properties[i].OverlapNs
		}
	}
	return 0
}

// ScenarioOf returns the scenario of a failed run, from its seed and its origin: the one drawn from the seed where the
// origin is nil, otherwise the one that the origin holds. The error is that of reading the latter.
func (t *Target) ScenarioOf(seed uint64, o *Origin) (*scenarios.Scenario, error) {
	if o == nil {
		return t.Find(seed), nil
	}
	return scenarios.Read(bytes.NewReader(o.Scenario), fmt.Sprintf("seed %d", seed))
}
