package forecast_test

import (
	"fmt"
	"math"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/behaviour"
	"interregnum/internal/forecast"
	"interregnum/plan"
)

// truthCase is a question whose answer is known. docs/method/forecast-truth.md derives each.
type truthCase struct {
	name     string
	question forecast.Question
	truths   []truth
	// runs and length are the runs of TestTruthJudge. With a length of 0 each is a window around one episode. If second is not 0, the truth knows
	// of what two of them lose together that begin within that time.
	runs           int
	length, second time.Duration
}

const (
	ms  = time.Millisecond
	sec = time.Second
	day = 24 * time.Hour
	// trip is the usual round trip of most cases. An episode may begin while a request is under way: that is the share trip/(2 s) of
	// the time, and what happens then is not derived.
	trip = 10 * ms
	// cycle is the time between two renewals then.
	cycle = 2010 * ms
)

// asked returns a question about that many candidates of client-go with 15/10/2 s.
func asked(replicas int, b behaviour.Behaviour, changes ...func(*forecast.Question)) forecast.Question {
	q := forecast.Question{Replicas: replicas, Behaviour: &b, Candidate: plan.Candidate{
		Profile: machine.ClientGo, Lock: plan.Lease,
		Timings: machine.Timings{LeaseDuration: 15 * sec, RenewDeadline: 10 * sec, RetryPeriod: 2 * sec},
	}}
	if b.RoundTrip.At(0.5) == 0 {
		b.RoundTrip = behaviour.Constant(trip)
		q.Behaviour = &b
	}
	for _, change := range changes {
		change(&q)
	}
	return q
}

func timeout(d time.Duration) func(*forecast.Question) {
	return func(q *forecast.Question) { q.Candidate.RequestTimeout = d }
}

func timings(lease, deadline, retry time.Duration) func(*forecast.Question) {
	return func(q *forecast.Question) {
		q.Candidate.Timings = machine.Timings{LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: retry}
	}
}

func releasing(q *forecast.Question) { q.Candidate.ReleaseOnCancel = true }

// failing are the fates where requests fail with probability p, by an error that comes after a usual round trip.
func failing(p float64, takes time.Duration) []fate {
	return []fate{{1 - p, takes, true}, {p, takes, false}}
}

// losing are the fates where requests are lost with probability p.
func losing(p float64, takes time.Duration) []fate {
	return []fate{{1 - p, takes, true}, {p, never, false}}
}

func errorsOf(status int, p float64) behaviour.Behaviour {
	return behaviour.Behaviour{Errors: []behaviour.Error{{Status: status, Probability: p}}}
}

// episodes is the behaviour with one kind of episode.
func episodes(e behaviour.Episode) behaviour.Behaviour {
	return behaviour.Behaviour{Episodes: []behaviour.Episode{e}}
}

// truthCases returns all cases.
func truthCases() []truthCase {
	cases := append(usualCases(), messageCases()...)
	cases = append(append(cases, processCases()...), rolloutCases()...)
	return append(cases, replayCases()...)
}

// usualCases are those in which single requests go wrong.
func usualCases() []truthCase {
	errors := func(name string, p float64, replicas int, changes ...func(*forecast.Question)) truthCase {
		q := asked(replicas, errorsOf(500, p), changes...)
		poll := pollOf{lease: q.Candidate.LeaseDuration, deadline: q.Candidate.RenewDeadline, retry: q.Candidate.RetryPeriod, fates: failing(p, trip)}
		u := poll.usual()
		c := truthCase{name: name, question: q, truths: []truth{{losses, u.losses, 1e-3}}, runs: 40, length: 20 * hour}
		if replicas == 1 {
			c.truths = append(c.truths, truth{leaderless, u.leaderless, 3e-3})
		}
		return c
	}
	lost := func(name string, p float64, wait time.Duration) truthCase {
		poll := pollOf{lease: 15 * sec, deadline: 10 * sec, retry: 2 * sec, timeout: wait, fates: losing(p, trip)}
		u := poll.usual()
		return truthCase{name: name, question: asked(1, errorsOf(0, p), timeout(wait)), runs: 40, length: 40 * hour,
			truths: []truth{{losses, u.losses, 1e-3}, {leaderless, u.leaderless, 3e-3}}}
	}
	rare := lost("two of a thousand thousand lost", 1e-3, 6*sec)
	rare.runs, rare.truths[0].to = 0, 3e-4
	both := asked(1, behaviour.Behaviour{Errors: []behaviour.Error{{Status: 503, Probability: 5e-3}, {Probability: 5e-4}}}, timeout(6*sec))
	mixed := pollOf{lease: 15 * sec, deadline: 10 * sec, retry: 2 * sec, timeout: 6 * sec,
		fates: []fate{{1 - 5.5e-3, trip, true}, {5e-3, trip, false}, {5e-4, never, false}}}
	released := rare // what is lost, or not, of the release comes after the loss; the next candidate may begin earlier
	released.name, released.truths = "two of a thousand thousand lost, with a release", rare.truths[:1]
	released.question = asked(1, errorsOf(0, 1e-3), timeout(6*sec), releasing)
	rarest := errors("errors, one poll in a hundred million", rareError, 1)
	rarest.runs = 0
	return []truthCase{
		errors("half of all requests fail", 0.5, 1),
		errors("40 % fail, a sixth attempt fits", 0.4, 1, timings(20*sec, 10500*ms, 2*sec)),
		errors("40 % fail, three replicas", 0.4, 3),
		rarest,
		lost("one in twenty lost, timeout", 0.05, 3*sec),
		rare, released, {name: "some lost, ten times as many refused", question: both, truths: []truth{{losses, mixed.usual().losses, 3e-4}}},
		slowCase(20_000, 60*sec), slowCase(1_000_000, 20*sec), exitCase(), exponentialCase(), exponentialTimeoutCase(), strictCase(), quietCase(),
		missingCase(0.4), missingCase(0.1),
	}
}

