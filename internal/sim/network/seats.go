package network

import (
	"interregnum/internal/sim/clock"
	"interregnum/scenarios/plan"
)

// Seats are the seats of the service in a brownout: each request keeps one while it is carried out, and others wait in one queue, as
// in priority and fairness of an API server.
type Seats struct {
	fault *plan.Fault
	// free is when each seat is free again, never if that is beyond all time. It is a heap: the first is the least, and entry i is no
	// more than entries 2i+1 and 2i+2.
	free []clock.Instant
	// waiting has, for each request that waits, when it gets its seat, in order.
	waiting []clock.Instant
	// next is when the next request of other programs comes.
	next clock.Instant
}

// newSeats returns the seats of the fault f, which begins; nil if it has none.
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

// Take has a request that comes now take a seat, or wait for one. It returns when the request will have been carried out, or false if
// the request is refused, since too many wait.
func (s *Seats) Take(now clock.Instant) (done clock.Instant, ok bool) {
	for s.next <= now {
		s.seat(s.next)
		s.next += clock.Instant(s.fault.Every)
	}
	return s.seat(now)
}

// seat gives the seat that is free first to a request that comes at t. Requests must come in the order of their times.
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
