package explore

import (
	"cmp"
	"slices"
)

// number identifies a state. States are counted from 1, in the order in which they are queued.
type number uint32

// manyNumbers leaves enough numbers for what one chunk of states leads to.
const manyNumbers = 1 << 31

// origin says how a state came about first: from which state, by which of its choices. Where before is 0 the state is a
// start, and choice is the index of that start.
type origin struct {
	before number
	choice uint32
}

// paths has the origin of every state that was queued. An origin takes 8 bytes, a world thousands.
type paths struct {
	// blocks have blockSize origins each, so that no origin is moved when there are more.
	blocks [][]origin
	last   number
}

const blockSize = 1 << 16

// add stores an origin, and returns the number of its state.
func (p *paths) add(o origin) number {
	if p.last%blockSize == 0 {
		p.blocks = append(p.blocks, make([]origin, 0, blockSize))
	}
	block := &p.blocks[len(p.blocks)-1]
	*block = append(*block, o)
	p.last++
	return p.last
}

// origin returns from which state, and by which of its choices, the state n first came about.
func (p *paths) origin(n number) origin { return p.blocks[(n-1)/blockSize][(n-1)%blockSize] }

// path returns the numbers of the states that lead to a state, from a start on.
func (p *paths) path(n number) []number {
	var path []number
	for ; n != 0; n = p.origin(n).before {
		path = append(path, n)
	}
	slices.Reverse(path)
	return path
}

// order returns the indices of the states in the order in which to explore them: those with worlds come first. Those
// without that share the beginning of their paths come one after the other, so that their worlds are soon made again.
func (p *paths) order(some []state) []int {
	order, all := indices(len(some)), make([][]number, len(some))
	for i := range some {
		if some[i].world == nil {
			all[i] = p.path(some[i].number)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(slices.Compare(all[i], all[j]), i-j) })
	return order
}
