package bound

import (
	"iter"
	"time"
)

// The times of a situation in which leader y has just taken a blank, as indexes of its zones; x is the other leader. Both groups have
// the same order. A second is that of the leader's clock in which the attempt began. A thawed time is up to when the attempt could have
// begun without a freeze since the leader's success before.
const (
	blankBegun = iota // when y began the attempt that has taken the lock
	blankSecond
	blankThawed
	blankPolled // and the poll of that attempt
	blankRead   // and when its Get read the blank
	chainBegun  // when x began the first of the attempts whose writes look like its last one
	chainSecond
	chainThawed
	chainPolled // and the poll of that attempt, where it has taken the lock
	chainSeen   // and when its write was applied
	situationTimes
)

// The further times of a turn of x. Those from retaken on are the times of the next situation, in the same order.
const (
	lastSuccess = situationTimes + iota // when x began its last success
	retaken
	retakenSecond
	retakenThawed
	retakenPolled
	retakenRead
	rechained
	rechainedSecond
	rechainedThawed
	rechainedPolled
	rechainedSeen
	blankTimes
)

// situation is a set of times of two leaders. The zone real has true times. The zone shown has what the clock of each leader shows, and
// compares no times of two leaders. renewed tells whether x's chain begins with a renewal, and not with what has taken the lock.
type situation struct {
	real, shown zone
	renewed     bool
}

// covers tells whether z has all times that o has.
func (z *situation) covers(o *situation) bool {
	return z.renewed == o.renewed && z.real.covers(&o.real) && z.shown.covers(&o.shown)
}

// same leaves in z only what has each of n times, from time i on, equal to one of those from time j on. It returns false if nothing is left.
func (z *situation) same(i, j, n int) bool {
	for k := range n {
		if !z.real.within(i+k, j+k, 0, 0) || !z.shown.within(i+k, j+k, 0, 0) {
			return false
		}
	}
	return true
}

// blankZones counts turns of two leaders that take blanks.
type blankZones struct {
	*model
	layers[situation]
	// coarse: successes, ticks and answers of a turn are not told apart.
	coarse bool
	// rounded is by how much a timer can be late. pause is the longest freeze. attempt, reads and told are how long it takes, at most, until
	// an attempt has its answers, until its Get has its answer, and until a write has its answer. All are true times.
	rounded, pause, attempt, reads, told time.Duration
	// fails has when attempts of a poll can begin whose first attempt reads another leader's record, and blank the same where it reads a blank.
	// latest is the last of these times.
	fails, blank iter.Seq[turnKind]
	latest       time.Duration
	// idled is how often idle was called.
	idled int
}

// inBlankZones returns how often, at most, two leaders of a profile that releases blindly take the lock from each other. It returns 0 and
// false if it finds no limit within zoneSteps, or if it is not made for the configuration. docs/method/derivation.md, "Zones of blanks",
// has the argument.
func (m *model) inBlankZones() (n time.Duration, known bool) {
	update, both := m.calls()
	s := &blankZones{model: m, coarse: true, pause: m.e.MaxPause, reads: (both - update) * m.trip, told: m.told()}
	s.covers = (*situation).covers
	if m.e.MaxDriftPPM > 0 {
		s.rounded = 2
	}
	s.attempt = min(both*m.trip, m.slow(m.c.RenewDeadline)) + s.rounded
	s.fails, s.blank = m.polls(m.most(s.reads)+s.rounded), m.polls(m.most(s.attempt)+s.rounded)
	for p := range s.blank {
		s.latest = max(s.latest, p.high)
	}
	if m.c.Client != nil || s.longest() >= 2*m.takeover() {
		return 0, false
	}
	if n, known = s.count(s.start(), s.turn); known {
		return n, known
	}
	if s.coarse = false; m.c.onTwoObjects() || m.slow(m.c.RenewDeadline)+s.pause >= m.takeover() {
		s.fails = s.blank // the poll may have begun before the other leader took the lock
	}
	return s.count(s.start(), s.turn)
}

// longest returns the longest true time from when a leader's last write is applied to when it reads the next blank.
func (s *blankZones) longest() time.Duration {
	return s.told + min(s.slow(s.c.RetryPeriod+s.latest)+s.reads, s.slow(s.c.RetryPeriod+s.c.RenewDeadline)) + s.pause
}

