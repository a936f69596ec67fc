package forecast

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/plan"
)

// blocks is the recording as a window meets it. Blocks of equal length follow each other. Each block is a stretch of the
// recording that begins anywhere in it, independently of the others.
type blocks struct {
	*behaviour.Recording
	length time.Duration
	// start is when block 0 begins, in the window's time. zero and before are where in the recording blocks 0 and -1 begin. Where
	// the other blocks begin follows from seed.
	start, zero, before time.Duration
	seed                uint64
}

// at returns the request of the recording that stands for one that is sent at that time. It is always the same one, by b.seed.
func (b *blocks) at(t time.Duration) *behaviour.Recorded {
	k := (t - b.start) / b.Block
	if t < b.start && (t-b.start)%b.Block != 0 {
		k--
	}
	origin := b.zero
	switch {
	case k == -1:
		origin = b.before
	case k != 0:
		origin = time.Duration(rand.New(rand.NewPCG(b.seed, 6+uint64(k))).Float64() * float64(b.length))
	}
	return &b.All[b.Nearest((origin+t-b.start-k*b.Block)%b.length)]
}

// replay is what a setting knows of its recording. Usual times are divided into windows of equal width, parts of them in each
// block. The strata of usual times follow from where in the recording such a window lies: in most of the recording nothing can
// begin.
type replay struct {
	*behaviour.Recording
	length, width time.Duration
	parts         int
	// reach is for how long an election feels a request that can cost a leader the lock. joins is how many windows of a block
	// begin so early in it that they can feel a request of the block before.
	reach time.Duration
	joins int
	// cell is the length of the cells into which the recording is divided; the lists have cells by number. hot: a window that
	// begins in such a cell meets a request that can cost a leader the lock; the worst are last. after: it only feels an earlier
	// one. clean: all other cells. loud: a block that begins in such a cell has a request near its end that is felt in the next
	// block. quiet: it has none.
	cell                           time.Duration
	hot, after, clean, loud, quiet []int32
}

const (
	// mostCells bounds the number of cells.
	mostCells = 1 << 18
	// leastCell is the length of the shortest cell, unless the recording itself is shorter.
	leastCell = 10 * time.Millisecond
)

// newReplay returns what is known of the recording of a setting. It returns an error if the blocks of the recording are too short
// for the setting's timings.
func newReplay(s *setting) (*replay, error) {
	c := &s.Candidate
	r := &replay{Recording: s.Behaviour.Recorded}
	r.length = r.Length()
	usual := usualPolls * c.RetryPeriod
	r.parts = int((r.Block + usual - 1) / usual)
	r.width = r.Block / time.Duration(r.parts)
	var spans []span
	r.reach = s.settle
	for i := range r.All {
		x := &r.All[i]
		if !x.Failed() && x.Took < s.harmless() {
			continue
		}
		takes := x.Took
		if x.Status == 0 {
			takes = plan.LongestStall
		}
		if c.RequestTimeout > 0 {
			takes = min(takes, c.RequestTimeout)
		}
		r.reach = max(r.reach, s.settle+takes)
		from, to := r.Stands(i)
		spans = append(spans, span{from, to, min(c.RenewDeadline, max(takes, to-from)).Seconds()})
	}
	if r.Block < r.reach {
		return nil, fmt.Errorf("the blocks of the recording are %v long, and an election with these timings feels a bad request for up to %v: "+
			"want longer blocks, of a longer recording", r.Block, r.reach.Round(time.Second))
	}
	r.joins = int(min((r.reach+r.width-1)/r.width, time.Duration(r.parts)))
	r.divide(spans, c.RenewDeadline)
	return r, nil
}

// harmless returns how long every answer to a leader can take without costing it the lock.
func (s *setting) harmless() time.Duration {
	c := &s.Candidate
	d := (min(c.RenewDeadline, s.soonest, s.lasts) - c.RetryPeriod) / 2
	if c.RequestTimeout > 0 {
		d = min(d, c.RequestTimeout)
	}
	return d
}

// span is the stretch of the recording for which a bad request stands. costs is for how many seconds that request keeps a leader
// from success.
type span struct {
	from, to time.Duration
	costs    float64
}

