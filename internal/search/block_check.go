package search

import (
	"fmt"
	"maps"
	"slices"

	"interregnum/internal/check"
	"interregnum/internal/phrase"
)

// maxEvents is more than the runs of a block have.
const maxEvents = BlockRuns << 32

// check returns an error that names a field of b whose value no block of runs has, nil if there is none.
func (b *Block) check() error {
	if len(b.Failures) > BlockRuns {
		return fmt.Errorf("failures: want at most %d, which is how many runs a block has, got %d", BlockRuns, len(b.Failures))
	}
	for i := range b.Failures {
		if err := b.checkFailure(i); err != nil {
			return fmt.Errorf("failures[%d].%w", i, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Witnesses)) {
		switch n := b.Witnesses[name]; {
		case !slices.Contains(check.Witnesses(), name):
			return fmt.Errorf("witnesses: no witness is called %q", phrase.Clip(name))
		case n < 0 || n > BlockRuns:
			return fmt.Errorf("witnesses.%s: want 0 to %d, which is how many runs a block has, got %d", name, BlockRuns, n)
		}
	}
	switch {
	case b.MarginNs < 0:
		return fmt.Errorf("marginNs: want 0 or more, got %d", b.MarginNs)
	case b.MarginNs != NoMargin && b.MarginSeed/BlockRuns != b.Block:
		return fmt.Errorf("marginSeed: want a seed of block %d, got %d", b.Block, b.MarginSeed)
	case b.Events > maxEvents:
		return fmt.Errorf("events: want at most %d, got %d", uint64(maxEvents), b.Events)
	case b.Vacant < 0 || b.Vacant > maxEvents:
		return fmt.Errorf("vacant: want 0 to %d, got %d", uint64(maxEvents), b.Vacant)
	}
	return nil
}

// checkFailure returns an error that names a field of failure i whose value no failure has, nil if there is none.
func (b *Block) checkFailure(i int) error {
	f := &b.Failures[i]
	switch {
	case f.Seed/BlockRuns != b.Block:
		return fmt.Errorf("seed: want a seed of block %d, got %d", b.Block, f.Seed)
	case i > 0 && f.Seed <= b.Failures[i-1].Seed:
		return fmt.Errorf("seed: want one above %d, that of the failure before, got %d", b.Failures[i-1].Seed, f.Seed)
	case f.OverlapNs < 0:
		return fmt.Errorf("overlapNs: want 0 or more, got %d", f.OverlapNs)
	case len(f.Properties) == 0 && f.Error == "":
		return fmt.Errorf("properties: want at least one, or an error")
	}
	for _, name := range f.Properties {
		if !slices.Contains(check.Names(), name) {
			return fmt.Errorf("properties: no property is called %q", phrase.Clip(name))
		}
	}
	return nil
}
