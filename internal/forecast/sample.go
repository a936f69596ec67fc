package forecast

import (
	"context"

	"interregnum/internal/sim/stream"
)

// sample is what the windows of a stratum have shown so far.
type sample struct {
	*stratum
	place place
	n     int
	// sum, squares and cubes are the sums, over all windows, of each metric's value, of its square and of its cube. seen counts
	// the windows in which the metric is not 0.
	sum, squares, cubes [metrics]float64
	seen                [metrics]int
	// gaps are those of all windows. gapSquares is the sum, over all windows, of the square of the weight of their gaps: gaps of one window are
	// not independent of each other.
	gaps       []gap
	gapSquares float64
	// plain counts the windows in whose run, without the branches, the lock was lost. branches counts the branches of all
	// windows.
	plain    int
	branches int
	values   values
	// keeps: kept gets what each window has shown, so that windows of several questions can be compared.
	keeps bool
	kept  [][metrics]float64
}

// add adds what a window has shown.
func (s *sample) add(o *outcome) {
	s.n++
	if s.keeps {
		s.kept = append(s.kept, o.values)
	}
	if o.values[losses] >= 1 { // branches together hardly weigh as much
		s.plain++
	}
	for m, v := range o.values {
		s.sum[m] += v
		s.squares[m] += v * v
		s.cubes[m] += v * v * v
		if v != 0 {
			s.seen[m]++
		}
	}
	weight := 0.0
	for _, g := range o.gaps {
		weight += g.weight
	}
	s.gaps, s.gapSquares = append(s.gaps, o.gaps...), s.gapSquares+weight*weight
	s.branches += o.branches
}

// measure runs the window of a job, with its branches, and returns what they show. The window follows from seed, the job's stratum
// and its index alone. It returns an error if a run fails.
func (p *play) measure(set *setting, seed uint64, j job) (outcome, error) {
	x := j.sample
	p.v = &x.values
	return p.show(set.window(x.stratum, mix(seed^x.seed(), uint64(j.index))))
}

// show runs the window, and then its branches. It returns what the window has shown, and adds to that what each branch has shown,
// times its weight. It returns an error if a run fails.
func (p *play) show(w *window) (outcome, error) {
	if err := p.run(w, nil); err != nil {
		return outcome{}, err
	}
	o := outcome{values: p.tally.values, branches: len(p.found)}
	for _, g := range p.tally.gaps {
		o.gaps = append(o.gaps, gap{1, g})
	}
	for _, b := range p.found {
		if err := p.run(w, &b); err != nil {
			return outcome{}, err
		}
		weight := b.weight * p.weight
		for m, x := range p.tally.values {
			o.values[m] += weight * x
		}
		if len(p.steps) > 0 {
			o.values[dangers] += b.weight * p.steps[0].weight
		}
		for _, g := range p.tally.gaps {
			o.gaps = append(o.gaps, gap{weight, g})
		}
	}
	return o, nil
}

// learning is how many windows of a stratum are run in each round to learn from, unless Options say so, and rounds is how many rounds there are.
const (
	learning = 40
	rounds   = 4
)

// learn sets s.values from windows that count for nothing else; they follow from seed. In every second window of a round it tries
// all sorts of fates alike, so that a sort is not taken for harmless because it was harmless the few times that it was tried. In
// the other windows it chooses them by what the earlier rounds have learned, since long courses are found in no other way. It
// returns an error if a run fails, or if ctx ends. The number of windows in a round is learning. It runs none if nobody led when
// the setting was learned.
func (s *sample) learn(ctx context.Context, p *play, set *setting, seed uint64, learning int) error {
	if set.lasts == 0 {
		return ctx.Err() // no window has a branch then
	}
	for round := range rounds {
		next := s.values
		for i := range learning {
			if err := ctx.Err(); err != nil {
				return err
			}
			w := set.window(s.stratum, mix(seed, uint64(round*learning+i)))
			if p.v = &s.values; i%2 == 0 {
				p.v = nil
			}
			if err := p.run(w, nil); err != nil {
				return err
			}
			for _, b := range p.found {
				if err := p.run(w, &b); err != nil {
					return err
				}
				next.learn(p.steps, p.tally.values[losses] > 0)
			}
		}
		s.values = next
	}
	return nil
}

// mix returns one seed made of two numbers.
func mix(a, b uint64) uint64 { return stream.Mix(a + 0x9e3779b97f4a7c15*b) }
