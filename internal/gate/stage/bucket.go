package stage

import (
	"math"
	"time"

	"interregnum/internal/bound"
	"interregnum/plan"
	"interregnum/scenarios"
)

// bucket is what an actor knows of its client's tokens. Its times are on the actor's clock. The zero bucket is full.
type bucket struct {
	// at is the time at which taken and used were true. taken is how many tokens are missing, including those for which requests
	// wait. used is how many requests of other traffic have come, of those that can come at once.
	at          time.Duration
	taken, used float64
	// full is the time since which no token has been missing and no request of other traffic has come.
	full time.Duration
}

// pass advances the bucket to now, on the actor's clock: it lowers taken by the tokens of client c that have come in since b.at,
// and used by e.OtherQPS a second. If anything was missing, it sets full to when nothing is missing any more, which can be after
// now.
func (b *bucket) pass(now time.Duration, c *plan.Client, e *bound.Environment) {
	d := (now - b.at).Seconds()
	if b.taken > 0 || b.used > 0 {
		lasts := b.taken / float64(float32(c.QPS))
		if b.used > 0 {
			lasts = max(lasts, b.used/e.OtherQPS)
		}
		b.full = b.at + time.Duration(min(lasts, plan.MaxDuration.Seconds())*float64(time.Second)) + 1
	}
	b.at, b.taken, b.used = now, max(0, b.taken-d*float64(float32(c.QPS))), max(0, b.used-d*e.OtherQPS)
}

// mayCome returns how many requests of other traffic may come now, a part of one counted, too.
func (b *bucket) mayCome(e *bound.Environment) float64 {
	return float64(e.MostAtOnce()) - b.used + fraction
}

// take takes a token of client c, and returns how long a request waits for it, on the actor's clock; 0 if it is there.
func (b *bucket) take(c *plan.Client) time.Duration {
	b.taken++
	missing := max(0, b.taken-float64(c.Burst))
	return time.Duration(math.Ceil(missing / float64(float32(c.QPS)) * float64(time.Second)))
}

// fraction is the part of a request that counts as a rounding error.
const fraction = 1e-9

// token takes a token for the actor's next request, and advances a past the wait for it. If most is above 0, and comes allows it,
// it adds other traffic just before: so much that the wait is as long as most, in true time, and not longer; less, or none, if
// the environment does not allow as much, and then it perhaps adds to a.sooner. It also lets comeEarly add its request. It does
// nothing for a client without a limiter.
func (a *actor) token(most time.Duration) {
	c := a.cfg.Client
	if !c.Limits() {
		return
	}
	b, q, size := &a.bucket, float64(float32(c.QPS)), float64(c.Burst)
	b.pass(a.local, c, a.env)
	a.comeEarly()
	if most > 0 && a.comes() {
		upTo := bound.Local(most+2*slack, a.driftPPM).Seconds() // which is what was planned, but for slack
		wanted, may := upTo*q+size-b.taken-1, b.mayCome(a.env)
		others := math.Floor(min(wanted, may))
		if wanted > may {
			a.noteSooner((1 - (may - others)) / a.env.OtherQPS)
		}
		if others > 0 && b.taken+others+1 > size {
			before := a.near / 2
			a.traffic(a.id, plan.Traffic{At: max(0, a.local-before), Count: int(others)})
			if b.taken == 0 {
				b.taken -= before.Seconds() * q // which come again meanwhile
			}
			b.taken, b.used = b.taken+others, b.used+others
		}
	}
	if wait := b.take(c); wait > 0 {
		a.wait(wait)
	}
}

// comeEarly adds one request of other traffic that comes a.due before now, if the bucket was full then. It does this once: it
// sets a.due to 0. Before that it lets as many calls pass as a.later says, and counts a.later down. Without other traffic it does
// nothing.
func (a *actor) comeEarly() {
	b, at := &a.bucket, a.local-a.due
	if a.due == 0 || a.env.MostAtOnce() == 0 || at < b.full {
		return
	}
	if a.later--; a.later >= 0 {
		return
	}
	a.traffic(a.id, plan.Traffic{At: at, Count: 1})
	b.at, b.taken, b.used, a.due = at, 1, 1, 0
	b.pass(a.local, a.cfg.Client, a.env)
}

// noteSooner appends seconds, as a duration, to s.sooner: one more request of other traffic fits in if the first one comes so
// much sooner. It does nothing if seconds is not positive, or if a token comes in within that time.
func (s *stage) noteSooner(seconds float64) {
	if d := time.Duration(seconds*float64(time.Second)) + slack; seconds > 0 && seconds*float64(float32(s.cfg.Client.QPS)) < 1 {
		s.sooner = append(s.sooner, d)
	}
}

// comes tells whether other traffic comes just before this call. The answers are the bits of a.quiet, lowest first: a bit that is
// set means that none comes. comes removes the bit that it reads, so that the next use of comes is about the next call that other
// traffic can have wait.
func (a *actor) comes() bool {
	quiet := a.quiet&1 > 0
	a.quiet >>= 1
	return !quiet
}

// plain advances a past that many requests that are answered at once. Each takes a token, and waits for it if it must.
func (a *actor) plain(requests int) {
	for range requests {
		a.token(0)
		a.pass(a.trip())
	}
}

// traffic adds other traffic t to the client of the candidate with that id. It does nothing if there is no such candidate. The
// candidate must have a client.
func (s *stage) traffic(id string, t plan.Traffic) {
	for i := range s.s.Candidates {
		if c := &s.s.Candidates[i]; c.ID == id {
			c.Client.Other = append(c.Client.Other, t)
		}
	}
}

// again adds the faults with which the actor's next request is refused with a Retry-After and sent again, as often as took leaves
// time for one more refusal before the last try. It advances a past the refusals and their waits, and returns how long the last
// try is to take: what remains of took, but no more than direct allows. All durations are in true time. If there is a request
// timeout, it begins at a.now and bounds all tries together.
func (a *actor) again(took time.Duration) time.Duration {
	end := a.now + took
	if f := bound.True(a.cfg.RequestTimeout, a.driftPPM); f > 0 {
		end = min(end, a.now+f-slack)
	}
	asks := a.env.MaxRetryAfter.Truncate(time.Second)
	for range plan.MaxRetries {
		rest := end - a.now - a.direct()
		if !a.cfg.Client.Repeats() || a.env.MaxRetryAfter == 0 || rest <= a.trip() {
			break
		}
		seconds := min(asks, bound.Local(rest-a.trip(), a.driftPPM).Truncate(time.Second))
		takes := max(a.trip(), min(a.direct(), rest-bound.True(seconds, a.driftPPM)))
		back := always(takes - a.leg)
		a.fault(scenarios.Fault{Kind: plan.FaultThrottle, RetryAfter: &seconds}, a.id, a.now, a.now+a.leg)
		a.fault(scenarios.Fault{Kind: plan.FaultDelay, Response: &back}, a.id, a.now, a.now+a.leg)
		a.pass(takes)
		a.wait(seconds)
		a.token(0)
	}
	return min(end-a.now, a.direct())
}
