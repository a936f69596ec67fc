package electiontest

import (
	"hash/fnv"
	"math/rand/v2"
	"strconv"
)

// An elector sends its requests one after the other, and draws delays and losses in that order. All other requests of a
// process come from goroutines whose order at one instant is free, so that each draws for itself: by what it is about, and
// how many such there were before.

// delays is what the request's delays are drawn from.
func (c *call) delays() *rand.Rand {
	if c.lock {
		return c.part.seat.delays
	}
	return c.own()
}

// losses is what decides whether the request is lost.
func (c *call) losses() *rand.Rand {
	if c.lock {
		return c.part.seat.losses
	}
	return c.own()
}

// own is a stream for the next number that is drawn for the request. The caller holds world.mu.
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

// order is where the request's messages come among those of one candidate at one instant.
func (c *call) order() string {
	if c.lock || c.edits {
		return ""
	}
	return c.about
}
