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

// served is the same service once more, as events: it knows who has a seat and who waits, and nothing of when a seat will be free.
type served struct {
	seats, queue int
	takes, every time.Duration
	// busy has, of each request that has a seat, who made it and when it is over; waiting are the others, in their order.
	busy    []seated
	waiting []int
	done    map[int]time.Duration
}

type seated struct {
	who  int
	ends time.Duration
}

// nobody is who makes the requests of others.
const nobody = -1

// until has all seats that are free by t passed on, in the order of time.
func (s *served) until(t time.Duration) {
	for len(s.busy) > 0 {
		first := 0
		for i := range s.busy {
			if s.busy[i].ends < s.busy[first].ends {
				first = i
			}
		}
		over := s.busy[first]
		if over.ends > t {
			return
		}
		s.done[over.who] = over.ends
		s.busy = slices.Delete(s.busy, first, first+1)
		if len(s.waiting) > 0 {
			s.busy = append(s.busy, seated{s.waiting[0], over.ends + s.takes})
			s.waiting = s.waiting[1:]
		}
	}
}

// comes has a request come at t, and tells whether it is not turned away.
func (s *served) comes(who int, t time.Duration) bool {
	s.until(t)
	switch {
	case len(s.busy) < s.seats:
		s.busy = append(s.busy, seated{who, t + s.takes})
	case s.queue > 0 && len(s.waiting) >= s.queue:
		return false
	default:
		s.waiting = append(s.waiting, who)
	}
	return true
}

// TestSeatsSecond: requests are carried out at the same times, and turned away in the same cases, as by a service that is simulated
// event by event.
func TestSeatsSecond(t *testing.T) {
	turnedAway, waited := 0, 0
	for seed := range uint64(2000) {
		d := rand.New(rand.NewPCG(seed, 7))
		f := &plan.Fault{
			Kind: plan.FaultBrownout, Seats: plan.Count(1 + d.IntN(4)), Queue: plan.Count(d.IntN(5)), Takes: time.Duration(1 + d.IntN(100)),
		}
		if d.IntN(3) > 0 {
			f.At, f.Every = time.Duration(d.IntN(100)), time.Duration(1+d.IntN(60))
		}
		one := newSeats(f)
		two := served{seats: int(f.Seats), queue: int(f.Queue), takes: f.Takes, every: f.Every, done: map[int]time.Duration{}}
		others, now, want := f.At, f.At, map[int]time.Duration{}
		for who := range 200 {
			now += time.Duration(d.IntN(40))
			for ; f.Every > 0 && others <= now; others += f.Every {
				two.comes(nobody, others)
			}
			done, ok := one.Take(clock.Instant(now))
			if !assert.Equal(t, two.comes(who, now), ok, "seed %d, request %d", seed, who) {
				return
			}
			if ok {
				want[who] = time.Duration(done)
			} else {
				turnedAway++
			}
			if ok && time.Duration(done) > now+f.Takes {
				waited++
			}
		}
		two.until(time.Hour)
		delete(two.done, nobody)
		if !assert.Equal(t, want, two.done, "seed %d", seed) {
			return
		}
	}
	assert.Greater(t, turnedAway, 1000)
	assert.Greater(t, waited, 1000)
}
