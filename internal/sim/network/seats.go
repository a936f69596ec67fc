package network

import (
	"time"

	"interregnum/internal/reuse"
	"interregnum/internal/sim/clock"
	"interregnum/plan"
)

// Seats are the seats of the service in a brownout: each request keeps one while it is carried out, and others wait in one queue, as
// in priority and fairness of an API server.
type Seats struct {
	fault *plan.Fault
	// free is when each seat is free again. It is a heap: the first is the least, and entry i is no more than entries 2i+1 and 2i+2.
	free []clock.Instant
	// waiting has, for each request that waits, when it waits no longer, in order. late are those of them that get no seat by then.
	waiting, late reuse.Fifo[clock.Instant]
	dropped       dropped
	// next is when the next request of other programs comes.
	next clock.Instant
}

// NewSeats returns the seats of the brownout f, which begins: all are free, and nothing waits. It returns nil if f does not limit
// seats.
func NewSeats(f *plan.Fault) *Seats {
	if f.Seats == 0 {
		return nil
	}
	s := new(Seats)
	s.reset(f)
	return s
}

// reset makes s the seats of the brownout f, which must limit them, as NewSeats does, in the memory of earlier ones.
func (s *Seats) reset(f *plan.Fault) {
	s.fault, s.free, s.next = f, reuse.Zeroed(s.free, int(f.Seats)), clock.Never
	s.waiting.Reset()
	s.late.Reset()
	s.dropped = dropped{seconds: s.dropped.seconds[:0]}
	if f.Every > 0 {
		s.next = clock.Instant(f.At)
	}
}

// Take makes a request that comes now take a seat, or wait for one. If carriedOut is true, over is when the request will have
// been carried out. If it is false, over is when the request will be refused: now, if too many wait, otherwise once it has waited
// too long. Calls must come in the order of their times.
func (s *Seats) Take(now clock.Instant) (over clock.Instant, carriedOut bool) {
	s.until(now)
	return s.seat(now)
}

// RetryAfter returns after how long a client whose request is refused now is to try again, in whole seconds: one second or more,
// and one if s is nil. It first brings the seats up to date, so that now must not be before the time of an earlier call.
func (s *Seats) RetryAfter(now clock.Instant) time.Duration {
	if s == nil {
		return time.Second
	}
	s.until(now)
	return s.dropped.retryAfter()
}

// until brings the seats up to date. Requests of other programs that have come by now take a seat or wait, and requests that
// have waited too long by now count as refused.
func (s *Seats) until(now clock.Instant) {
	for {
		switch {
		case s.late.Len() > 0 && s.late.First() <= min(now, s.next):
			s.dropped.add(s.late.Pop())
		case s.next <= now:
			s.seat(s.next)
			s.next += clock.Instant(s.fault.Every)
		default:
			return
		}
	}
}

// seat gives the seat that is free first to a request that comes at t, or makes the request wait for it. If carriedOut is true,
// over is when the request will have been carried out. If it is false, the request gets no seat, and over is when it will be
// refused: t if too many wait, otherwise once it has waited too long. Requests must come in the order of their times.
func (s *Seats) seat(t clock.Instant) (over clock.Instant, carriedOut bool) {
	for s.waiting.Len() > 0 && s.waiting.First() <= t {
		s.waiting.Pop()
	}
	begins := max(t, s.free[0])
	if begins > t {
		if s.fault.Queue > 0 && s.waiting.Len() >= int(s.fault.Queue) {
			s.dropped.add(t)
			return t, false
		}
		leaves := min(begins, t+clock.Instant(plan.LongestSeatWait))
		s.waiting.Push(leaves)
		if leaves < begins {
			s.late.Push(leaves)
			return leaves, false
		}
	}
	over = begins + clock.Instant(s.fault.Takes)
	s.occupy(over)
	return over, true
}

// occupy takes the seat that is free first, until that time. It must be no sooner than when the seat is free.
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