// start returns all situations that are possible before the first turn that is counted.
func (s *blankZones) start() []situation {
	z := situation{real: newZone(situationTimes), shown: newZone(situationTimes)}
	s.takes(&z, blankBegun)
	s.begins(&z, chainBegun)
	s.apart(&z, chainSeen, chainBegun, 0, 0, s.attempt+s.pause)
	z.real.within(blankRead, chainSeen, s.takeover(), s.longest())
	taken := z
	s.apart(&taken, chainBegun, chainPolled, 0, s.c.RenewDeadline, s.pause)
	z.renewed = true
	return []situation{taken, z}
}

// later leaves in z only what has time i least later than time j, or more. Both are of one leader, and least is on its clock. It returns
// false if nothing is left.
func (s *blankZones) later(z *situation, i, j int, least time.Duration) bool {
	return z.shown.most(j, i, -least) && z.real.most(j, i, -s.fast(least))
}

// sooner leaves in z only what has time i no more than most later than time j, on the clock of the leader of both, and so much more in true
// time. It returns false if nothing is left.
func (s *blankZones) sooner(z *situation, i, j int, most, more time.Duration) bool {
	return z.shown.most(i, j, most+s.most(more)+s.rounded) && z.real.most(i, j, s.slow(most)+more)
}

// apart is later and sooner together.
func (s *blankZones) apart(z *situation, i, j int, least, most, more time.Duration) bool {
	return s.later(z, i, j, least) && s.sooner(z, i, j, most, more)
}

// begins leaves in z only what has an attempt, which began at time i, in its second, and frozen for no longer than pause before. It returns
// false if nothing is left.
func (s *blankZones) begins(z *situation, i int) bool {
	return z.shown.within(i, i+blankSecond, 0, time.Second-1) && s.apart(z, i, i+blankThawed, 0, 0, s.pause)
}

// takes leaves in z only what has an attempt, which began at time i, take the lock within its poll. It returns false if nothing is left.
func (s *blankZones) takes(z *situation, i int) bool {
	return s.begins(z, i) && s.later(z, i+blankRead, i, 0) && s.sooner(z, i+blankRead, i+blankThawed, 0, s.reads+s.pause) &&
		s.later(z, i, i+blankPolled, 0) && s.sooner(z, i+blankRead, i+blankPolled, s.c.RenewDeadline, s.pause)
}

// turn adds to s.reached all situations that are possible after x's next turn, and lowers s.steps. It stops when no steps remain; the
// situations are then not complete.
func (s *blankZones) turn(from *situation) {
	z := situation{newZone(blankTimes), newZone(blankTimes), from.renewed}
	z.real.put(0, &from.real, 0, situationTimes)
	z.shown.put(0, &from.shown, 0, situationTimes)
	if !s.takes(&z, retaken) || !s.begins(&z, rechained) || !s.apart(&z, rechainedSeen, rechained, 0, 0, s.attempt+s.pause) ||
		!z.real.most(rechainedSeen, retakenRead, -s.takeover()) || !z.real.most(retakenRead, blankRead, s.longest()) ||
		!s.later(&z, rechainedSeen, blankRead, 0) || !z.real.most(lastSuccess, blankRead, 0) || !s.later(&z, lastSuccess, chainBegun, 0) ||
		!z.shown.most(lastSuccess, chainSecond, time.Second-1) || !s.agree(&z) {
		return
	}
	if same := z; same.same(rechained, blankBegun, blankRead) && s.agree(&same) {
		s.lengths(&same, false)
	}
	for second := time.Second; second <= z.shown.later(rechained, blankSecond) && s.steps > 0; second += time.Second {
		late := z
		if !late.shown.within(rechainedSecond, blankSecond, second, second) || !s.later(&late, rechained, s.ticked(blankBegun), s.c.RetryPeriod) ||
			!s.later(&late, rechained, blankBegun, 1) {
			s.idle()
			continue
		}
		told := late
		if s.later(&told, rechained, blankRead, s.c.RetryPeriod) && s.agree(&told) {
			s.lengths(&told, true)
		}
		// Not told that it has taken the lock, it renews in the same poll.
		if s.sooner(&late, rechained, blankPolled, s.c.RenewDeadline, s.pause) && s.agree(&late) {
			s.lengths(&late, true)
		}
	}
}

