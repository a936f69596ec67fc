package bound

import (
	"errors"
	"fmt"
	"math"
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// This file is what a client adds to the round trips of its requests: docs/method/derivation.md, "The client's own waits".

// The longest that the arithmetic takes of each.
const (
	// MaxRetryAfter is the longest Retry-After.
	MaxRetryAfter = time.Hour
	// maxWait is the longest wait in a client's limiter.
	maxWait = 24 * time.Hour
)

// conflicts is how often a release reads and writes at most. It does so once, and once more after each conflict. It can conflict
// with the takeover, and with two writes in each of its successor's first three attempts.
const conflicts = 8

// ErrNoWait is the error for a client in whose limiter requests can wait without end, or for longer than can be judged.
var ErrNoWait = errors.New("no bound is known for the wait in the client's limiter")

// clientUnknown returns an error that wraps ErrNoBound if no bound is known for the configuration together with its client. It
// returns nil if the waits of the client can be computed, and if Client is nil, since they are then a part of MaxRoundTrip.
func (c *Config) clientUnknown() error {
	p := &c.Profile
	switch {
	case c.Client == nil:
	case p.Client != machine.OfClientGo:
		return fmt.Errorf("%w together with a client's limiter and retries; want no client, or profile %s", ErrNoBound, machine.ClientGo.Name)
	case c.Lock.Expires():
		return fmt.Errorf("%w: lock %s is not asked for through a client of Kubernetes, so that there is no limiter; want no client",
			ErrNoBound, c.Lock)
	}
	return nil
}

// endlessWait returns an error that wraps ErrNoWait if a request can wait for a token for ever, or for longer than maxWait.
// Otherwise, and where the client has no limiter, it returns nil.
func endlessWait(c *Config, e *Environment) error {
	if !c.Client.Limits() {
		return nil
	}
	if q := rate(c.Client); e.spoils()*e.OtherQPS >= q {
		twice := ""
		if e.Reruns {
			twice = ", each of which can cost a cancelled call its token (reruns)"
		}
		return fmt.Errorf("%w: the client's limiter lets %v requests a second pass, and other traffic may be %v a second%s, so that a "+
			"request may wait for ever; want less other traffic (otherQPS) or a higher qps", ErrNoWait, c.Client.QPS, e.OtherQPS, twice)
	}
	m := &model{c: c, e: e}
	if _, ok := m.wait(m.atOnce(true)); !ok {
		return fmt.Errorf("%w: a request may wait for more than %v in the client's limiter; want less other traffic or a higher qps",
			ErrNoWait, maxWait)
	}
	return nil
}

// spoils returns how many tokens a request of other traffic costs at most: 1, or 2 with Reruns. A call that is cancelled while it
// waits gets its token back, unless another request was made after it. An elector that runs again can be cancelled once for each
// request of other traffic.
func (e *Environment) spoils() float64 {
	if e.Reruns {
		return 2
	}
	return 1
}

// rate returns the client's QPS, rounded to a float32, which is its type in rest.Config.
func rate(c *plan.Client) float64 { return float64(float32(c.QPS)) }

// wait returns how long a request waits for a token at most, on the client's clock. It returns false where the wait has no end,
// or is maxWait or longer; and 0, true where the client has no limiter. own is how many calls the candidate itself makes at one
// instant: this call counts, retries do not.
func (m *model) wait(own float64) (time.Duration, bool) {
	if !m.c.Client.Limits() {
		return 0, true
	}
	q, r, s, b := rate(m.c.Client), m.e.OtherQPS, float64(m.e.MostAtOnce()), float64(m.c.Client.Burst)
	if q <= r*m.e.spoils() {
		return 0, false
	}
	longest := (s*m.e.spoils() + m.backlog() + 1 - b) / q
	if m.bounded() {
		longest = min(longest, (s+own*m.each()-b)/q)
	}
	if longest <= 0 {
		return 0, true
	}
	d := time.Duration(math.Ceil(longest*float64(time.Second))) + 1
	return d, longest < maxWait.Seconds()
}

// ClientWait returns how long a request waits for a token at most, in true time; 0 where Config.Client has no limiter. Where that
// wait has no end, so that Of returns ErrNoWait, it returns 0, too.
func ClientWait(c *Config, e *Environment) time.Duration { return newModel(c, e).limited }

// ClientTrip returns how long, in true time, a call that is answered takes at most: the wait for a token, the request, and the
// retries of it. Where the wait has no end, it is left out.
func ClientTrip(c *Config, e *Environment) time.Duration { return newModel(c, e).trip }

// Unhindered returns c and e themselves if c has no client, or one that adds something to round trips. If the client adds
// nothing, it returns copies without the client, which have the same worst case. A wait without end counts as nothing.
func Unhindered(c *Config, e *Environment) (*Config, *Environment) {
	m := newModel(c, e)
	if c.Client == nil || m.hinders() {
		return c, e
	}
	return m.calm()
}

// hinders tells whether the client adds something to round trips: waits for tokens, or retries.
func (m *model) hinders() bool { return m.limited > 0 || m.sent > m.direct || m.asleep() > 0 }

// asleep returns for how long, in true time, a call goes on at most after its deadline: client-go before v0.33 waits a Retry-After out,
// whatever ends meanwhile (rest/urlbackoff.go, Sleep), and so it waits before it sends a read again whose connection was closed. It
// returns 0 for later versions.
func (m *model) asleep() (longest time.Duration) {
	if !m.c.before(33) {
		return 0
	}
	if m.repeats() {
		longest = m.e.MaxRetryAfter
	}
	if m.c.Closes && m.c.RepeatsReads() {
		longest = max(longest, plan.RepeatAfter)
	}
	return m.slow(longest)
}

// awake returns the terms and, if asleep is above 0, a term of it.
func (m *model) awake(terms ...Term) []Term {
	if t := m.asleep(); t > 0 {
		terms = append(terms, Term{"retryAfter", t})
	}
	return terms
}

// countsApart tells whether nothing counts how often leaders take the lock back from each other. What counts that has no call that outlasts
// its poll, takes the ticks of a profile that reads first from times without waits of a client, and those of any other from a poll's start.
func (m *model) countsApart() bool {
	waits := m.c.Client != nil && m.hinders() && m.c.Profile.ReadsFirst()
	return waits || m.asleep() > 0 || m.c.dropsTicks() && m.c.Minor > 0
}

// calm returns copies of the configuration and the environment without the client, and without what the client adds to round
// trips.
func (m *model) calm() (*Config, *Environment) {
	c, e := *m.c, *m.e
	c.Client, e.MaxRoundTrip = nil, m.direct
	return &c, &e
}

// each returns how many tokens one call takes at most: one, and one more for each retry where the client repeats requests.
func (m *model) each() float64 {
	if m.repeats() {
		return 1 + plan.MaxRetries
	}
	return 1
}

// perPeriod returns how many requests a candidate makes in a RetryPeriod on average, at most. With ReleaseOnCancel it is twice as
// many. Retries do not count.
func (m *model) perPeriod() float64 {
	update, both := m.calls()
	if m.c.ReleaseOnCancel {
		return 2 * float64(update+both)
	}
	return float64(update + both)
}

// repeats tells whether the client perhaps repeats a request: it has retries, and an answer can ask it to wait and to try again.
func (m *model) repeats() bool { return m.c.Client.Repeats() && m.e.MaxRetryAfter > 0 }

// perAttempt is how many calls an attempt makes at most.
const perAttempt = 3

// atOnce returns the largest number of requests that a candidate makes at one instant. Retries do not count. The attempt that
// acquires the lock and the first one that renews it follow each other at once. With ReleaseOnCancel all reads and writes of a
// release are added to these. ticked says that an attempt can outlast a tick: then its last two calls and two more attempts
// follow each other at once, or all its calls do if the process is frozen before.
func (m *model) atOnce(ticked bool) float64 {
	update, both := m.calls()
	all := 2 * (update + both)
	if m.c.ReleaseOnCancel {
		all += conflicts * both
	}
	if ticked {
		all += both
	}
	if ticked && m.most(m.e.MaxPause) >= m.c.RetryPeriod {
		all += update
	}
	return float64(all) + m.moreClosed()
}

// clientWaits sets m.limited and the round trips of m where Config.Client is set. MaxRoundTrip is then the time of the network
// and the service alone.
func (m *model) clientWaits() {
	m.withWait(m.atOnce(false))
	if m.longestFailing()+m.most(m.e.MaxPause) >= m.c.RetryPeriod {
		m.withWait(m.atOnce(true))
	}
}

// withWait sets m.limited, m.sent, m.direct, m.marked, m.trip and m.answered, and m.gaveUp if there is a request timeout. It
// assumes that the candidate itself makes at most own calls at one instant.
func (m *model) withWait(own float64) {
	wait, _ := m.wait(own)
	m.limited, m.sent = m.slow(wait), m.e.MaxRoundTrip
	if m.repeats() {
		m.sent += plan.MaxRetries * (m.slow(m.e.MaxRetryAfter) + m.limited + m.e.MaxRoundTrip)
	}
	m.direct = m.e.MaxRoundTrip
	if f := m.slow(m.c.RequestTimeout); f > 0 {
		m.direct, m.sent = min(m.direct, f), min(m.sent, f)
		m.gaveUp = m.limited + f + m.asleep()
	}
	m.marked = m.direct
	if m.e.HiddenConflicts {
		m.marked = m.sent
	}
	m.trip = m.limited + m.sent
	m.answered = min(m.trip, m.slow(m.c.RenewDeadline))
}

// inTurn returns how long calls of one attempt take at most, one after the other, in true time. sends has how long each call
// takes from when it leaves the limiter. before has the candidate's own earlier calls: the calls of the attempt perhaps have to
// wait for tokens that these took.
func (m *model) inTurn(before []used, sends ...time.Duration) time.Duration {
	return m.inTurnBy(nil, nil, before, sends...)
}

// inTurnBy returns what inTurn returns. by limits the waits of the first calls, and begun is a stretch before them: see waits.
func (m *model) inTurnBy(by []time.Duration, begun *outlasting, before []used, sends ...time.Duration) time.Duration {
	all := total(sends)
	if m.limited == 0 {
		return all
	}
	alone := all + time.Duration(len(sends))*m.limited
	if m.repeats() || m.e.Reruns {
		return alone
	}
	waits := time.Duration(math.Ceil(m.waits(before, sends[:len(sends)-1], by, begun) * float64(time.Second)))
	return min(alone, all+m.slow(waits))
}

// fromFirst returns how long the calls of an attempt that acquires the lock take at most, in true time, from when the first call
// leaves the limiter until all are over. first is how long the first call takes, and sends has the calls after it, as in inTurn.
// Calls of the candidate that came at least a RetryPeriod before the attempt do not count, unless carried says that they do.
func (m *model) fromFirst(first time.Duration, sends ...time.Duration) time.Duration {
	return first + m.inTurn(m.beforeSecond(first), sends...)
}

// beforeSecond returns the candidate's own calls before the second one of an attempt that acquires the lock, as inTurn needs them. first
// is as in fromFirst.
func (m *model) beforeSecond(first time.Duration) []used {
	return append(m.carried(1, m.c.RetryPeriod+m.least(first)), used{1, m.least(first)})
}

// renewedAfter returns how long the first attempt of chain c and the last one take at most, in true time, from when the first call of the
// former leaves the limiter. The latter begins c.Gap after that at the latest. first and renewed are how long the first call of each takes.
func (m *model) renewedAfter(c *Chain, first, renewed time.Duration) time.Duration {
	first = min(first, m.slow(c.Gap))
	second, third := m.sent, m.sent
	before, begun := m.beforeSecond(first), (*outlasting)(nil)
	if c.Join == JoinTicked { // after calls of an attempt that outlasts a tick, and of the one before that, and it may fail
		second = m.tickedCall(c)
		third = max(second, m.slow(c.Gap)) // the last attempt begins at a tick, however soon the calls are over
		before = append(m.carried(0, 0), used{m.ofOutlasting(c.Gap) + 1, m.least(first)},
			used{2 * perAttempt, m.c.RetryPeriod - c.Gap + m.least(first)})
		begun = m.outlastsWaiting(c.begins, first)
	}
	by, left := make([]time.Duration, perAttempt), c.Gap-begun.waits()-m.least(first)
	for i, call := range []time.Duration{second, third, 0} {
		by[i], left = left, left-m.least(call)
		if m.e.MaxDriftPPM > 0 { // each of these times is rounded
			by[i] = max(0, by[i]) + 3
		}
	}
	return first + m.inTurnBy(by, begun, before, second, third, renewed, m.sent, m.sent)
}

// tickedCall returns how long the second call of the first attempt of chain c takes at most, in true time, if c is of JoinTicked. A call
// whose answer is lost is over before the last attempt begins, and so within c.Gap, unless the process is frozen.
func (m *model) tickedCall(c *Chain) time.Duration {
	if m.c.Closes || m.e.MaxPause > 0 || 0 < m.timeout && m.timeout <= c.Gap {
		return max(m.sent, m.lost(), m.slow(c.Gap))
	}
	return m.sent
}

// outlastsWaiting returns the stretch in which attempts of a poll outlast ticks, the last of them until less than a second before the next
// tick, if they can do so only by waiting for tokens. It returns nil if they may do so without waiting, and if freezes or too few tokens come
// in, or too many lost answers. begins is when the attempt after them begins, from the start of the poll, on the leader's clock. first is how
// long the first call of that attempt takes. docs/method/derivation.md, "What an attempt waits for that outlasts a tick".
func (m *model) outlastsWaiting(begins, first time.Duration) *outlasting {
	q, period, send := rate(m.c.Client), m.c.RetryPeriod.Seconds(), m.most(m.sent).Seconds()
	counts, come := math.Max(send, 1/q), (1-m.e.OtherQPS/q)*period // what a call is worth, and what a RetryPeriod brings
	if m.limited == 0 || m.e.MaxPause > 0 || !m.bounded() || period <= perAttempt*send || come < perAttempt*counts {
		return nil
	}
	worth, most := math.Inf(1), m.lostBefore(begins)
	if most > mostLost {
		return nil
	}
	joined := most == 0 && m.most(first).Seconds() < 1/q && send < 1/q // no time for a token after a call
	for lost := range most + 1 {
		ticks, attempts := m.outlasted(lost)
		lasts, given := period*float64(ticks)-1, m.timeout.Seconds()*float64(lost)
		calls := float64(perAttempt*attempts - lost)
		if lasts <= given+calls*send {
			return nil
		}
		cost := given + (calls+1)*counts
		switch {
		case joined:
			cost = calls / q
		case lost == 0:
			cost = math.Max(calls*send+1/q, send+calls/q)
		}
		worth = math.Min(worth, lasts-cost-lasts*m.e.OtherQPS/q)
		if lost > 0 && m.e.OtherQPS > 0 {
			worth -= 1 / q // since others counts whole requests
		}
	}
	lasts := 2*period - 1
	own := float64(perAttempt) // just before the first attempt
	o := &outlasting{
		begins: -m.most(first).Seconds() - lasts, first: m.least(first).Seconds(),
		worth: worth + lasts*m.e.OtherQPS/q - (own-float64(m.c.Client.Burst))/q,
	}
	if joined {
		o.wait = 1/q - send
		o.begins, o.worth = o.begins-o.wait, o.worth+o.wait
	}
	if m.e.OtherQPS == 0 { // whole requests of other traffic have come
		o.worth = math.Ceil(o.worth*q-rounding) / q
	}
	return o
}

// mostLost is how many lost answers of a poll are tried: with more of them what they leave to waits is taken for nothing.
const mostLost = 50

// mostLossless is how many ticks a request timeout may have, so that what comes before it is over counts apart.
const mostLossless = 100

// lossless returns the time of a poll before which no answer can have been lost, on the leader's clock. It matters where tokens are missing
// after what else takes so long. It returns 0 where no call waits, and where it would take long to compute with.
func (m *model) lossless() time.Duration {
	if m.limited == 0 || m.timeout/m.c.RetryPeriod > mostLossless {
		return 0
	}
	return m.timeout
}

// lostBefore returns how many answers can be lost in a poll before an attempt that begins after the given time of it: none before
// lossless, and later no more than in the whole poll.
func (m *model) lostBefore(begins time.Duration) int {
	if !m.lossy() || begins < m.lossless() {
		return 0
	}
	return int(m.c.RenewDeadline / m.timeout)
}

// outlasted returns how many ticks come at least until the one after attempts that each outlast a tick, and how many attempts these can be, if
// so many of their answers are lost. Each attempt outlasts a tick of its own, and each lost answer as many as fit into a request timeout.
func (m *model) outlasted(lost int) (ticks, attempts int) {
	least := max(1, (lost+1)/2) // an attempt loses two answers at most
	if lost == 0 {
		return least + 1, least
	}
	each := int(m.timeout / m.c.RetryPeriod)
	ticks = max(least, int(time.Duration(lost)*m.timeout/m.c.RetryPeriod)) + 1
	return ticks, max(least, ticks-1-lost*max(0, each-1))
}

// justBefore returns, as one element, how many tokens the candidate's own earlier calls can have taken when the first call of an attempt
// comes. If bounded is true, these calls are those of ofOutlasting, and a whole attempt after that, and their
// tokens are no more than backlog. Otherwise all earlier calls count: see carried. It returns nil if no call waits for a token.
func (m *model) justBefore() []used { return m.takenBy(m.ofOutlasting(0) + perAttempt) }

// ofOutlasting returns how many calls of an attempt that outlasts a tick can come less than a RetryPeriod before the second next attempt
// begins, if the next attempt begins gap before that one, on the leader's clock: two, or three if the process can be frozen before the first
// call for as long as that takes.
func (m *model) ofOutlasting(gap time.Duration) float64 {
	if m.most(m.e.MaxPause) >= m.c.RetryPeriod-gap {
		return perAttempt
	}
	return perAttempt - 1
}

// takenBy returns what justBefore returns, for that number of calls.
func (m *model) takenBy(calls float64) []used {
	if m.limited == 0 {
		return nil
	}
	if before := m.carried(0, 0); before != nil {
		return before
	}
	return []used{{min(calls, m.backlog()), 0}}
}

// backlog returns how many tokens can be missing at most when a call of the candidate gets its token. It does not count the burst
// of other traffic.
//
// While a token is missing, what is missing and what other traffic can still take at once shrink together, by QPS − OtherQPS a
// second. When a call gets its token, what is missing is the bucket and what other traffic has taken while the call waited.
// Suppose that the sum, beyond the burst, was the bucket and x before. Then it is at most the bucket and (1 + x) · OtherQPS / QPS
// now. So x grows to OtherQPS / (QPS − OtherQPS) at most.
func (m *model) backlog() float64 {
	all := float64(m.c.Client.Burst) + m.e.OtherQPS/(rate(m.c.Client)-m.e.OtherQPS)
	if m.c.ReleaseOnCancel { // who is cancelled as its call waits leaves that one's token behind
		all++
	}
	return all
}

// carried returns, as one element, how many tokens can be missing at most because of all earlier calls of the candidate, however
// many they were, and since when. calls is how many calls it has made since it last waited for a RetryPeriod. ago is how long
// before now the last call before that wait got its token, on the client's clock. It returns nil if no call waits for a token,
// and if the calls before that wait do not count because bounded is true.
func (m *model) carried(calls float64, ago time.Duration) []used {
	if m.limited == 0 || m.bounded() {
		return nil
	}
	if calls > (rate(m.c.Client)-m.e.OtherQPS)*ago.Seconds() {
		return []used{{m.backlog(), 0}}
	}
	return []used{{m.backlog() + calls, ago}}
}

// ownBefore returns the candidate's own calls before the last attempt of chain c; nil if no call waits. first is how long the
// first call of the chain takes, in true time, from when it leaves the limiter.
func (m *model) ownBefore(c *Chain, first time.Duration) []used {
	if m.limited == 0 {
		return nil
	}
	all, own := m.carried(perAttempt, m.c.RetryPeriod+c.Gap), []used{{perAttempt, c.Gap}}
	if c.Join == JoinTicked {
		// Two more attempts come before, which begin at ticks that differ. So the last two calls of the former one come before the first tick, and the
		// last attempt of the chain begins at the second one after that.
		all, own = m.carried(0, 0), []used{{perAttempt + m.ofOutlasting(c.Gap), c.Gap}, {3*perAttempt - 1, m.c.RetryPeriod}}
	}
	all = append(all, own...)
	all = append(all, used{perAttempt - 1, c.Gap - min(c.Gap, m.most(first))}, used{perAttempt - 2, c.Gap - min(c.Gap, m.most(first+m.sent))})
	// A call that waits, and after it a bucket that is full again, takes so many requests of other traffic.
	for _, u := range own {
		twice := u.tokens - rate(m.c.Client)*(u.ago-c.Gap).Seconds() - float64(m.c.Client.Burst) + m.e.OtherQPS*(u.ago+m.most(m.e.MaxPause)).Seconds()
		if twice > 0 {
			all = append(all, used{twice, 0})
		}
	}
	return all
}

// total returns the sum of durations.
func total(all []time.Duration) (sum time.Duration) {
	for _, d := range all {
		sum += d
	}
	return sum
}

// bounded tells whether the candidate never takes more tokens than come in meanwhile. A token that it has taken then counts
// for one RetryPeriod only. It is false with Reruns.
func (m *model) bounded() bool { return m.refills(m.moreClosed()) && !m.e.Reruns }

// moreClosed returns how many tokens a candidate takes beside those of its calls, at one instant or in a RetryPeriod, at most: one for a
// read that is sent again since its connection was closed. Without m.c.Closes it returns 0.
func (m *model) moreClosed() float64 {
	if m.c.Closes && m.c.RepeatsReads() {
		return 1
	}
	return 0
}

// refills tells whether the tokens that come in during a RetryPeriod, without those for other traffic, exceed the tokens that
// the candidate takes in that time by at least the number given as more.
func (m *model) refills(more float64) bool {
	return (rate(m.c.Client)-m.e.OtherQPS)*m.c.RetryPeriod.Seconds() >= m.each()*m.perPeriod()+more
}

// waitTerms splits t, the term of an attempt. It returns t without the waits of the client, and after it the terms "limiter" and
// "retries" where they are above 0. lost says that the attempt's first answer is lost. Without a client it returns t alone.
func (m *model) waitTerms(t Term, lost bool) []Term {
	if m.c.Client == nil {
		return []Term{t}
	}
	plain := perAttempt * m.direct
	if lost {
		plain += m.lostWrite() - m.direct
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
