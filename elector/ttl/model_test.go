package ttl_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

// With clocks that agree and work that stops within what is left of the TTL, never two are at work and tokens only grow.
func TestStrictNeverTwoAtWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, machine.Strict, func(low, high int64) int64 {
			return rapid.Int64Range(low, high).Draw(t, "")
		})
		w.run(4 * time.Minute)
		require.Empty(t, w.overlaps)
	})
}

// seeded runs worlds of many seeds, and counts those in which two were at work.
func seeded(t *testing.T, profile machine.Profile) (terms, adopted, overlaps int) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 0))
		w := newWorld(t, profile, func(low, high int64) int64 { return low + random.Int64N(high-low+1) })
		w.run(4 * time.Minute)
		terms += w.terms
		adopted += w.adopted
		if len(w.overlaps) > 0 {
			overlaps++
			if profile == machine.Strict {
				assert.Empty(t, w.overlaps, "seed %d", seed)
			}
		}
	}
	return terms, adopted, overlaps
}

// What strict rules out does happen in these worlds once the algorithm departs from strict in a single point.
func TestWorldsBite(t *testing.T) {
	terms, adopted, overlaps := seeded(t, machine.Strict)
	assert.Zero(t, overlaps)
	assert.Greater(t, terms, 2000)
	assert.Greater(t, adopted, 50, "entries whose making was not answered")

	fromAck := machine.Strict
	fromAck.FromSend = false
	_, _, overlaps = seeded(t, fromAck)
	assert.Greater(t, overlaps, 10, "FromSend")

	releaseFirst := machine.Strict
	releaseFirst.WorkFirst = false
	_, _, overlaps = seeded(t, releaseFirst)
	assert.Greater(t, overlaps, 10, "WorkFirst")

	_, _, overlaps = seeded(t, machine.ClientGo)
	assert.Greater(t, overlaps, 10, "client-go")
}