// lengths adds to s.reached all situations that follow, and lowers s.steps. z has x's chain and y's; renewed is what y's begins with.
func (s *blankZones) lengths(z *situation, renewed bool) {
	wait := s.c.RetryPeriod + s.latest
	if s.coarse {
		if s.sooner(z, retakenRead, lastSuccess, wait, s.attempt+s.reads+s.pause) && s.agree(z) {
			s.seconds(z, renewed)
		}
		return
	}
	most := z.shown.later(lastSuccess, chainThawed)
	for n := time.Duration(0); n*s.c.RetryPeriod <= most && s.steps > 0; n++ {
		for lost := range s.mostLost(n) + 1 {
			at := *z
			if !s.succeeds(&at, n, lost) {
				s.idle()
				continue
			}
			untold := at
			if n == 0 || s.answered(&at, n, lost) {
				s.polled(&at, n, lost, renewed)
			}
			if n > 0 && s.unanswered(&untold) {
				s.polled(&untold, n, lost, renewed)
			}
		}
	}
}

// idle lowers s.steps for every 32nd of what is tried and turns out to be impossible at once: that costs much less than agree.
func (s *blankZones) idle() {
	if s.idled++; s.idled%32 == 0 {
		s.steps--
	}
}

// mostLost returns how many first attempts of polls can lose an answer, and be followed by others, in so many RetryPeriods.
func (s *blankZones) mostLost(periods time.Duration) time.Duration {
	if !s.lossy() || s.timeout+s.c.RetryPeriod > s.c.RenewDeadline {
		return 0
	}
	return (periods + 1) / 2
}

// frozen returns for how long a leader is frozen, at most, in so many times from one success to the next. Two that follow each other share
// a freeze.
func (s *blankZones) frozen(n time.Duration) time.Duration { return (n + 1) / 2 * s.pause }

// succeeds leaves in z only what has x's last success n RetryPeriods after the first of its chain, with so many lost answers, and its next poll
// after that. It returns false if nothing is left.
func (s *blankZones) succeeds(z *situation, n, lost time.Duration) bool {
	period, at := s.c.RetryPeriod, n*s.c.RetryPeriod+lost*s.timeout
	switch {
	case n == 0 && !(z.same(lastSuccess, chainBegun, 1) && s.sooner(z, retakenPolled, chainSeen, period, s.told+s.pause)),
		n > 0 && !(s.later(z, lastSuccess, s.ticked(chainBegun), at) && s.later(z, lastSuccess, chainBegun, 1) &&
			s.sooner(z, lastSuccess, chainBegun, at, n*s.attempt+s.frozen(n)) && s.sooner(z, lastSuccess, chainThawed, at, n*s.attempt+s.frozen(n+1))),
		!s.apart(z, retakenPolled, lastSuccess, period, period, s.attempt+s.pause),
		!z.real.most(retakenPolled, blankRead, s.slow(period)+s.told+s.pause),
		!s.sooner(z, retakenPolled, chainBegun, at+period, (n+1)*s.attempt+s.frozen(n+1)),
		!s.sooner(z, retakenPolled, chainThawed, at+period, (n+1)*s.attempt+s.frozen(n+2)):
		return false
	case z.renewed:
		return true
	case 2*lost > n && !s.sooner(z, chainBegun, chainPolled, 0, s.pause): // what has taken the lock was the first attempt of its poll
		return false
	}
	// What takes the lock is answered before RenewDeadline, if at all.
	by := s.c.RenewDeadline + at
	return (n == 0 || s.sooner(z, lastSuccess, chainPolled, by, (n-1)*s.attempt+s.frozen(n))) &&
		s.sooner(z, retakenPolled, chainPolled, by+period, n*s.attempt+s.frozen(n+1))
}

// ticked returns from which time RetryPeriods count until the attempt after one that began at time i. That is time i itself, but if a poll can have
// two ticks a leader that is frozen over the first one begins its attempt late, and not the next one.
func (s *blankZones) ticked(i int) int {
	if s.lastTick() > s.c.RetryPeriod {
		return i + blankThawed
	}
	return i
}

// answered leaves in z only what has the first success of x's chain answered. n and lost are as in succeeds. It returns false if nothing is left.
func (s *blankZones) answered(z *situation, n, lost time.Duration) bool {
	period := n * s.c.RetryPeriod
	return s.apart(z, lastSuccess, chainSeen, period, period+lost*s.timeout, s.told+(n-1)*s.attempt+s.frozen(n)) && s.agree(z)
}

