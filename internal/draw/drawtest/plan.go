// Package drawtest draws random plans in property tests (pgregory.net/rapid).
package drawtest

import (
	"slices"

	"pgregory.net/rapid"

	"interregnum/internal/draw"
	"interregnum/scenarios/plan"
)

// Plan draws a plan of the space. What rapid makes smaller are the choices among a few, and the number of candidates and of faults. Times
// are drawn evenly, to the nanosecond, and do not become smaller.
func Plan(t *rapid.T, s *draw.Space) *plan.Plan {
	p := s.Plan(&choices{t: t})
	// Each part is left out by a choice after all others, so that those for the parts that stay are the same.
	out := func() bool { return rapid.IntRange(0, 31).Draw(t, "keep") == 0 }
	p.Faults = slices.DeleteFunc(p.Faults, func(plan.Fault) bool { return out() })
	ids := processes(p)
	left := len(ids)
	for _, id := range ids {
		if out() && left > 2 && leaves(p, id) {
			left--
		}
	}
	return p
}

// processes returns the names of a plan's candidates.
func processes(p *plan.Plan) (ids []string) {
	for i := range p.Candidates {
		if id := p.Candidates[i].ID; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// leaves takes a candidate out of a plan, with the faults on it, unless what is left were no plan.
func leaves(p *plan.Plan, id string) bool {
	q := *p
	q.Candidates = slices.DeleteFunc(slices.Clone(p.Candidates), func(c plan.Candidate) bool { return c.ID == id })
	q.Faults = slices.DeleteFunc(slices.Clone(p.Faults), func(f plan.Fault) bool { return slices.Contains(f.On, id) })
	if q.Validate() != nil {
		return false
	}
	*p = q
	return true
}

// choices are drawn from rapid.
type choices struct {
	t *rapid.T
	// drawn counts numbers, so that equal ones of rapid become different ones.
	drawn uint64
}

var _ draw.Source = (*choices)(nil)

// IntN chooses one of n. Rapid prefers small numbers, and the last is the plainest.
func (c *choices) IntN(n int) int { return n - 1 - rapid.IntRange(0, n-1).Draw(c.t, "choice") }

// Int64N draws a number below n, each as likely.
func (c *choices) Int64N(n int64) int64 { return int64(c.number() % uint64(n)) }

// Float64 draws a number from 0 to below 1, each as likely.
func (c *choices) Float64() float64 { return float64(c.number()>>11) / (1 << 53) }

// number draws from all numbers evenly: it is the next of SplitMix64 (Steele et al., OOPSLA 2014) after a number that rapid prefers.
func (c *choices) number() uint64 {
	c.drawn++
	x := rapid.Uint64().Draw(c.t, "number") + c.drawn*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
