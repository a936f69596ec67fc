package network

import (
	"interregnum/internal/sim/clock"
	"interregnum/scenarios/plan"
)

// Seats are what the service has of them in a brownout, in the manner of priority and fairness of an API server with one queue.
type Seats struct {
	fault *plan.Fault
	// free is when each seat is free again, never if that is beyond all time. It is a heap: the first is the least, and entry i is no
	// more than entries 2i+1 and 2i+2.
	free []clock.Instant
	// waiting is when each request that waits gets its seat, in order.
	waiting []clock.Instant
	// next is when the next request of others comes.
	next clock.Instant
}

// newSeats returns the seats of a brownout that begins, nil if it has none.
func newSeats(f *plan.Fault) *Seats {
	if f.Seats == 0 {
		return nil
	}
	s := &Seats{fault: f, free: make([]clock.Instant, f.Seats), next: clock.Never}
	if f.Every > 0 {
		s.next = clock.Instant(f.At)
	}
	return s
}

// Take has a request that comes now take a seat, or wait for one. It returns when the request has been carried out; false if it is
// refused, since too many wait.
func (s *Seats) Take(now clock.Instant) (done clock.Instant, ok bool) {
	for s.next <= now {
		s.seat(s.next)
		s.next += clock.Instant(s.fault.Every)
	}
	return s.seat(now)
}

// seat gives a request that comes at t, no sooner than the one before, the seat that is free first.
func (s *Seats) seat(t clock.Instant) (done clock.Instant, ok bool) {
	for len(s.waiting) > 0 && s.waiting[0] <= t {
		s.waiting = s.waiting[1:]
	}
	begins := max(t, s.free[0])
	if begins > t {
		if s.fault.Queue > 0 && len(s.waiting) >= int(s.fault.Queue) {
			return 0, false
		}
		s.waiting = append(s.waiting, begins)
	}
	done = clock.Never
	if takes := clock.Instant(s.fault.Takes); begins <= clock.Never-takes {
		done = begins + takes
	}
	s.occupy(done)
	return done, true
}

// occupy has the seat that is free first be free at that time, which is no sooner.
func (s *Seats) occupy(until clock.Instant) {
	i := 0
	for child := 1; child < len(s.free); child = 2*i + 1 {
		if right := child + 1; right < len(s.free) && s.free[right] < s.free[child] {
			child = right
		}
		if until <= s.free[child] {
			break
		}
		s.free[i] = s.free[child]
		i = child
	}
	s.free[i] = until
}