// unanswered leaves in z only what has it not answered: what follows is in the same poll, where that is known. It returns false if nothing is left.
func (s *blankZones) unanswered(z *situation) bool {
	return (z.renewed || s.sooner(z, chainBegun, chainPolled, s.c.RenewDeadline-s.c.RetryPeriod, s.pause)) && s.agree(z)
}

// polled adds to s.reached the situations after each way in which x can take the lock in its next poll, and lowers s.steps. n and lost are as
// in succeeds, and renewed as in lengths.
func (s *blankZones) polled(z *situation, n, lost time.Duration, renewed bool) {
	for p := range s.fails {
		s.takesIn(*z, n, lost, p.interval, renewed)
	}
	// A poll's first attempt reads a blank only if y's lease can have run out by then.
	if z.real.most(rechainedSeen, retakenPolled, s.reads+s.pause-s.takeover()) && s.agree(z) {
		for p := range s.blank {
			s.takesIn(*z, n, lost, p.interval, renewed)
		}
	}
}

// takesIn is polled for an attempt that begins in range p of the poll.
func (s *blankZones) takesIn(z situation, n, lost time.Duration, p interval, renewed bool) {
	wait, answers := s.c.RetryPeriod+p.high, (n+1)*s.attempt+s.reads
	all := n*s.c.RetryPeriod + lost*s.timeout + wait
	if s.later(&z, retaken, retakenPolled, p.low) && s.sooner(&z, retaken, retakenPolled, p.high, s.pause) &&
		s.sooner(&z, retakenThawed, lastSuccess, wait, s.attempt) && z.real.most(retakenThawed, blankRead, s.slow(wait)+s.told) &&
		s.sooner(&z, retakenRead, chainBegun, all, answers+s.frozen(n+1)) &&
		s.sooner(&z, retakenRead, chainThawed, all, answers+s.frozen(n+2)) &&
		(n > 0 || s.sooner(&z, retakenThawed, chainSeen, wait, s.told)) && s.agree(&z) {
		s.seconds(&z, renewed)
	}
}

// seconds adds to s.reached the situations that follow, one for each second of x's clock in which it can take the lock, and lowers s.steps.
// renewed is as in lengths.
func (s *blankZones) seconds(z *situation, renewed bool) {
	least, most := -z.shown.later(chainSecond, retaken), z.shown.later(retaken, chainSecond)
	for second := least.Truncate(time.Second); second <= most && s.steps > 0; second += time.Second {
		s.steps -= len(s.reached) / 20
		if at := *z; at.shown.within(retakenSecond, chainSecond, second, second) && s.agree(&at) {
			s.addReached(&at, renewed)
		}
	}
}

// agree leaves in each zone of z only what the other one allows: in a true time a clock shows no more than the fastest one does, and no less
// than the slowest one. It returns false if nothing is left, and once s.steps is 0; it lowers s.steps by one.
func (s *blankZones) agree(z *situation) bool {
	s.steps--
	y := func(i int) bool { return i < chainBegun || i >= rechained }
	for i := range blankTimes {
		for j := range blankTimes {
			if i != j && y(i) == y(j) && !s.agreed(z, i, j) {
				return false
			}
		}
	}
	return s.steps > 0
}

// agreed is agree for how much later time i is than time j, which are of one leader.
func (s *blankZones) agreed(z *situation, i, j int) bool {
	real, shown := z.real.later(i, j), z.shown.later(i, j)
	switch {
	case real >= far/2:
	case real >= 0 && !z.shown.most(i, j, s.most(real)+s.rounded), real < 0 && !z.shown.most(i, j, s.rounded-s.least(-real)):
		return false
	}
	switch {
	case shown >= far/2:
		return true
	case shown >= 0:
		return z.real.most(i, j, s.slow(shown))
	}
	return z.real.most(i, j, s.rounded-s.fast(-shown))
}

// addReached adds the end of a turn to s.reached, with what y's chain begins with.
func (s *blankZones) addReached(z *situation, renewed bool) {
	o := situation{newZone(situationTimes), newZone(situationTimes), renewed}
	o.real.put(0, &z.real, retaken, situationTimes)
	o.shown.put(0, &z.shown, retaken, situationTimes)
	s.reach(&o)
}
