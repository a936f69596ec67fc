package search

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Plan says which blocks a campaign runs.
type Plan struct {
	// First is the first block, and Blocks is how many there are from there on; 0 is without end.
	First, Blocks uint64
	// Corpus is how many blocks for the scenarios of a corpus come before them.
	Corpus uint64
	// Shard is the shard that runs, counted from 0: it takes every Shards-th block, from the Shard-th on. With 0 Shards it
	// takes all.
	Shard, Shards uint64
	// Workers is how many blocks run at once; 0 is one for each core.
	Workers int
}

// block returns the number of the n-th block that this shard of the plan runs, n from 0, and whether there is one.
func (p *Plan) block(n uint64) (uint64, bool) {
	if p.Shards > 0 {
		n = n*p.Shards + p.Shard
	}
	if n < p.Corpus {
		return corpusBlock + n, true
	}
	n -= p.Corpus
	return p.First + n, p.Blocks == 0 || n < p.Blocks
}

// Mine returns how many blocks this shard of the plan has. It is 0 if the plan has no end.
func (p *Plan) Mine() uint64 {
	switch all := p.Corpus + p.Blocks; {
	case p.Blocks == 0:
		return 0
	case p.Shards == 0:
		return all
	default:
		return (all + p.Shards - 1 - p.Shard) / p.Shards
	}
}

// Campaign runs a plan's blocks, from the done-th of them on, on several goroutines. It calls each with their results in the
// order of the plan. Results are good until each returns: a later block uses their memory. It ends when the plan does. It also
// ends, with that error, when each returns one. If ctx ends it ends without an error: what was passed to each by then is
// complete.
func (t *Target) Campaign(ctx context.Context, p Plan, done uint64, each func(*Block) error) error {
	workers := p.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	// Results wait in a ring for their turn: nobody gets further ahead than it is long.
	ring := make([]chan *Block, 4*workers)
	for i := range ring {
		ring[i] = make(chan *Block, 1)
	}
	next, mu := done, sync.Mutex{}
	blank := make(chan *Block, len(ring))
	for range ring {
		blank <- &Block{}
	}
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			r := t.newRunner()
			for {
				var b *Block
				select {
				case b = <-blank:
				case <-ctx.Done():
					return
				}
				mu.Lock()
				n := next
				next++
				mu.Unlock()
				block, ok := p.block(n)
				if !ok {
					ring[n%uint64(len(ring))] <- nil
					return
				}
				r.runUntil(b, block, BlockRuns)
				ring[n%uint64(len(ring))] <- b
			}
		})
	}
	defer all.Wait()
	defer stop()
	for n := done; ; n++ {
		select {
		case b := <-ring[n%uint64(len(ring))]:
			if b == nil {
				return nil
			}
			if err := each(b); err != nil {
				return err
			}
			blank <- b
		case <-ctx.Done():
			return nil
		}
	}
}

// Summary adds up blocks.
type Summary struct {
	Blocks uint64 `json:"blocks"`
	Runs   uint64 `json:"runs"`
	Events uint64 `json:"events"`
	// Failing is how many runs violated something; Failures are the first of them, at most MaxFailures.
	Failing    uint64    `json:"failing"`
	Failures   []Failure `json:"failures,omitempty"`
	MarginNs   int64     `json:"marginNs"`
	MarginSeed uint64    `json:"marginSeed"`
	// MarginCorpus is the origin of the run with the shortest margin, nil where it is not of a corpus.
	MarginCorpus *Origin        `json:"marginCorpus,omitempty"`
	Witnesses    map[string]int `json:"witnesses"`
	// Sorts counts the failures by the properties that were violated; "" is for runs that could not be run to their end.
	Sorts     map[string]Sort `json:"sorts"`
	Failovers Times           `json:"failoversMs"`
	Vacant    uint64          `json:"vacant"`
}

// Sort counts the runs that violated exactly the same properties. It has the longest overlap of any of them and the
// seed of the run that showed it, or else of the first run.
type Sort struct {
	Runs      uint64 `json:"runs"`
	OverlapNs int64  `json:"overlapNs"`
	Seed      uint64 `json:"seed"`
	// Corpus is the origin of that run, nil where it is not of a corpus.
	Corpus *Origin `json:"corpus,omitempty"`
}

// MaxFailures is how many failures a summary keeps.
const MaxFailures = 100

// NewSummary returns a summary of no blocks yet.
func NewSummary() *Summary {
	return &Summary{MarginNs: NoMargin, Witnesses: map[string]int{}, Sorts: map[string]Sort{}}
}

// Add adds the results of a block to the summary. Of the failures it keeps the first MaxFailures, and counts them all.
func (s *Summary) Add(b *Block) {
	s.Blocks++
	s.Runs += BlockRuns
	s.Events += b.Events
	s.Failing += uint64(len(b.Failures))
	for _, f := range b.Failures {
		s.sort(&f)
		if len(s.Failures) < MaxFailures {
			s.Failures = append(s.Failures, f)
		}
	}
	if b.MarginNs < s.MarginNs {
		s.MarginNs, s.MarginSeed, s.MarginCorpus = b.MarginNs, b.MarginSeed, b.MarginCorpus
	}
	for w, n := range b.Witnesses {
		s.Witnesses[w] += n
	}
	s.Failovers.merge(b.Failovers)
	s.Vacant += uint64(b.Vacant)
}

// sort counts a failure in s.Sorts with those that violate the same properties. The entry keeps the longest overlap of them,
// and the run that showed it.
func (s *Summary) sort(f *Failure) {
	key := strings.Join(f.Properties, " ")
	of, known := s.Sorts[key]
	of.Runs++
	if !known || f.OverlapNs > of.OverlapNs {
		of.OverlapNs, of.Seed, of.Corpus = f.OverlapNs, f.Seed, f.Corpus
	}
	s.Sorts[key] = of
}

// Margin returns the shortest time from the end of one candidate's work to the start of another's; false where nobody
// took over.
func (s *Summary) Margin() (time.Duration, bool) {
	return time.Duration(s.MarginNs), s.MarginNs != NoMargin
}
