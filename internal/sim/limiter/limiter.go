// Package limiter is the token bucket that the requests of a client wait for, and what else takes tokens from it.
package limiter

import (
	"math"
	"time"

	"golang.org/x/time/rate"

	"interregnum/elector/machine"
	"interregnum/internal/sim/stream"
	"interregnum/plan"
)

// Limiter is the rate limiter of one client in one process. All times are on the candidate's clock.
type Limiter struct {
	plan *plan.Client
	// bucket is the limiter that client-go has (util/flowcontrol/throttle.go), at times that are given to it. It is in own, and nil
	// while there is no process.
	bucket *rate.Limiter
	own    rate.Limiter
	// held is the reservation of the last Wait.
	held rate.Reservation
	// next has, for each entry of the other traffic, when its next requests come; never if none come any more.
	next []machine.Mono
	// draws has the times of traffic that is drawn, by the run's seed and the candidate.
	draws     stream.Stream
	seed      uint64
	candidate int32
}

// never is later than every time on a clock.
const never machine.Mono = math.MaxInt64

// Reset makes l the limiter of a client that has yet to begin, in a run with that seed. candidate is the index of its node.
// Call Begin before Wait and Cancel.
func (l *Limiter) Reset(c *plan.Client, seed uint64, candidate int32) {
	l.plan, l.bucket, l.held, l.seed, l.candidate = c, nil, rate.Reservation{}, seed, candidate
	l.next = l.next[:0]
	l.draws.Close()
	for i := range c.Other {
		l.next = append(l.next, machine.Mono(c.Other[i].At))
	}
}

// Begin makes a full bucket, for a process that begins at that time. Other traffic before then takes no tokens.
func (l *Limiter) Begin(now machine.Mono) {
	l.Skip(now - 1)
	// A float32 is what rest.Config has.
	l.own = *rate.NewLimiter(rate.Limit(float32(l.plan.QPS)), l.plan.Burst)
	l.bucket, l.held = &l.own, rate.Reservation{}
}

// Wait takes a token for a request at the time now, and returns how long the request waits for it. If that is longer than within,
// it takes none and returns false, as rate.Limiter.Wait does with a context that ends sooner. The other traffic up to now takes
// its tokens first.
func (l *Limiter) Wait(now machine.Mono, within time.Duration) (wait time.Duration, ok bool) {
	l.Pass(now)
	if wait = l.missing(now); wait > within {
		return 0, false
	}
	l.held = *l.bucket.ReserveN(at(now), 1)
	return l.held.DelayFrom(at(now)), true
}

// Cancel gives back the token of the last Wait at the time now, as rate.Limiter.Wait does when its context ends before the wait.
// The other traffic up to now takes its tokens first.
func (l *Limiter) Cancel(now machine.Mono) {
	l.Pass(now)
	l.held.CancelAt(at(now))
}

// missing returns how long a request at that time would wait, as rate.Limiter computes it.
func (l *Limiter) missing(now machine.Mono) time.Duration {
	lacks := 1 - l.bucket.TokensAt(at(now))
	if lacks <= 0 {
		return 0
	}
	wait := lacks / float64(l.bucket.Limit()) * float64(time.Second)
	if wait > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(wait)
}

// Pass makes the other traffic up to and including that time take its tokens. It draws the times of drawn traffic in the order
// of the requests, so that they do not depend on when Pass is called.
func (l *Limiter) Pass(now machine.Mono) {
	for {
		i := l.first()
		if i < 0 || l.next[i] > now {
			return
		}
		t := &l.plan.Other[i]
		if l.bucket != nil {
			for range t.Count {
				l.bucket.ReserveN(at(l.next[i]), 1)
			}
		}
		l.advance(i, t)
	}
}

// Skip passes over the other traffic up to and including that time, which takes no tokens: there was no process, or it was
// frozen.
func (l *Limiter) Skip(now machine.Mono) {
	bucket := l.bucket
	l.bucket = nil
	l.Pass(now)
	l.bucket = bucket
}

// first returns the entry of the other traffic whose requests come next: of several at once the first, -1 if there is none.
func (l *Limiter) first() int {
	first, least := -1, never
	for i, t := range l.next {
		if t < least {
			first, least = i, t
		}
	}
	return first
}

// advance moves entry i, which is t, to the time of its next requests; to never if none follow. For drawn traffic it draws
// that time.
func (l *Limiter) advance(i int, t *plan.Traffic) {
	step := t.Every
	if t.Drawn {
		step = time.Duration(l.draws.OpenAll(l.seed, "traffic", l.candidate).ExpFloat64()*float64(t.Every)) + 1
	}
	l.next[i] = l.next[i].Add(step)
	if step <= 0 || t.Until != nil && l.next[i] >= machine.Mono(*t.Until) {
		l.next[i] = never
	}
}

// at returns a reading of the candidate's monotonic clock in the form that the bucket takes: that many nanoseconds after the Unix
// epoch.
func at(t machine.Mono) time.Time { return time.Unix(0, int64(t)) }
