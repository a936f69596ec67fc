package bound

import "time"

// The times of a state, as indexes of its zone. Leader y has just taken the lock, with an attempt that began at took; x is the
// other leader.
const (
	took        = iota
	tookSecond  // when the second began in which it did so, on its clock
	tookThawed  // up to when it could have done so without a freeze since its success before
	seen        // when the first of x's writes was applied that look like its last one
	begun       // when the attempt with that write began
	begunSecond // and the second
	begunThawed // as tookThawed, where that attempt has taken the lock
	stateTimes
)

// The further times of a turn, as indexes of a zone: those of x's next turn, and of what y has written by then. The times from
// next on are those of the next state, in the same order.
const (
	last   = stateTimes + iota // when x began its last success
	polled                     // and its next poll
	next                       // and the attempt that takes the lock
	nextSecond
	nextThawed
	nextSeen
	nextBegun
	nextBegunSecond
	nextBegunThawed
	allTimes
)

// written says which writes of a leader in a turn look like its last one. If renewed is true, they are renewals; if it is false,
// they are the write that has taken the lock and the writes after it. left tells whether another attempt can follow in the poll
// that has taken the lock; it is false if renewed is true.
type written struct{ renewed, left bool }

// state is a situation before a turn of leader x: the zone of its times, what x has written, and, in left, whether another
// attempt can follow in the poll with which y has taken the lock.
type state struct {
	zone
	x    written
	left bool
}

// covers tells whether s has all values that o has, and is otherwise the same.
func (s *state) covers(o *state) bool {
	return s.x == o.x && s.left == o.left && s.zone.covers(&o.zone)
}

// zones counts the turns of two leaders. docs/method/derivation.md, "Zones", has the argument. All times are on the leader's clock.
type zones struct {
	*model
	taking
	layers[state]
	// aligned tells whether all attempts begin at ticks, or later only by freezes.
	aligned bool
	// pause is the longest freeze. success is how long the answers to one success take together, and answer is how long one
	// answer takes, at most. longest is the longest turn. apart is by how much two clocks differ in how long they show a turn to
	// last, at most.
	pause, success, answer, longest, apart time.Duration
	// fine: successes with a lost answer are told apart from others, whose answers take heard at most, and a freeze before the lock is
	// taken leaves less for later ones. All attempts begin at ticks then.
	fine  bool
	heard time.Duration
}

// inZones returns an upper bound of how many turns are possible beside the first of each leader. It returns 0 and false if it
// finds none within zoneSteps, or if it is not made for the configuration. t is what m.taking returns.
func (m *model) inZones(t taking) (n time.Duration, known bool) {
	if m.c.ReleaseOnCancel || m.c.onTwoObjects() {
		return 0, false
	}
	s := &zones{model: m, taking: t, aligned: m.aligned(), pause: m.most(m.e.MaxPause)}
	s.covers = (*state).covers
	s.success = min(m.most(m.longestOf(m.lossy())), m.c.RenewDeadline)
	s.answer, _ = m.calling()
	s.longest = time.Second + s.success + s.pause + m.c.RetryPeriod + t.last()
	if longest := m.slow(s.longest); m.e.MaxDriftPPM > 0 {
		s.apart = m.most(longest) - m.least(longest) + 2
	}
	// What a leader has renewed without an answer, in the poll in which it takes the lock back, takes too long.
	if s.shortestTurn(0) <= m.c.RenewDeadline {
		return 0, false
	}
	n, known = s.count(s.start(), s.tryTurn)
	if !known && s.aligned && m.followed() && m.c.Client == nil {
		s.fine, s.heard = true, min(m.most(m.longestOf(false)), s.success)
		n, known = s.count(s.start(), s.tryTurn)
	}
	return n, known
}

// shortestTurn returns the shortest length of a leader's turn. w is how long the other leader's turn has lasted, at least, when
// the first of the writes comes that look the same as its last one. Each leader has read the other's record.
func (s *zones) shortestTurn(w time.Duration) time.Duration {
	return s.after + s.least(s.fast(s.after)+s.fast(w))
}

// start returns all states that are possible before the first turn that is counted.
func (s *zones) start() []state {
	z := newZone(stateTimes)
	z.within(took, tookSecond, 0, time.Second-1)
	z.within(took, tookThawed, 0, s.pause)
	z.within(begun, begunSecond, 0, time.Second-1)
	z.within(begun, begunThawed, 0, s.pause)
	z.within(seen, begun, 0, s.success+s.pause)
	z.within(took, seen, s.after-s.apart, s.longest+s.apart)
	left := false
	for i := range s.begins {
		left = left || s.ticksLeft(i)
	}
	return []state{{z, written{renewed: true}, left}, {z, written{left: left}, left}}
}