// rareError is the probability of an error with which five attempts fail in a row once in 10⁸ polls: p p (2-p) = 10^-1.6.
var rareError = func() float64 {
	low, high := 0.0, 1.0
	for range 100 {
		if p := (low + high) / 2; p*p*(2-p) < math.Pow(10, -1.6) {
			low = p
		} else {
			high = p
		}
	}
	return low
}()

// slowCase: one answer of so many takes long, and no timeout gives up on it.
func slowCase(of int, long time.Duration) truthCase {
	q, poll := slow(of, long)
	c := truthCase{name: fmt.Sprintf("one answer of %d is slow", of), question: q, truths: []truth{{losses, poll.usual().losses, 2e-4}}}
	if of < 100_000 {
		c.runs, c.length = 40, 100*hour
	}
	return c
}

// slow returns the question with a slow answer, and its poll.
func slow(of int, long time.Duration) (forecast.Question, pollOf) {
	trips := make([]time.Duration, of)
	for i := range trips {
		trips[i] = trip
	}
	trips[0] = long
	one := 1 / float64(of)
	return asked(1, behaviour.Behaviour{RoundTrip: behaviour.Samples(trips)}),
		pollOf{lease: 15 * sec, deadline: 10 * sec, retry: 2 * sec, fates: []fate{{1 - one, trip, true}, {one, long, true}}}
}

// exitCase: the same, and the process exits on a loss. The next one has another name, and waits for the lease from its own first look
// on. The slow write must not arrive before the next one leads: it would be accepted, and the wait would begin anew.
func exitCase() truthCase {
	const back = 5 * sec
	q, poll := slow(20_000, 600*sec)
	q.Restart = new(behaviour.Constant(back))
	gap := renamed(back)
	one, mean := poll.sum(), exitGap(1.0/20_000, 600*sec, back)
	rate := 1 / (one.takes/one.fails + (1/one.fails-1)*2 + mean)
	return truthCase{name: "one answer of 20000 is slow, the process exits", question: q, truths: []truth{
		{losses, rate, 1e-3}, {restarts, rate, 1e-3}, {leaderless, rate * mean, 5e-3}, {gapP50, gap.quantile(0.5), 5e-3}}}
}

// renamed is the time without a leader if the only process ends, and another one with a new name is there after back.
func renamed(back time.Duration) chances { return firstFrom(15*sec, 2*sec, trip).after(back + 3*trip) }

// exponentialCase: without a timeout a poll fails if its first answer takes longer than the deadline.
func exponentialCase() truthCase {
	const m = 0.8
	fails := math.Exp(-10 / m)
	between := m*(1-fails) + 2 // a poll, and the wait
	rate := fails / between
	return truthCase{name: "exponential round trips", runs: 40, length: 2000 * hour,
		question: asked(1, behaviour.Behaviour{RoundTrip: behaviour.Exponential(800 * ms)}),
		truths:   []truth{{losses, rate, 3e-4}}}
}

// exponentialTimeoutCase: the first request times out after 6 s, and the read and the update that follow have 4 s together.
func exponentialTimeoutCase() truthCase {
	const m, wait, left = 1.0, 6.0, 4.0
	late := math.Exp(-wait / m)
	fails := late * math.Exp(-left/m) * (1 + left/m)
	between := m*(1-late) + 2
	return truthCase{name: "exponential round trips, timeout", runs: 40, length: 1000 * hour,
		question: asked(1, behaviour.Behaviour{RoundTrip: behaviour.Exponential(sec)}, timeout(6*sec)),
		truths:   []truth{{losses, fails / between, 0.01}}}
}

// strictCase: strict renews every retry, and one lost request is a loss, since nothing else ends the wait for it. After that it does not
// take its own record for its own, and waits for the lease.
func strictCase() truthCase {
	const p = 1e-3
	gap := firstFrom(15*sec, 2*sec, trip).after(3 * trip)
	term := 2/p + 8 - 0.02
	losing := 1 / (term + gap.mean())
	q := asked(1, errorsOf(0, p))
	q.Candidate.Profile = machine.Strict
	return truthCase{name: "strict, one of a thousand lost", question: q, runs: 40, length: 40 * hour,
		truths: []truth{{losses, losing, 1e-3}, {leaderless, gap.mean() * losing, 5e-3}, {gapP50, gap.quantile(0.5), 5e-3}}}
}

// quietCase: a leader renews every retry and round trip, and each follower looks every jittered one.
func quietCase() truthCase {
	return truthCase{name: "nothing goes wrong", question: asked(3, behaviour.Behaviour{}), runs: 20, length: hour,
		truths: []truth{{requests, 1/2.01 + 2/3.21, 1e-3}, {losses, 0, 0}, {leaderless, 0, 0}}}
}