// divide divides the recording into cells: it sets r.cell and the lists of cells of r. spans are those of bad requests, in the
// order of their times. deadline is the RenewDeadline.
func (r *replay) divide(spans []span, deadline time.Duration) {
	cells := int(min(mostCells, max(1, r.length/leastCell)))
	r.cell = (r.length + time.Duration(cells) - 1) / time.Duration(cells)
	around := make([]span, 0, 3*len(spans))
	for _, turn := range []time.Duration{-r.length, 0, r.length} {
		for _, x := range spans {
			around = append(around, span{x.from + turn, x.to + turn, x.costs})
		}
	}
	costs := make([]float64, len(around)+1)
	for i, x := range around {
		costs[i+1] = costs[i] + x.costs
	}
	// between returns the spans that have something of a time.
	between := func(from, to time.Duration) (first, next int) {
		first = sort.Search(len(around), func(i int) bool { return around[i].to > from })
		return first, first + sort.Search(len(around)-first, func(i int) bool { return around[first+i].from >= to })
	}
	any := func(from, to time.Duration) bool { first, next := between(from, to); return first < next }
	score := make([]float64, cells)
	for i := range cells {
		at, end := time.Duration(i)*r.cell, time.Duration(i+1)*r.cell
		switch {
		case any(at, end+r.width):
			first, next := between(at, end+r.width+deadline)
			score[i] = costs[next] - costs[first]
			r.hot = append(r.hot, int32(i))
		case any(at-r.reach, at):
			r.after = append(r.after, int32(i))
		default:
			r.clean = append(r.clean, int32(i))
		}
		if last := at + r.Block; any((last-r.reach)%r.length, (last-r.reach)%r.length+r.reach+r.cell) {
			r.loud = append(r.loud, int32(i))
		} else {
			r.quiet = append(r.quiet, int32(i))
		}
	}
	slices.SortStableFunc(r.hot, func(a, b int32) int { return cmp.Compare(score[a], score[b]) })
}

// region is a sort of windows of usual times that replay a recording, by what they meet.
type region int

const (
	// noRegion is the region of windows that replay no recording in usual times. A hot window meets a bad request of its own
	// block. An after window comes soon after one of its own block, and a joined one soon after one of the block before. In a
	// clean window nothing begins.
	noRegion region = iota
	hot
	after
	joined
	clean
)

// strata returns the strata of usual times. Their number does not depend on the timings, so that forecasts with different timings
// can be compared.
func (r *replay) strata() (all []stratum) {
	cells := float64(len(r.hot) + len(r.after) + len(r.clean))
	add := func(p region, above, below float64, of []int32, share float64) {
		all = append(all, stratum{episode: -1, region: p, above: above, below: below, cells: of, rate: share / r.width.Seconds()})
	}
	for i := range len(edges) - 1 {
		n := float64(len(r.hot))
		of := slices.Clone(r.hot[int(edges[i]*n):int(edges[i+1]*n)])
		slices.Sort(of) // windows of several timings then lie near each other
		add(hot, edges[i], edges[i+1], of, float64(len(of))/cells)
	}
	joins, loud := float64(r.joins)/float64(r.parts), float64(len(r.loud))/cells
	calm := float64(len(r.clean)) / cells
	add(after, 2, 2, r.after, float64(len(r.after))/cells)
	add(joined, 3, 3, r.clean, calm*joins*loud)
	add(clean, 4, 4, r.clean, calm*(1-joins*loud))
	return all
}

// lay draws where in the recording w lies, which is a window of usual times of the stratum x. It sets the end and the blocks of
// w. It takes numbers from random. w.from and w.seed must be set.
func (r *replay) lay(x *stratum, w *window, random *rand.Rand) {
	k, before := random.IntN(r.parts), r.somewhere(nil, random)
	joins, loud := float64(r.joins)/float64(r.parts), float64(len(r.loud))/float64(len(r.loud)+len(r.quiet))
	switch {
	case x.region == joined:
		k, before = random.IntN(r.joins), r.somewhere(r.loud, random)
	case x.region == clean && (r.joins == r.parts || random.Float64() < joins*(1-loud)/(1-joins*loud)):
		k, before = random.IntN(r.joins), r.somewhere(r.quiet, random)
	case x.region == clean:
		k = r.joins + random.IntN(r.parts-r.joins)
	}
	later := time.Duration(k) * r.width
	w.to = w.from + r.width
	w.blocks = &blocks{Recording: r.Recording, length: r.length, start: w.from - later, seed: w.seed, before: before,
		zero: ((r.somewhere(x.cells, random)-later)%r.length + r.length) % r.length}
}

// somewhere draws, by two numbers from random, a time of the recording in one of the cells; if cells is empty, anywhere in the
// recording.
func (r *replay) somewhere(cells []int32, random *rand.Rand) time.Duration {
	i, into := random.Float64(), random.Float64()
	if len(cells) == 0 {
		return time.Duration(i * float64(r.length))
	}
	return (time.Duration(cells[int(i*float64(len(cells)))])*r.cell + time.Duration(into*float64(r.cell))) % r.length
}

// anywhere sets the blocks of w, which is the window of an episode, to ones that begin anywhere in the recording. It takes
// numbers from random. w.from and w.seed must be set.
func (r *replay) anywhere(w *window, random *rand.Rand) {
	later := time.Duration(random.Float64() * float64(r.Block))
	w.blocks = &blocks{Recording: r.Recording, length: r.length, start: w.from - later, seed: w.seed,
		before: r.somewhere(nil, random), zero: r.somewhere(nil, random)}
}
