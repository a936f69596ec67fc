package search

import (
	"slices"

	"interregnum/scenarios"
)

// The runs of the scenarios of a corpus themselves have seeds from CorpusSeed on. No campaign with a corpus draws
// those.
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

// inherit returns the scenario of a seed that belongs to the corpus, and its origin; both are nil for any other seed. A
// mutation depends on its parent and the seed alone: a corpus of just that file has the same one for the seed. It is drawn on
// the page on, and is valid until the next draw there. An unchanged scenario is the one in the corpus itself.
func (t *Target) inherit(on *page, seed uint64) (*scenarios.Scenario, *Origin) {
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
		return t.descendant(on, p, seed), &Origin{File: p.File}
	case i >= freshRuns && i%2 == 1:
		p := &all[(block%n*(BlockRuns-freshRuns)/2+(i-freshRuns)/2)%n]
		return t.descendant(on, p, seed), &Origin{File: p.File}
	}
	return nil, nil
}

// descendant returns a mutation of the corpus scenario p, drawn on the page on, or a copy of p where that could not
// be run.
func (t *Target) descendant(on *page, p *Parent, seed uint64) *scenarios.Scenario {
	s := on.mutant(p.Scenario, seed)
	s.Name = name(seed)
	s.About, s.Expect = "A mutation of "+p.File+".", nil
	if s.Validate() != nil {
		s.Plan = clone(p.Scenario).Plan
	}
	return s
}

// surprises returns the violated properties of a run whose violation is a failure. It leaves out those of which an unchanged
// corpus scenario expects that they are violated, or accepts any verdict. The names are in the given memory.
func (t *Target) surprises(memory []string, properties []scenarios.Property, s *scenarios.Scenario, o *Origin) []string {
	broken := t.broken(memory, properties)
	if o == nil || !o.Unchanged {
		return broken
	}
	return slices.DeleteFunc(broken, func(property string) bool {
		e := s.Expect[property]
		return e == scenarios.ExpectViolated || e == scenarios.ExpectAny
	})
}