// tryTurn adds to s.reached all states that are possible after x's next turn, and lowers s.steps. It stops when no steps remain;
// the states are then not complete.
func (s *zones) tryTurn(from *state) {
	z := newZone(allTimes)
	z.put(0, &from.zone, 0, stateTimes)
	same := z
	if same.within(nextBegun, took, 0, 0) && same.within(nextBegunSecond, tookSecond, 0, 0) &&
		same.within(nextBegunThawed, tookThawed, 0, 0) && same.within(nextSeen, nextBegun, 0, 2*s.answer+s.pause) {
		s.tryLengths(&same, from.x, written{left: from.left})
	}
	if !z.within(nextBegun, nextBegunSecond, 0, time.Second-1) || !z.within(nextBegun, nextBegunThawed, 0, 0) {
		return
	}
	for _, w := range s.toLaterSecond(from.left) {
		high := w.longest(s.pause)
		for second := time.Second; second-time.Second < high && s.steps > 0; second += time.Second {
			s.steps--
			later := z
			if later.within(nextBegun, took, w.low, high) && s.thaws(&later, nextBegun, tookThawed, &w) && later.within(nextBegunSecond, tookSecond, second, second) &&
				later.within(nextSeen, nextBegun, 0, s.success+s.pause) {
				s.tryLengths(&later, from.x, written{renewed: true})
			}
		}
	}
}

// tryLengths tries all lengths of x's turn, adds to s.reached the states that follow, and lowers s.steps; it ends once s.steps is
// 0. It adds nothing if the times in z allow no such turn. x and y are the writes of the two leaders that look like the last one
// of each; z has the times up to y's.
func (s *zones) tryLengths(z *zone, x, y written) {
	w := max(0, -z.later(took, nextBegun))
	if !z.most(nextSeen, next, s.apart-s.after) || !z.most(seen, next, -s.shortestTurn(w)) || !z.most(last, begunSecond, time.Second-1) {
		return
	}
	for _, l := range s.toLastSuccess(x) {
		s.steps--
		if s.steps <= 0 {
			return
		}
		if at := *z; at.within(last, begun, l.low, l.longest(s.pause)) && s.thaws(&at, last, begunThawed, &l) {
			for i := range s.begins {
				s.tryTaking(at, i, &l, x, y)
			}
		}
	}
}

// tryTaking tries a turn in which leader x takes the lock in range i of s.begins, and adds to s.reached the states that follow; none
// if such a turn is impossible. z, x and y are as in tryLengths, and z also has x's last success before it takes the lock: l leads
// to that success from the first of the writes in x. It lowers s.steps, and stops when no steps remain.
func (s *zones) tryTaking(z zone, i int, l *succession, x, y written) {
	answers := s.answers(1)
	switch {
	case l.later == 0 && l.answered && !x.renewed:
		answers = []interval{{0, 2 * s.answer}}
	case l.ticked && s.c.RetryPeriod+s.timeout >= s.c.RenewDeadline+s.pause:
		answers = answers[:1] // it has no time to lose one
	}
	for _, a := range answers {
		s.tryAnswers(z, a, i, l, x, y)
	}
}

// tryAnswers is tryTaking where the answers to x's last success take as long as the parameter answers says.
func (s *zones) tryAnswers(z zone, answers interval, i int, l *succession, x, y written) {
	b := s.begins[i]
	wait, frozen := answers.high+s.c.RetryPeriod, s.pause // from its last success
	take, both := wait+s.unfrozen[i], l.thawed(s.pause)
	if !z.within(polled, last, answers.low+s.c.RetryPeriod, wait+frozen) || !z.within(next, polled, b.low, b.high) ||
		!z.most(next, last, take+frozen) || !z.most(next, begun, take+both) ||
		!z.most(nextSeen, polled, s.reads[i]+s.apart) || !z.within(next, nextThawed, 0, frozen) || !z.most(nextThawed, last, take) {
		return
	}
	if l.answered && !x.renewed { // its Get comes before its write, which has taken the lock
		told := s.most(s.direct) + s.c.RetryPeriod
		if s.fine && l.later > 0 { // then l has no answers to the last success, which come before that poll
			told += answers.high
		}
		if !z.most(polled, seen, told+both) || !z.most(next, seen, told+s.unfrozen[i]+both) ||
			l.later == 0 && !z.most(next, begunThawed, take+frozen) {
			return
		}
	}
	least, most := -z.later(begunSecond, next), z.later(next, begunSecond)
	for second := least.Truncate(time.Second); second <= most && s.steps > 0; second += time.Second {
		s.steps -= 1 + len(s.reached)/20
		at := z
		if at.within(nextSecond, begunSecond, second, second) && at.within(next, nextSecond, 0, time.Second-1) {
			s.addReached(&at, y, s.ticksLeft(i))
		}
	}
}

// addReached adds the end of a turn to s.reached, with the clocks of both leaders as far apart as they can be by then.
func (s *zones) addReached(z *zone, y written, left bool) {
	o := state{newZone(stateTimes), y, left}
	o.put(0, z, next, stateTimes)
	for i := range stateTimes {
		for j := range stateTimes {
			if (i < seen) != (j < seen) {
				o.by[i*stateTimes+j] += s.apart
			}
		}
	}
	s.reach(&o)
}
