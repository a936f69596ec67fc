package bound

import (
	"errors"
	"fmt"
	"math"
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
	q, r, s, b := rate(m.c.Client), m.e.OtherQPS, float64(m.e.MostAtOnce()), float64(m.c.Client.Burst)
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
	waits := time.Duration(math.Ceil(m.waits(before, sends[:n-1]) * float64(time.Second)))
	return min(alone, all+m.slow(waits))
}

// fromFirst is inTurn of the calls of an attempt that acquires the lock, and of what follows, from when the first one leaves the limiter:
// nothing of what came RetryPeriod before counts, but that one's token does.
func (m *model) fromFirst(first time.Duration, sends ...time.Duration) time.Duration {
	later := first + m.inTurn(1+m.missing(m.most(first), 0), sends...)
	return min(later, m.inTurn(1, append([]time.Duration{first}, sends...)...))
}

// missing returns how many tokens are missing at most, at a time and for calls of the candidate itself at those times before, beyond what
// other traffic can take at once. All times are on the client's clock and in order.
//
// While a token is missing, what is missing and what other traffic may still take at once shrink together, by QPS − OtherQPS a second. Where
// none is missing it is the whole burst at most. So what counts is the calls since then.
func (m *model) missing(at time.Duration, calls ...time.Duration) (most float64) {
	if m.limited == 0 {
		return 0
	}
	for i, c := range calls {
		most = max(most, float64(len(calls)-i)-(rate(m.c.Client)-m.e.OtherQPS)*(at-c).Seconds())
	}
	return most
}

// ownBefore returns how many tokens the candidate itself has taken at most, of those that are missing as the last attempt of a chain begins,
// with the one of its first call. before is the calls of the attempt before the chain that can come just as the chain's first write.
func (m *model) ownBefore(c *Chain, first time.Duration, before int) float64 {
	if m.limited == 0 {
		return 1
	}
	calls := make([]time.Duration, before, before+perAttempt)
	calls = append(calls, 0, min(c.Gap, m.most(first)), min(c.Gap, m.most(first+m.sent)))
	// A call that waits, and after it a bucket that is full again, takes so many requests of other traffic.
	twice := perAttempt - float64(m.c.Client.Burst) + m.e.OtherQPS*c.Gap.Seconds()
	return 1 + max(twice, m.missing(c.Gap, calls...))
}

// waits returns how long calls of one attempt wait at most, all together and in seconds of the client's clock. gaps are the true times
// between the token of one and the next call, and before is as in inTurn. A slow clock is the worst: fewer tokens come in a gap.
func (m *model) waits(before float64, gaps []time.Duration) float64 {
	passed, most := make([]float64, len(gaps)), 0.0
	for i, d := range gaps {
		passed[i] = m.least(d).Seconds()
		most += m.most(d).Seconds()
	}
	alone := make([][]float64, len(gaps)+1)
	longest := 0.0
	for begins := range alone {
		own := 0.0
		if begins == 0 {
			own = before - 1
		}
		for ends, served := range m.stretch(own, passed[begins:]) {
			waits := max(0, served-sum(passed[begins:begins+ends]))
			alone[begins] = append(alone[begins], waits)
			longest = max(longest, waits)
		}
	}
	several := apart(alone)
	if len(gaps) == 0 || several <= longest {
		return longest
	}
	// Of several stretches: how much other traffic comes until the last call of all.
	span := most + m.waits(before, gaps[:len(gaps)-1])
	free := float64(m.e.MostAtOnce()) + before - 1 + m.e.OtherQPS*span
	return max(longest, min(several, free/rate(m.c.Client)+m.together(passed)-sum(passed)))
}

// apart returns the most that stretches of calls wait together, in seconds, if each waits as long as it may alone. alone has, for the first
// call of a stretch, how long each stretch from it waits: of one call, of two and so on.
func apart(alone [][]float64) float64 {
	best := make([]float64, len(alone)+1) // from that call on
	for begins := len(alone) - 1; begins >= 0; begins-- {
		best[begins] = best[begins+1]
		for ends, waits := range alone[begins] {
			best[begins] = max(best[begins], waits+best[begins+ends+1])
		}
	}
	return best[0]
}

// stretch returns of calls that wait one after the other when each of them gets its token at most, in seconds since the first one was called.
// The bucket is full before, but for own tokens of the candidate itself. gaps are the times between the token of one and the next call.
func (m *model) stretch(own float64, gaps []float64) []float64 {
	q, burst, size := rate(m.c.Client), float64(m.e.MostAtOnce()), float64(m.c.Client.Burst)
	served := make([]float64, 0, len(gaps)+1)
	called := 0.0
	for i := range len(gaps) + 1 {
		if i > 0 {
			called = max(called, served[i-1]) + gaps[i-1]
		}
		others := burst + m.e.OtherQPS*called
		if own == 0 && burst >= size { // the first call waits, so that requests before it come too early
			others = math.Floor(others + rounding)
		}
		served = append(served, (others+own+float64(i+1)-size)/q)
	}
	return served
}

// rounding is how much of a request is taken for an error of the arithmetic.
const rounding = 1e-6

// together returns the most that two or more stretches of calls make of what their calls and the times between all calls add up to, in seconds:
// each call of a stretch is worth a token, a stretch costs the burst, and times within a stretch do not count.
func (m *model) together(gaps []float64) float64 {
	q := rate(m.c.Client)
	none := math.Inf(-1)
	// So many stretches so far, two standing for more; and whether the last call is in one.
	const most = 2
	var in, out [most + 1]float64
	for n := range in {
		in[n], out[n] = none, none
	}
	out[0] = 0
	for i := range len(gaps) + 1 {
		gap := 0.0
		if i > 0 {
			gap = gaps[i-1]
		}
		var nextIn, nextOut [most + 1]float64
		for n := range nextIn {
			nextOut[n] = max(in[n], out[n]) + gap
			nextIn[n] = in[n] + 1/q
			for _, before := range []int{n - 1, n} {
				if before == n-1 && n > 0 || before == most {
					nextIn[n] = max(nextIn[n], max(in[before], out[before])+gap+(1-float64(m.c.Client.Burst))/q)
				}
			}
		}
		in, out = nextIn, nextOut
	}
	return max(in[most], out[most])
}

// sum returns the sum of seconds.
func sum(all []float64) (total float64) {
	for _, d := range all {
		total += d
	}
	return total
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
