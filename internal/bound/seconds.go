package bound

import "time"

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
	// each is by how much a success and its freezes can move later attempts, and longest the longest turn, on the leader's clock.
	each, longest time.Duration
	// turns has how long turns can be, by the part of its second in which a turn's first write is.
	turns [parts][]interval
	// follow has how many turns can follow at most, and one more, by the parts of two writes: that with which the one leader has just
	// taken the lock, and the first of the other's last ones that look the same. It is 0 where that is not known yet, and open while it is being counted.
	follow [parts][parts]int32
}

const open = -1

// inSeconds returns how many turns there can be beside the first of each leader; false where there can be any number, for all that parts
// of a second tell.
func (m *model) inSeconds(t taking) (n time.Duration, known bool) {
	if m.c.RetryPeriod >= time.Second || m.c.RetryPeriod < 4*part || m.c.ReleaseOnCancel || m.c.onTwoObjects() {
		return 0, false
	}
	s := &seconds{model: m, taking: t}
	s.each = min(m.most(m.longestOf(m.lossy())), m.c.RenewDeadline) + m.most(m.e.MaxPause)
	s.longest = time.Second + s.each + m.c.RetryPeriod + t.last()
	// What a leader has renewed without an answer, in the poll in which it takes the lock back, and a third leader's turn between two writes
	// of one turn, take too long.
	if s.soonest(0) <= m.c.RenewDeadline || s.soonest(2*m.least(m.takeover())) <= s.longest {
		return 0, false
	}
	for y := range parts {
		s.turns[y] = s.lengths(time.Second - time.Duration(y)*part)
	}
	most := int32(0)
	for x := range parts {
		for y := range parts {
			n := s.count(x, y)
			if n < 0 {
				return 0, false
			}
			most = max(most, n)
		}
	}
	return time.Duration(most) + 4, true
}

// soonest returns the shortest turn of a leader where that of the other one lasts for w before it writes the first of those writes that
// look the same as its last one. Each has read the other's record.
func (s *seconds) soonest(w time.Duration) time.Duration {
	return s.after + s.least(s.fast(s.after)+s.fast(w))
}

// lengths returns how long a turn can be, from its first write to the next turn of the leader, where left of the second is left.
func (s *seconds) lengths(left time.Duration) (all []interval) {
	period, pause := s.c.RetryPeriod, s.most(s.e.MaxPause)
	for _, b := range s.begins {
		if !s.onTicks() {
			all = append(all, interval{period + b.low, left + s.each + period + b.high})
			continue
		}
		for n := time.Duration(0); n*period-pause < left; n++ {
			last := interval{max(0, n*period-pause), min(left, n*(period+s.each))} // when its last renewal begins
			all = append(all, interval{last.low + period + b.low, last.high + s.each + period + b.high})
		}
	}
	return all
}

// later returns the ranges of how long after a leader has taken the lock it can renew in another second.
func (s *seconds) later() (all []interval) {
	period, pause := s.c.RetryPeriod, s.most(s.e.MaxPause)
	if !s.onTicks() {
		return []interval{{0, s.longest}}
	}
	for n := time.Duration(1); s.soonest(n*period-pause) <= s.longest; n++ {
		all = append(all, interval{n*period - pause, n * (period + s.each)})
	}
	return all
}

// count returns how many turns can follow, and stores that; it is negative where that is not known. x is the part in which the one leader
// has just taken the lock, and y that of the other one.
func (s *seconds) count(x, y int) (n int32) {
	at := &s.follow[x][y]
	if *at != 0 {
		return max(*at-1, open)
	}
	*at = open
	if n = s.next(0, x, y, 0); n < 0 {
		return open
	}
	for _, w := range s.later() {
		for to := max(parts, x+int(w.low/part)); to <= x+1+int(w.high/part); to++ {
			waits := max(w.low, time.Duration(to-x-1)*part)
			if s.soonest(waits) > s.longest {
				break
			}
			if n = s.next(n, to%parts, y, waits); n < 0 {
				return open
			}
		}
	}
	*at = n + 1
	return n
}

// next returns the larger one of n and the number of turns that can follow where a leader writes its first writes that look the same as
// its last one in the part x, w after it has taken the lock. It is negative where that is not known.
func (s *seconds) next(n int32, x, y int, w time.Duration) int32 {
	least := s.soonest(w)
	for _, t := range s.turns[y] {
		if t.high < least {
			continue
		}
		for to := y + int(max(t.low, least)/part); to <= y+1+int(t.high/part); to++ {
			more := s.count(to%parts, x)
			if more < 0 {
				return open
			}
			n = max(n, more+1)
		}
	}
	return n
}
