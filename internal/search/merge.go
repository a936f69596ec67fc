package search

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"interregnum/internal/results"
)

// Shards reads the results files of all shards of a campaign as one.
type Shards struct {
	// Header is the header that the campaign would have without shards.
	Header Header
	parts  []*part
}

// OpenShards opens the results files of a campaign's shards, in any order; there must be at least one name. It is an error where
// a file cannot be read or has no header that makes sense, where they are of different campaigns, or where a shard is there twice
// or is missing. All files are closed then.
func OpenShards(names []string) (*Shards, error) {
	s := &Shards{}
	if err := s.open(names); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// open opens the files into s.parts, in the order of their shards, and checks that all of them are shards of one campaign.
func (s *Shards) open(names []string) error {
	for _, name := range names {
		p, err := openPart(name)
		if err != nil {
			return err
		}
		s.parts = append(s.parts, p)
	}
	first := s.parts[0]
	s.Header = first.header.whole()
	for _, p := range s.parts {
		if p.header.whole() != s.Header || p.header.Shards != first.header.Shards {
			return fmt.Errorf("%s and %s are of different campaigns: %s and %s", first.name, p.name,
				first.text, p.text)
		}
	}
	inOrder, err := results.Order(s.parts, max(1, first.header.Shards), func(p *part) (string, uint64) { return p.name, p.header.Shard })
	if err != nil {
		return err
	}
	s.parts = inOrder
	return nil
}

// Each calls each with the blocks of all shards, in the order in which the campaign would have them without shards. It stops at
// the first error of each or of reading, and returns it. Where the campaign has an end and blocks are missing, it returns an
// error after all others are passed on. The files are read side by side, each a few blocks ahead, so that Each can be called only
// once.
func (s *Shards) Each(each func(*Block) error) error {
	stop := make(chan struct{})
	var reading sync.WaitGroup
	defer reading.Wait()
	defer close(stop)
	ahead := make([]chan piece, len(s.parts))
	for i, p := range s.parts {
		ahead[i] = make(chan piece, blocksAhead)
		reading.Go(func() { p.read(ahead[i], stop) })
	}
	for len(ahead) > 0 {
		left := ahead[:0]
		for _, from := range ahead {
			next := <-from
			if next.err != nil {
				return next.err
			}
			if next.block == nil {
				continue
			}
			left = append(left, from)
			if err := each(next.block); err != nil {
				return err
			}
		}
		ahead = left
	}
	return s.complete()
}

// complete returns an error that names the blocks that are missing, nil where there are none or the campaign has no end.
func (s *Shards) complete() error {
	var problems []string
	for _, p := range s.parts {
		plan := p.header.plan()
		if next, ok := plan.block(p.blocks); s.Header.Blocks > 0 && ok {
			problems = append(problems, fmt.Sprintf("%s: %d of %d blocks are missing, from block %d on", p.name,
				plan.Mine()-p.blocks, plan.Mine(), next))
		}
	}
	if len(problems) > 0 {
		return errors.New(strings.Join(problems, "\n"))
	}
	return nil
}

// Cut returns the names of the files whose last line is incomplete; that line was left out. It is called after Each, which
// finds that out.
func (s *Shards) Cut() []string {
	var names []string
	for _, p := range s.parts {
		if p.cut {
			names = append(names, p.name)
		}
	}
	return names
}

// Close closes the files.
func (s *Shards) Close() error {
	var errs []error
	for _, p := range s.parts {
		errs = append(errs, p.file.Close())
	}
	return errors.Join(errs...)
}
