package bound

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
)

// This file is what a client adds to the round trips of its requests: docs/derivation.md, "The client's own waits".

// The longest that the arithmetic takes of each.
const (
	// MaxRetryAfter is the longest Retry-After.
	MaxRetryAfter = time.Hour
	// maxWait is the longest wait in a client's limiter.
	maxWait = 24 * time.Hour
)

// How many requests a candidate makes at one instant at most, before and with the one that waits: an attempt makes three. The attempt
// that acquires the lock and the first one that renews it follow each other at once. Where an attempt can outlast a tick, so do its last
// two requests and two more attempts. A release makes two requests, and two more after each conflict: with the takeover, and with the two
// writes of each of its successor's first three attempts.
const (
	perAttempt = 3
	atOnce     = 2 * perAttempt
	afterTicks = 2*perAttempt + 2
	// What it has taken with the first call of an attempt is less by the other two.
	firstAtOnce     = atOnce - 2
	firstAfterTicks = afterTicks - 2
	ofRelease       = 2 * 8
)

// ErrNoWait is the error for a client whose requests may wait for longer than can be judged.
var ErrNoWait = errors.New("no bound is known for the wait in the client's limiter")

// clientUnknown returns why the client's waits are not known, as an error that wraps ErrNoBound; nil where they are, or are part of the
// environment's round trip.
func (c *Config) clientUnknown() error {
	p := &c.Profile
	switch {
	case c.Client == nil:
	case p.Client != machine.OfClientGo, p.CountsFromRenewal(), p.ReadsFirst():
		return fmt.Errorf("%w together with a client's limiter and retries; want no client, or profile %s", ErrNoBound, machine.ClientGo.Name)
	case c.Lock.Expires():
		return fmt.Errorf("%w: lock %s is not asked for through a client of Kubernetes, so that there is no limiter; want no client",
			ErrNoBound, c.Lock)
	case c.onTwoObjects():
		return fmt.Errorf("%w: lock %s makes several requests for each call, whose waits are not derived; want no client", ErrNoBound, c.Lock)
	}
	return nil
}

// endlessWait returns why the wait for a token has no bound, as an error that wraps ErrNoWait; nil where it has one.
func endlessWait(c *Config, e *Environment) error {
	if !c.Client.Limits() {
		return nil
	}
	if q := rate(c.Client); e.OtherQPS >= q {
		return fmt.Errorf("%w: the client's limiter lets %v requests a second pass, and other traffic may be %v a second, so that a "+
			"request may wait for ever; want less other traffic (otherQPS) or a higher qps", ErrNoWait, c.Client.QPS, e.OtherQPS)
	}
	if _, ok := (&model{c: c, e: e}).wait(ofRelease); !ok {
		return fmt.Errorf("%w: a request may wait for more than %v in the client's limiter; want less other traffic or a higher qps",
			ErrNoWait, maxWait)
	}
	return nil
}

// rate returns how many requests a second pass: rest.Config has a float32.
func rate(c *plan.Client) float64 { return float64(float32(c.QPS)) }

// wait returns how long a request waits for a token at most, on the client's clock; false where that is more than maxWait. own is how
// many tokens the candidate itself takes at one instant, that one included.
func (m *model) wait(own float64) (time.Duration, bool) {
	if !m.c.Client.Limits() {
		return 0, true
	}
	q, r, s, b := rate(m.c.Client), m.e.OtherQPS, float64(m.e.OtherBurst), float64(m.c.Client.Burst)
	if q <= r {
		return 0, false
	}
	// Requests of the candidate wait for each other: each finds, of what was there when the one before was sent, nothing.
	longest := (1 + s) / (q - r)
	if m.bounded() {
		longest = min(longest, (s+own*m.each()-b)/q)
	}
	if longest <= 0 {
		return 0, true
	}
	d := time.Duration(math.Ceil(longest*float64(time.Second))) + 1
	return d, longest < maxWait.Seconds()
}

// ClientWait returns how long a request waits for a token at most, in true time.
func ClientWait(c *Config, e *Environment) time.Duration { return newModel(c, e).limited }

// ClientTrip returns how long a call takes at most that is answered, in true time: the wait, and then the request and what repeats it.
func ClientTrip(c *Config, e *Environment) time.Duration { return newModel(c, e).trip }

// Unhindered returns a configuration and an environment that differ from c and e only where the client of c adds nothing to round trips:
// they are then those without a client. Otherwise they are c and e.
func Unhindered(c *Config, e *Environment) (*Config, *Environment) {
	m := newModel(c, e)
	if c.Client == nil || m.hinders() {
		return c, e
	}
	return m.calm()
}

// hinders tells whether the client adds something to round trips.
func (m *model) hinders() bool { return m.limited > 0 || m.sent > m.direct }

// calm returns the configuration and the environment without what the client adds to round trips.
func (m *model) calm() (*Config, *Environment) {
	c, e := *m.c, *m.e
	c.Client, e.MaxRoundTrip = nil, m.direct
	return &c, &e
}

// each returns how many tokens a call takes at most.
func (m *model) each() float64 {
	if m.repeats() {
		return 1 + plan.MaxRetries
	}
	return 1
}

// perPeriod returns how many calls a candidate makes in a RetryPeriod, at most and on average.
func (m *model) perPeriod() float64 {
	if m.c.ReleaseOnCancel {
		return 2 * perAttempt
	}
	return perAttempt
}

// repeats tells whether the client repeats requests, as the server asks it to.
func (m *model) repeats() bool { return m.c.Client.Repeats() && m.e.MaxRetryAfter > 0 }

