package bound

import "time"

// succession is how long it can take, without freezes, from one success of a leader to a later one. later is how many successes
// lie between, counting the later one: 0 where that is not counted. answered says that the first of the two is answered. ticked says that
// the later one surely begins at a tick after the beginning of its poll.
type succession struct {
	interval
	later    time.Duration
	answered bool
	ticked   bool
}

// longest returns the longest time from the one success to the other if each freeze lasts for pause. One freeze is shared by two
// steps from one success to the next.
func (l *succession) longest(pause time.Duration) time.Duration { return l.high + (l.later+1)/2*pause }

// thawed is as longest, from up to when the one success could have begun without a freeze.
func (l *succession) thawed(pause time.Duration) time.Duration { return l.high + (l.later/2+1)*pause }

// thaws leaves in z only what has time i no longer after time j, up to when a success could have begun without a freeze, than l says. It
// returns false if nothing is left. It does nothing unless s.fine.
func (s *zones) thaws(z *zone, i, j int, l *succession) bool {
	return !s.fine || z.most(i, j, l.thawed(s.pause))
}

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
		return []succession{{interval: interval{1, rest}}, {interval: interval{period, most}}}
	}
	for n := time.Duration(1); n*period < most; n++ {
		for _, a := range s.answers(n) {
			all = append(all, succession{interval{n*period + a.low, n*period + a.high}, n, true, false})
		}
	}
	if !left {
		return all // nothing follows in that poll, or all is at ticks
	}
	// The first of them is in the same poll, and what has taken the lock may have been frozen over a tick.
	for n := time.Duration(0); n*period < most; n++ {
		for _, a := range s.answers(n) {
			all = append(all, succession{interval{n*period + max(1, period-s.pause) + a.low, n*period + a.high + rest}, n + 1, false, false})
		}
	}
	return all
}

// answers returns how long the answers to n successes take together; n is a plain count. If s.fine, it has one range for each number of lost
// answers, the one without any first.
func (s *zones) answers(n time.Duration) (all []interval) {
	if !s.fine {
		return []interval{{0, n * s.success}}
	}
	all = []interval{{0, n * s.heard}}
	for lost := time.Duration(1); s.lossy() && lost <= n; lost++ {
		all = append(all, interval{lost * s.timeout, lost*s.success + (n-lost)*s.heard})
	}
	return all
}

// toLaterSecond returns how long it can take from the success that takes the lock to a renewal in another second. left says that
// a tick can still come in the poll that has taken the lock.
func (s *zones) toLaterSecond(left bool) []succession {
	third := succession{interval: interval{2 * s.least(s.takeover()), s.longest}} // another leader has had a turn
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
		return append(all, succession{interval: interval{1, time.Second}})
	}
	for n := time.Duration(1); n*period-s.pause < time.Second; n++ {
		least, untold := max(1, n*period-s.pause), n
		if s.fine { // the first one is told or, frozen over a tick, is followed by another one in its poll
			for _, a := range s.answers(n) {
				all = append(all, succession{interval{n*period + a.low, n*period + a.high}, n, true, false})
			}
			untold--
		}
		for _, a := range s.answers(untold) {
			all = append(all, succession{interval{least + a.low, n*period + a.high}, n, false, s.fine && n == 1})
		}
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
