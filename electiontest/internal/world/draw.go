package world

import (
	"hash/fnv"
	"math/rand/v2"
	"strconv"
)

// An elector sends its requests one after the other, and delays and losses are drawn in that order. Other requests of a process come
// from several goroutines, whose order at one instant is free. So what is drawn for such a request depends on what it is about and
// on how many of that sort came before, not on its place among all.

// stream returns a function that returns the random stream for the next choice about the request: of, the seat's own, for a
// request on the lock, and otherwise a new one (see own). The caller of that function holds w.mu.
func (c *call) stream(of *rand.Rand) func() *rand.Rand {
	return func() *rand.Rand {
		if c.lock {
			return of
		}
		return c.own()
	}
}

// own returns a random stream for the next number to be drawn for this request, and counts it in c.drawn. The stream depends on
// the seed, the candidate, what the request is about, how many such requests came before, and how many numbers were drawn for
// this one. The caller holds w.mu.
func (c *call) own() *rand.Rand {
	s := c.part.seat
	if c.drawn == 0 {
		s.drawn[c.about]++
		c.nth = s.drawn[c.about]
	}
	c.drawn++
	hash := fnv.New64a()
	for _, part := range []string{s.plan.ID, c.about, strconv.Itoa(c.nth), strconv.Itoa(c.drawn)} {
		hash.Write([]byte(part + "\x00"))
	}
	return rand.New(rand.NewPCG(s.node.world.scenario.Seed, hash.Sum64()))
}
