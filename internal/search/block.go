package search

import (
	"bytes"
	"fmt"
	"time"

	"interregnum/internal/reuse"
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

// reset makes b the results of no run yet, of the block with that number. It keeps only memory.
func (b *Block) reset(block uint64) {
	*b = Block{
		Block: block, MarginNs: NoMargin, Failures: b.Failures[:0], Witnesses: reuse.Cleared(b.Witnesses), Failovers: b.Failovers.emptied(),
	}
}

// Run runs the scenarios of the block with that number, and returns what they showed.
func (t *Target) Run(block uint64) *Block {
	b := &Block{}
	t.newRunner().runUntil(b, block, BlockRuns)
	return b
}

// Find returns the scenario that a campaign runs with that seed, with a name. It runs those before it in its block, since the
// scenario can depend on them.
func (t *Target) Find(seed uint64) *scenarios.Scenario {
	s := t.newRunner().runUntil(&Block{}, seed/BlockRuns, int(seed%BlockRuns)+1)
	if s.Name == "" {
		s.Name = name(seed)
	}
	return s
}

// succession adds to the block the times that it took to replace leaders that crashed in one election of a run, and counts the
// election in b.Vacant if the last one was not replaced. It returns an error for a time below zero, and then adds no more.
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

// ScenarioOf returns the scenario of a failed run, from its seed and its origin: the one drawn from the seed where the origin is
// nil, otherwise the one in o.Scenario. The error is that of reading the latter.
func (t *Target) ScenarioOf(seed uint64, o *Origin) (*scenarios.Scenario, error) {
	if o == nil {
		return t.Find(seed), nil
	}
	return scenarios.Read(bytes.NewReader(o.Scenario), fmt.Sprintf("seed %d", seed))
}
