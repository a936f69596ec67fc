package network

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/sim/clock"
	"interregnum/plan"
)

// brownout returns the seats of a brownout from 0 on.
func brownout(seats plan.Count, takes, every time.Duration) *Seats {
	return NewSeats(&plan.Fault{Kind: plan.FaultBrownout, Seats: seats, Takes: takes, Every: every})
}

// TestSeatsNeverFree: a request that gets no seat is refused after 15 s. Where many are, clients are to wait longer from second to
// second, up to 32 s.
func TestSeatsNeverFree(t *testing.T) {
	s := brownout(1, plan.MaxDuration, 200*time.Millisecond)
	_, carriedOut := s.Take(0)
	assert.False(t, carriedOut, "another one came first")
	const second = clock.Instant(time.Second)
	for at, after := range map[clock.Instant]int{0: 1, 14: 1} {
		assert.Equal(t, time.Duration(after)*time.Second, s.RetryAfter(at*second))
	}
	over, carriedOut := s.Take(14 * second)
	assert.Equal(t, 29*second, over)
	assert.False(t, carriedOut)
	grows := []time.Duration{}
	for at := clock.Instant(15); at < 100; at++ {
		if now := s.RetryAfter(at * second); len(grows) == 0 || grows[len(grows)-1] != now {
			grows = append(grows, now)
		}
	}
	assert.Equal(t, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second}, grows)
	assert.Equal(t, time.Second, (*Seats)(nil).RetryAfter(0))
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
	// busy has, of each request that has a seat, who made it and when it is over; waiting are the others, in their order, and when they
	// have waited too long.
	busy, waiting []seated
	// done is when each was carried out, or, below zero, refused after its wait.
	done map[int]time.Duration
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
		if len(s.waiting) > 0 && s.waiting[0].ends < over.ends && s.waiting[0].ends <= t {
			s.done[s.waiting[0].who] = -s.waiting[0].ends
			s.waiting = s.waiting[1:]
			continue
		}
		if over.ends > t {
			return
		}
		s.done[over.who] = over.ends
		s.busy = slices.Delete(s.busy, first, first+1)
		if len(s.waiting) > 0 {
			s.busy = append(s.busy, seated{s.waiting[0].who, over.ends + s.takes})
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
		s.waiting = append(s.waiting, seated{who, t + 15*time.Second})
	}
	return true
}

// TestSeatsSecond: requests are carried out at the same times, and turned away in the same cases, as by a service that is simulated
// event by event.
func TestSeatsSecond(t *testing.T) {
	const unit = 99 * time.Millisecond
	turnedAway, waited, late := 0, 0, 0
	for seed := range uint64(2000) {
		d := rand.New(rand.NewPCG(seed, 7))
		f := &plan.Fault{
			Kind: plan.FaultBrownout, Seats: plan.Count(1 + d.IntN(4)), Queue: plan.Count(d.IntN(5)), Takes: time.Duration(1+d.IntN(100)) * unit,
		}
		if d.IntN(3) > 0 {
			f.At, f.Every = time.Duration(d.IntN(100))*unit, time.Duration(1+d.IntN(60))*unit
		}
		one := NewSeats(f)
		two := served{seats: int(f.Seats), queue: int(f.Queue), takes: f.Takes, every: f.Every, done: map[int]time.Duration{}}
		others, now, want := f.At, f.At, map[int]time.Duration{}
		for who := range 200 {
			now += time.Duration(d.IntN(40)) * unit
			for ; f.Every > 0 && others <= now; others += f.Every {
				two.comes(nobody, others)
			}
			over, ok := one.Take(clock.Instant(now))
			done := time.Duration(over)
			if !assert.Equal(t, two.comes(who, now), ok || done > now, "seed %d, request %d", seed, who) {
				return
			}
			switch {
			case ok:
				want[who] = done
			case done > now:
				want[who] = -done
				late++
			default:
				turnedAway++
			}
			if ok && done > now+f.Takes {
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
	assert.Greater(t, late, 1000)
}
