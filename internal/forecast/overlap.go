package forecast

import (
	"math"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/plan"
)

// slowAttempts has upper bounds of the chances of what an overlap needs, apart from pauses: an attempt that succeeds so late that
// others have waited for the whole lease before the term ends which this success allows. docs/method/forecast-truth.md derives it. All
// are 1 where nothing is known.
type slowAttempts struct {
	// renewal is the chance that one attempt to renew is so slow. other is that of an attempt whose first request has failed, or
	// of one to acquire. ends is that of an attempt during which an episode ends.
	renewal, other, ends float64
	// succeeds is a lower bound of the chance that an attempt succeeds.
	succeeds float64
}

// slowerThan returns the chances that attempts take longer than limit, and in succeeds how likely an attempt succeeds at least.
func (s *setting) slowerThan(limit time.Duration) slowAttempts {
	c := &s.Candidate
	gaveUp := 0.0
	if c.RequestTimeout > 0 {
		gaveUp = s.above(c.RequestTimeout)
	}
	worst := s.failures()
	fails := min(1, worst.fails+worst.loses+gaveUp)
	l := slowAttempts{other: s.three(limit), ends: s.three(limit - c.RequestTimeout), succeeds: square(1 - fails)}
	l.renewal = l.other
	if !c.Profile.ReadsFirst() && !c.Lock.Expires() {
		l.renewal = min(l.other, s.tail(limit)+2*fails*l.other)
	}
	return l
}

// secondCompared is how much of a lease can be over for others before it has begun for its holder: others perhaps take all
// records that were written in one second for the same.
const secondCompared = time.Second

// overlapping returns the chances of what an overlap needs, by which overlaps are fewer than losses. All are 1 where nothing is
// known: with a recording, a release, a lock on two objects or a client that is not client-go, and if no term was seen to end
// when the setting was learned.
func (s *setting) overlapping() slowAttempts {
	c := &s.Candidate
	lasts := max(s.lasts, c.RetryPeriod+c.RenewDeadline)
	if s.Behaviour.Recorded != nil || s.lasts == 0 || s.endless || c.ReleaseOnCancel || len(c.Lock.Objects()) > 1 || c.Profile.Client != machine.OfClientGo {
		return slowAttempts{1, 1, 1, 1}
	}
	return s.slowerThan(s.counted() - lasts - c.Drain)
}

// withoutEpisodes returns a copy of the setting whose behaviour has no episodes.
func (s *setting) withoutEpisodes() *setting {
	calm, q, b := *s, *s.Question, *s.Behaviour
	b.Episodes, q.Behaviour, calm.Question = nil, &b, &q
	return &calm
}

// counted returns the shortest time that other candidates wait before they take the lock. It counts from the beginning of the
// attempt that wrote the record which they see.
func (s *setting) counted() time.Duration {
	c := &s.Candidate
	return c.LeaseDuration.Truncate(time.Second) - secondCompared - c.Lock.Unit() - c.RowPrecision()
}

// above returns the share of requests that are answered after more than d, at the worst of all times: the slowest of usual times
// and brownouts, times the largest factor of another brownout at the same time.
func (s *setting) above(d time.Duration) float64 {
	b, factor := s.Behaviour, 1.0
	for i := range b.Episodes {
		factor = max(factor, b.Episodes[i].Factor)
	}
	d = time.Duration(float64(d) / factor)
	share := b.RoundTrip.Above(d)
	for i := range b.Episodes {
		if trip := b.Episodes[i].RoundTrip; trip != nil {
			share = max(share, trip.Above(d))
		}
	}
	return share
}

// tail returns the share of requests that are over only after more than d, answered or given up, at the worst of all times.
func (s *setting) tail(d time.Duration) float64 {
	if f := s.Candidate.RequestTimeout; f > 0 && d >= f || d >= plan.LongestStall {
		return 0
	}
	return min(1, s.above(d)+s.failures().loses)
}

// failures returns the highest probabilities, at the worst of all times, that a request fails and that one is lost.
func (s *setting) failures() failures {
	worst := s.single
	for i := range s.Behaviour.Episodes {
		f := failuresOf(s.Behaviour.Episodes[i].Errors)
		worst.fails, worst.loses = max(worst.fails, f.fails), max(worst.loses, f.loses)
	}
	return worst
}

// three returns an upper bound of the chance that three requests together take longer than limit; an attempt has three at most.
// It is 1 for a limit of 0 or less. For the bound, the time of each request is rounded up.
func (s *setting) three(limit time.Duration) float64 {
	if limit <= 0 {
		return 1
	}
	const steps = 256
	var one, two, upTo [steps + 1]float64
	before := 1.0
	for i := range one {
		after := s.tail(limit / steps * time.Duration(i))
		one[i] = before - after
		before = after
		upTo[i] = 1 - after
	}
	for i, p := range one {
		for k, q := range one[:steps+1-i] {
			two[i+k] += p * q
		}
	}
	within := 0.0
	for i, p := range two {
		within += p * upTo[steps-i]
	}
	return max(0, 1-within)
}

// overlapsAtMost returns an upper bound of how many overlaps a window of the sample has on average, by what an overlap needs. It
// is +Inf where nothing is known, as for windows of pauses.
func (s *sample) overlapsAtMost(set *setting) float64 {
	lost := s.estimate(set, losses).High
	l := &set.late
	if s.episode < 0 {
		l = &set.usualLate
		// Each overlap ends in a loss, and what comes after a success does not depend on how long it took.
		return lost * min(1, l.other/max(l.succeeds, 1e-9))
	}
	attempts := 2*(s.length+set.lasts.Seconds())/set.Candidate.RetryPeriod.Seconds() + 2
	further := 0.0 // how many further episodes there are at most
	if s.further {
		further = 1
	}
	further += set.rate * s.length
	most := attempts*l.renewal + (4+lost)*l.other + (1+further)*l.ends
	for i := range set.Behaviour.Episodes {
		switch e := &set.Behaviour.Episodes[i]; {
		case e.Kind == behaviour.Pause && i == s.episode:
			return math.Inf(1)
		case e.Kind == behaviour.Pause || e.Kind == behaviour.Stall:
			most += e.Rate() / set.rate * further // a stall within the attempt that another one has begun
		}
	}
	return most
}
