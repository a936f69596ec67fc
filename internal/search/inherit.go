package search

import (
	"slices"

	"interregnum/scenarios"
)

// The runs of a corpus itself have seeds from CorpusSeed on, which no campaign with a corpus draws.
const (
	corpusBlock = CorpusSeed / BlockRuns
	CorpusSeed  = 1 << 63
)

// parents returns the scenarios of the target's corpus, none where it has no corpus.
func (t *Target) parents() []Parent {
	if t.Corpus == nil {
		return nil
	}
	return t.Corpus.Parents
}

// inherit is the run of a seed that the corpus has a part in, and where it comes from; nil for any other. It depends on its
// parent alone: a corpus of just that file has the same run for the seed.
func (t *Target) inherit(seed uint64) (*scenarios.Scenario, *Origin) {
	all := t.parents()
	n := uint64(len(all))
	block, i := seed/BlockRuns, seed%BlockRuns
	switch {
	case n == 0:
		return nil, nil
	case block >= corpusBlock:
		at := seed - CorpusSeed
		p := &all[at%n]
		if at < n {
			return p.Scenario, &Origin{File: p.File, Unchanged: true}
		}
		return t.descendant(p, seed), &Origin{File: p.File}
	case i >= freshRuns && i%2 == 1:
		p := &all[(block%n*(BlockRuns-freshRuns)/2+(i-freshRuns)/2)%n]
		return t.descendant(p, seed), &Origin{File: p.File}
	}
	return nil, nil
}

// descendant returns a mutant of a corpus scenario, or a copy of that where the mutant could not be run.
func (t *Target) descendant(p *Parent, seed uint64) *scenarios.Scenario {
	s := t.mutant(p.Scenario, seed)
	s.About, s.Expect = "A mutation of "+p.File+".", nil
	if s.Validate() != nil {
		s.Plan = clone(p.Scenario).Plan
	}
	return s
}

// surprises returns the properties that a run violates unexpectedly: an unchanged corpus scenario may violate those that it says it does.
func (t *Target) surprises(r *scenarios.Result, s *scenarios.Scenario, o *Origin) []string {
	broken := t.broken(r)
	if o == nil || !o.Unchanged {
		return broken
	}
	return slices.DeleteFunc(broken, func(property string) bool {
		e := s.Expect[property]
		return e == scenarios.ExpectViolated || e == scenarios.ExpectAny
	})
}
