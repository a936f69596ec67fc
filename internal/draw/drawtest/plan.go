// Package drawtest draws random plans in property tests (pgregory.net/rapid).
package drawtest

import (
	"slices"

	"pgregory.net/rapid"

	"interregnum/internal/draw"
	"interregnum/plan"
)

// Plan draws a plan of the space, and leaves out about one in 32 of its faults and candidates, but keeps two candidates or more.
// When a test fails, rapid shrinks the choices among a few, and the numbers of candidates and of faults. It does not shrink times,
// which are drawn evenly, to the nanosecond.
func Plan(t *rapid.T, s *draw.Space) *plan.Plan {
	p := s.Plan(&choices{t: t})
	// Parts are left out once all are drawn, so that leaving one out does not change the others.
	out := func() bool { return rapid.IntRange(0, 31).Draw(t, "keep") == 0 }
	p.Faults = slices.DeleteFunc(p.Faults, func(plan.Fault) bool { return out() })
	ids := processes(p)
	left := len(ids)
	for _, id := range ids {
		if out() && left > 2 && remove(p, id) {
			left--
		}
	}
	return p
}

// processes returns the names of a plan's candidates, each once.
func processes(p *plan.Plan) (ids []string) {
	for i := range p.Candidates {
		if id := p.Candidates[i].ID; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// remove takes the candidate id out of a plan, with the faults on it. It returns false, and changes nothing, if what
// is left would not be a valid plan.
func remove(p *plan.Plan, id string) bool {
	q := *p
	q.Candidates = slices.DeleteFunc(slices.Clone(p.Candidates), func(c plan.Candidate) bool { return c.ID == id })
	q.Faults = slices.DeleteFunc(slices.Clone(p.Faults), func(f plan.Fault) bool { return slices.Contains(f.On, id) })
	if q.Validate() != nil {
		return false
	}
	*p = q
	return true
}

// choices is a draw.Source whose choices come from rapid.
type choices struct {
	t *rapid.T
	// drawn counts numbers, so that equal numbers from rapid become different ones.
	drawn uint64
}

var _ draw.Source = (*choices)(nil)

// IntN draws a number from 0 to n-1. n-1 stands for the plainest of n choices, and rapid prefers small numbers: so the
// number that rapid draws is counted from the end.
func (c *choices) IntN(n int) int { return n - 1 - rapid.IntRange(0, n-1).Draw(c.t, "choice") }

// Int64N draws a number from 0 to below n, all equally likely.
func (c *choices) Int64N(n int64) int64 { return int64(c.number() % uint64(n)) }

// Float64 draws a number from 0 to below 1, all equally likely.
func (c *choices) Float64() float64 { return float64(c.number()>>11) / (1 << 53) }

// number draws evenly from all numbers, although rapid prefers some: it is the output of SplitMix64 (Steele et al.,
// OOPSLA 2014) for a number from rapid.
func (c *choices) number() uint64 {
	c.drawn++
	x := rapid.Uint64().Draw(c.t, "number") + c.drawn*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