// clientWaits sets the round trips of a client with waits of its own. The service's own are MaxRoundTrip.
func (m *model) clientWaits() {
	own := float64(atOnce)
	if m.c.ReleaseOnCancel {
		own += ofRelease
	}
	m.withWait(own)
	if m.longestFailing()+m.most(m.e.MaxPause) >= m.c.RetryPeriod {
		m.withWait(own + afterTicks - atOnce)
	}
}

// withWait sets the round trips where the candidate itself takes own tokens at one instant.
func (m *model) withWait(own float64) {
	wait, _ := m.wait(own)
	m.limited, m.sent = m.slow(wait), m.e.MaxRoundTrip
	if m.repeats() {
		m.sent += plan.MaxRetries * (m.slow(m.e.MaxRetryAfter) + m.limited + m.e.MaxRoundTrip)
	}
	m.direct = m.e.MaxRoundTrip
	if f := m.slow(m.c.RequestTimeout); f > 0 {
		m.direct, m.sent = min(m.direct, f), min(m.sent, f)
		m.gaveUp = m.limited + f
	}
	m.marked = m.direct
	if m.e.HiddenConflicts {
		m.marked = m.sent
	}
	m.trip = m.limited + m.sent
	m.answered = min(m.trip, m.slow(m.c.RenewDeadline))
}

// inTurn returns how long calls of one attempt take at most, one after the other and in true time: each of sends is how long one takes
// once it has left the limiter. before is how many tokens the candidate itself has taken at the instant of the first call, that one
// included.
//
// Where the wait of a call is over, the candidate finds of its own doing nothing in the bucket, and full it is after a long while alone.
// So calls that wait are in stretches, each of which begins with a full bucket: in one with c calls the last of them has its token after
// (A + c − Burst) / QPS, whatever else happens between its calls. A is the other traffic in it. All stretches share the burst.
func (m *model) inTurn(before float64, sends ...time.Duration) time.Duration {
	all, n := total(sends), len(sends)
	if m.limited == 0 {
		return all
	}
	alone := all + time.Duration(n)*m.limited
	if m.repeats() || !m.bounded() {
		return alone
	}
	tokens := time.Duration(math.Ceil(m.lastToken(before, sends[:n-1]) * float64(time.Second)))
	return min(alone, max(all, m.slow(tokens)+sends[n-1]))
}

// fromFirst is inTurn of the calls of an attempt that acquires the lock, and of what follows, from when the first one leaves the limiter:
// nothing of what came RetryPeriod before counts, but that one's token does.
func (m *model) fromFirst(first time.Duration, sends ...time.Duration) time.Duration {
	return min(first+m.inTurn(2, sends...), m.inTurn(1, append([]time.Duration{first}, sends...)...))
}

// lastToken returns how long after the first of some calls the last one gets its token at most, in seconds of the client's clock, if any
// of them waits. gaps are the true times between the token of one and the next call.
func (m *model) lastToken(before float64, gaps []time.Duration) float64 {
	q, r, size := rate(m.c.Client), m.e.OtherQPS, float64(m.c.Client.Burst)
	free := float64(m.e.OtherBurst) + before - 1
	sorted := slices.Sorted(slices.Values(gaps))
	// Of one stretch with so many calls: when its last call comes at most, and when that gets its token.
	called, served := 0.0, 0.0
	longest := 0.0
	for i := range len(gaps) + 1 {
		if i > 0 {
			called = max(called, served) + m.most(gaps[i-1]).Seconds()
		}
		served = (free + r*called + float64(i+1) - size) / q
		longest = max(longest, served+m.most(total(sorted[i:])).Seconds())
	}
	if len(gaps) == 0 {
		return longest
	}
	// Of several together: how much other traffic comes until the last call of all.
	span := max(m.lastToken(before, gaps[:len(gaps)-1]), m.most(total(gaps[:len(gaps)-1])).Seconds()) + m.most(gaps[len(gaps)-1]).Seconds()
	for stretches := 2; stretches <= len(gaps)+1; stretches++ {
		for waiting := stretches; waiting <= len(gaps)+1; waiting++ {
			tokens := free + r*span + float64(waiting) - float64(stretches)*size
			longest = max(longest, tokens/q+m.most(total(sorted[waiting-stretches:])).Seconds())
		}
	}
	return longest
}

// total returns the sum of durations.
func total(all []time.Duration) (sum time.Duration) {
	for _, d := range all {
		sum += d
	}
	return sum
}

// bounded tells whether the candidate itself takes no more tokens than come, so that what it has taken counts for a RetryPeriod alone.
func (m *model) bounded() bool {
	return (rate(m.c.Client)-m.e.OtherQPS)*m.c.RetryPeriod.Seconds() >= m.each()*m.perPeriod() && !m.e.Reruns
}

// waitTerms returns the term of an attempt, and after it terms for what of that is waits of the client. lost tells that its first answer
// is lost.
func (m *model) waitTerms(t Term, lost bool) []Term {
	if m.c.Client == nil {
		return []Term{t}
	}
	plain := perAttempt * m.direct
	if lost {
		plain += m.lost() - m.direct
	}
	repeated := min(max(0, t.Time-plain), perAttempt*max(0, m.sent-m.direct))
	limited := max(0, t.Time-plain-repeated)
	t.Time -= limited + repeated
	all := []Term{t}
	for _, w := range []Term{{"limiter", limited}, {"retries", repeated}} {
		if w.Time > 0 {
			all = append(all, w)
		}
	}
	return all
}
