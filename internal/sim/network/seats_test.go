package network

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/sim/clock"
	"interregnum/scenarios/plan"
)

// brownout returns the seats of a brownout from 0 on.
func brownout(seats plan.Count, takes, every time.Duration) *Seats {
	return newSeats(&plan.Fault{Kind: plan.FaultBrownout, Seats: seats, Takes: takes, Every: every})
}

// TestSeatsNeverFree: requests that wait for more years than an Instant has are never carried out.
func TestSeatsNeverFree(t *testing.T) {
	s := brownout(1, plan.MaxDuration, time.Second)
	last := clock.Instant(0)
	for at := range 100 {
		now := clock.Instant(at) * clock.Instant(time.Second)
		done, ok := s.Take(now)
		assert.True(t, ok)
		assert.GreaterOrEqual(t, done, last, "at %v", now)
		last = done
	}
	assert.Equal(t, clock.Never, last)
}

// TestSeatFreeFirst: each request gets the seat that is free first, however many there are.
func TestSeatFreeFirst(t *testing.T) {
	d := rand.New(rand.NewPCG(1, 1))
	for seats := 1; seats < 20; seats++ {
		takes := time.Duration(100 + d.IntN(1000))
		s, free := brownout(plan.Count(seats), takes, 0), make([]clock.Instant, seats)
		now := clock.Instant(0)
		for range 200 {
			now += clock.Instant(d.IntN(300))
			first := slices.Index(free, slices.Min(free))
			free[first] = max(now, free[first]) + clock.Instant(takes)
			done, _ := s.Take(now)
			assert.Equal(t, free[first], done, "%d seats", seats)
		}
	}
}
