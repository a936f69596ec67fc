package bound

import "time"

// succession is how long it can be from one of a leader's successes to another, which is so many later, without freezes. answered is whether
// the first of them is answered.
type succession struct {
	interval
	later    time.Duration
	answered bool
}

// longest is the most that it can be with freezes: two from one success to the next share one.
func (l *succession) longest(pause time.Duration) time.Duration { return l.high + (l.later+1)/2*pause }

// ticksLeft tells whether a tick can be left in a poll that takes the lock in one of the ranges of when it can, where that makes a difference.
// A freeze that is no shorter than a RetryPeriod may leave one from before.
func (s *zones) ticksLeft(i int) bool {
	if !s.aligned || s.pause == 0 {
		return false
	}
	begins := s.begins[i].low
	if s.pause >= s.c.RetryPeriod {
		begins = min(begins, s.unfrozen[i])
	}
	return s.nextTick(begins) < s.c.RenewDeadline
}

// again returns how long it can be from what has taken the lock to a success after that, if that is not most or more. left tells whether a tick
// can be left in that poll.
func (s *zones) again(most time.Duration, left bool) (all []succession) {
	period, rest := s.c.RetryPeriod, s.c.RenewDeadline-s.lease() // of the poll that has taken the lock
	if !s.aligned {
		return []succession{{interval{1, rest}, 0, false}, {interval{period, most}, 0, false}}
	}
	for n := time.Duration(1); n*period < most; n++ {
		all = append(all, succession{interval{n * period, n * (period + s.success)}, n, true})
	}
	if !left {
		return all // nothing follows in that poll, or all is at ticks
	}
	// The first of them is in the same poll, and what has taken the lock may have been frozen over a tick.
	for n := time.Duration(0); n*period < most; n++ {
		all = append(all, succession{interval{n*period + max(1, period-s.pause), n*(period+s.success) + rest}, n + 1, false})
	}
	return all
}

// later returns how long after a leader has taken the lock it can renew in another second.
func (s *zones) later(left bool) []succession {
	third := succession{interval{2 * s.least(s.takeover()), s.longest}, 0, false} // another leader has had a turn
	most := s.most(s.slow(max(0, s.longest-s.soonest(0)))) + 5                    // or else the other one's turn is too long
	return append(s.again(most, left), third)
}

// alike returns how long it can be from the first of x's writes that look the same to its last success. The first is that there is no other.
func (s *zones) alike(x written) []succession {
	period := s.c.RetryPeriod
	all := []succession{{answered: true}}
	switch {
	case !x.renewed:
		return append(all, s.again(time.Second, x.left)...)
	case !s.aligned:
		return append(all, succession{interval{1, time.Second}, 0, false})
	}
	for n := time.Duration(1); n*period-s.pause < time.Second; n++ {
		all = append(all, succession{interval{max(1, n*period-s.pause), n * (period + s.success)}, n, false})
	}
	return all
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
