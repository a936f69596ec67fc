package bound

import "time"

// succession is how long it can take, without freezes, from one success of a leader to a later one. later is how many successes
// lie between, counting the later one: 0 where that is not counted. answered says that the first of the two is answered.
type succession struct {
	interval
	later    time.Duration
	answered bool
}

// longest returns the longest time from the one success to the other if each freeze lasts for pause. One freeze is shared by two
// steps from one success to the next.
func (l *succession) longest(pause time.Duration) time.Duration { return l.high + (l.later+1)/2*pause }

// ticksLeft tells whether another attempt can follow in the poll in which a leader has taken the lock, by an attempt that began in
// range i of s.begins: a tick must come after that attempt's beginning and before RenewDeadline. If a freeze of a RetryPeriod or
// longer has delayed the attempt, a tick can have come during the freeze and been kept; it counts, too. ticksLeft is also false
// where its callers need not know: without freezes, and if attempts begin at other times than ticks (s.aligned is false).
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

// afterTaking returns how long it can take from the success that has taken the lock to each later success, as far as that time is
// below most. left says that a tick can still come in the poll that has taken the lock; see ticksLeft.
func (s *zones) afterTaking(most time.Duration, left bool) (all []succession) {
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

// toLaterSecond returns how long it can take from the success that takes the lock to a renewal in another second. left says that
// a tick can still come in the poll that has taken the lock.
func (s *zones) toLaterSecond(left bool) []succession {
	third := succession{interval{2 * s.least(s.takeover()), s.longest}, 0, false} // another leader has had a turn
	most := s.most(s.slow(max(0, s.longest-s.shortestTurn(0)))) + 5               // or else the other one's turn is too long
	return append(s.afterTaking(most, left), third)
}

// toLastSuccess returns how long it can take from the first of x's writes that look the same to x's last success. The first
// element of the result is for a leader that has no other success.
func (s *zones) toLastSuccess(x written) []succession {
	period := s.c.RetryPeriod
	all := []succession{{answered: true}}
	switch {
	case !x.renewed:
		return append(all, s.afterTaking(time.Second, x.left)...)
	case !s.aligned:
		return append(all, succession{interval{1, time.Second}, 0, false})
	}
	for n := time.Duration(1); n*period-s.pause < time.Second; n++ {
		all = append(all, succession{interval{max(1, n*period-s.pause), n * (period + s.success)}, n, false})
	}
	return all
}

// aligned tells whether each attempt of a poll begins at a tick, as long as the process is not frozen.
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
