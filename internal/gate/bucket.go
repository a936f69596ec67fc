package gate

import (
	"math"
	"time"

	"interregnum/internal/bound"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// bucket is what an actor knows of its client's tokens, on its clock. The zero bucket is full.
type bucket struct {
	// at is when the rest was true. taken is how many tokens are missing, with those that requests wait for; used is how many
	// requests of other traffic have come of those that may come at once.
	at          time.Duration
	taken, used float64
}

// pass lets tokens come until now.
func (b *bucket) pass(now time.Duration, c *plan.Client, e *bound.Environment) {
	d := (now - b.at).Seconds()
	b.at, b.taken, b.used = now, max(0, b.taken-d*float64(float32(c.QPS))), max(0, b.used-d*e.OtherQPS)
}

// fraction is how much of a request is taken for rounding.
const fraction = 1e-9

// token takes a token for the actor's next request, and advances a past the wait for it. Other traffic comes just before, as much as
// makes the wait as long as most, in true time, and no longer, if so much may come.
func (a *actor) token(most time.Duration) {
	c := a.cfg.Client
	if !c.Limits() {
		return
	}
	b, q, size := &a.bucket, float64(float32(c.QPS)), float64(c.Burst)
	b.pass(a.local, c, a.env)
	if most > 0 && a.comes() {
		upTo := bound.Local(most+2*slack, a.driftPPM).Seconds() // which is what was planned, but for slack
		others := math.Floor(min(upTo*q+size-b.taken-1, float64(a.env.MostAtOnce())-b.used+fraction))
		if others > 0 && b.taken+others+1 > size {
			before := a.near / 2
			a.traffic(a.id, plan.Traffic{At: max(0, a.local-before), Count: int(others)})
			if b.taken == 0 {
				b.taken -= before.Seconds() * q // which come again meanwhile
			}
			b.taken, b.used = b.taken+others, b.used+others
		}
	}
	b.taken++
	if missing := b.taken - size; missing > 0 {
		a.wait(time.Duration(math.Ceil(missing / q * float64(time.Second))))
	}
}

// comes tells whether other traffic may come before the next of the calls that may wait for it; see stage.quiet.
func (a *actor) comes() bool {
	quiet := a.quiet&1 > 0
	a.quiet >>= 1
	return !quiet
}

// plain advances a past requests that are answered at once.
func (a *actor) plain(requests int) {
	for range requests {
		a.token(0)
		a.pass(a.trip())
	}
}

// traffic adds other traffic of a candidate's client.
func (s *stage) traffic(id string, t plan.Traffic) {
	for i := range s.s.Candidates {
		if c := &s.s.Candidates[i]; c.ID == id {
			c.Client.Other = append(c.Client.Other, t)
		}
	}
}

// again adds the faults with which the actor's next request is refused, and sent again, for as much of took as one request does not
// allow. It advances a past them, and returns the rest of took. The request timeout, which has begun, bounds all of it.
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
