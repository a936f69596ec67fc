package bound

import (
	"slices"
	"time"
)

// A second is cut into parts: seconds knows of a write in which of them it is, and no more.
const (
	parts = 200
	part  = time.Second / parts
)

// seconds counts the turns of two leaders where RetryPeriod is below a second. What a leader writes within one second of its clock looks
// the same, so that its next turn depends on where in its second the first of those writes is. docs/derivation.md, "Parts of a second",
// has the argument.
type seconds struct {
	*model
	taking
	// aligned tells whether attempts begin at ticks, or later by freezes alone.
	aligned bool
	// pause is the longest freeze, success how long the answers to a success take, and longest the longest turn, on the leader's clock.
	pause, success, longest time.Duration
	// turns has how long turns can be, by the part of its second in which a turn's first write is.
	turns [parts][]ranges
	// follow has how many turns can follow at most, and one more, by the parts of two writes: that with which the one leader has just
	// taken the lock, and the first of the other's last ones that look the same, by whether that has taken the lock. It is 0 where that is
	// not known yet, and open while it is being counted.
	follow [2][parts][parts]int32
}

// ranges is how long a turn can be, from the beginning of the attempt with the first of its last writes that look the same. taken is the most
// that this can be from that write itself where that takes the lock.
type ranges struct {
	interval
	taken time.Duration
}

const open = -1

// inSeconds returns how many turns there can be beside the first of each leader; false where there can be any number, for all that parts
// of a second tell.
func (m *model) inSeconds(t taking) (n time.Duration, known bool) {
	if m.c.RetryPeriod >= time.Second || m.c.RetryPeriod < 10*part || m.c.ReleaseOnCancel || m.c.onTwoObjects() {
		return 0, false
	}
	deadline := m.c.RenewDeadline
	s := &seconds{model: m, taking: t, aligned: m.aligned(), pause: m.most(m.e.MaxPause)}
	s.success = min(m.most(m.longestOf(m.lossy())), deadline)
	s.longest = time.Second + s.success + s.pause + m.c.RetryPeriod + t.last()
	// What a leader has renewed without an answer, in the poll in which it takes the lock back, and a third leader's turn between two writes
	// of one turn, take too long.
	if s.soonest(0) <= deadline || s.soonest(2*m.least(m.takeover())) <= s.longest {
		return 0, false
	}
	for y := range parts {
		s.turns[y] = s.lengths(time.Second - time.Duration(y)*part - 1)
	}
	most := int32(0)
	for x := range parts {
		for y := range parts {
			for renewed := range 2 {
				n := s.count(renewed, x, y)
				if n < 0 {
					return 0, false
				}
				most = max(most, n)
			}
		}
	}
	return time.Duration(most) + 4, true
}

// aligned tells whether each attempt of a poll begins at a tick if the process is not frozen.
func (m *model) aligned() bool {
	if !m.followed() {
		return !m.outlasts(m.longestFailing())
	}
	before, _ := m.attempts()
	for _, s := range m.beginning(func(span) []interval { return before }) {
		if s.low != s.high || s.low%m.c.RetryPeriod > 0 {
			return false
		}
	}
	return true
}

// soonest returns the shortest turn of a leader where that of the other one lasts for w before it writes the first of those writes that
// look the same as its last one. Each has read the other's record.
func (s *seconds) soonest(w time.Duration) time.Duration {
	return s.after + s.least(s.fast(s.after)+s.fast(w))
}

// lengths returns how long a turn can be, from its first write to the next turn of the leader, where left of the second is left.
func (s *seconds) lengths(left time.Duration) (all []ranges) {
	period := s.c.RetryPeriod
	if !s.aligned {
		whole := left + s.success + period + slices.Max(s.unfrozen) + s.pause
		return []ranges{{interval{period + s.begins[0].low, whole}, whole}}
	}
	for i, b := range s.begins {
		end := period + s.unfrozen[i] + s.pause // from the last answer
		for n := time.Duration(0); n*period-s.pause <= left; n++ {
			high := n*(period+s.success) + n/2*s.pause + s.success + end // two successes share a freeze
			taken := high - s.success + s.most(s.direct)                 // its Get comes before its write
			whole := left + s.success + end
			all = s.merge(all, ranges{interval{max(0, n*period-s.pause) + period + b.low, min(whole, high)}, min(whole, taken)})
		}
	}
	return all
}

// merge adds r to the ranges, of which no two begin alike.
func (s *seconds) merge(all []ranges, r ranges) []ranges {
	for i := range all {
		if have := &all[i]; have.low == r.low {
			have.high, have.taken = max(have.high, r.high), max(have.taken, r.taken)
			return all
		}
	}
	return append(all, r)
}

// later returns the ranges of how long after a leader has taken the lock it can renew in another second.
func (s *seconds) later() (all []interval) {
	period := s.c.RetryPeriod
	if !s.aligned {
		return []interval{{0, s.longest}}
	}
	for n := time.Duration(1); s.soonest(n*period-s.pause) <= s.longest; n++ {
		all = append(all, interval{n*period - s.pause, n * (period + s.success + s.pause)})
	}
	return all
}

// count returns how many turns can follow, and stores that; it is negative where that is not known. x is the part in which the one leader
// has just taken the lock, and y that of the other one, who has renewed it in that part if renewed is 1, or else taken it.
func (s *seconds) count(renewed, x, y int) (n int32) {
	at := &s.follow[renewed][x][y]
	if *at != 0 {
		return max(*at-1, open)
	}
	*at = open
	if n = s.next(renewed, y, 0, 0, x); n < 0 {
		return open
	}
	for _, w := range s.later() {
		for to := max(parts, x+int(w.low/part)); to <= x+1+int(w.high/part); to++ {
			waits := max(w.low, time.Duration(to-x-1)*part)
			if s.soonest(waits) > s.longest {
				break
			}
			more := s.next(renewed, y, waits, 1, to%parts)
			if more < 0 {
				return open
			}
			n = max(n, more)
		}
	}
	*at = n + 1
	return n
}

// next is count after the one leader has written the first of those writes that look the same as its last one, in the part x and w after
// it has taken the lock: then it has renewed it, and later is 1, or w is 0.
func (s *seconds) next(renewed, y int, w time.Duration, later, x int) (n int32) {
	least := s.soonest(w)
	for _, t := range s.turns[y] {
		if t.high < least || renewed == 0 && t.taken < least {
			continue
		}
		for to := y + int(max(t.low, least)/part); to <= y+1+int(t.high/part); to++ {
			more := s.count(later, to%parts, x)
			if more < 0 {
				return open
			}
			n = max(n, more+1)
		}
	}
	return n
}
