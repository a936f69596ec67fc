package stage

import (
	"math"
	"time"

	"interregnum/internal/bound"
	"interregnum/plan"
)

// This file plays the loop of one leader of client-go in numbers alone: its attempts, its ticks and the tokens of its limiter. It takes
// nothing from what package bound derives. All times are on the leader's clock, which is as slow as it can be.

// triedCall is what becomes of a call, and the other traffic just before it.
type triedCall struct {
	ends triedEnd
	upTo triedUpTo
	// count is how many requests of other traffic come before the call, if so many may; fewer otherwise. early is how long before.
	count int
	early time.Duration
}

// triedEnd is how a call ends.
type triedEnd uint8

const (
	triedFails    triedEnd = iota // by an error; the first write of an attempt is applied all the same
	triedLost                     // by the request timeout; the first write of an attempt is applied all the same
	triedSucceeds                 // as it should
	triedEnds
)

// triedUpTo is until when a call that is not lost lasts, as far as that can be.
type triedUpTo uint8

const (
	triedShortest triedUpTo = iota
	triedLongest
	triedTick    // just before the poll's next tick
	triedOutlast // just after it
	triedSecond  // just less than a second before it
	triedNext    // just less than a second before the tick after it
	triedOwn     // just less than a second after the call's attempt began
	triedUpTos
)

// triedAttempt is what becomes of an attempt's optimistic update, its Get, and its last write. An attempt that begins without its own lease
// makes no optimistic update.
type triedAttempt [perAttempt]triedCall

// perAttempt is how many calls an attempt makes at most.
const perAttempt = 3

// mostTried is how many attempts a trial has at most.
const mostTried = 8

// course is the attempts of a candidate from its start on: the first n of all.
type course struct {
	n   int
	all [mostTried]triedAttempt
}

// madeCall is a call of a trial: when its attempt began, when it left the limiter and when it was over, and what became of it.
type madeCall struct {
	began, left, over time.Duration
	ends              triedEnd
	applied           bool // although it fails
}

// trial plays courses.
type trial struct {
	c *bound.Config
	e *bound.Environment
	// shortest and longest are how long a call that is answered takes, and margin is how far the trial keeps from each edge.
	shortest, longest, margin time.Duration
	now                       time.Duration
	bucket                    bucket
	// polled is when the poll began, ends is when it is over, or 0 while the lock is acquired, and ticks is how many ticks are used up.
	polled, ends, ticks time.Duration
	// record: there is one. own: the candidate has read its own name, at the time read. stale: the record has changed since it read it.
	record, own, stale bool
	read               time.Duration
	// made has the calls so far, and traffic the other traffic. lacks has how long after a call one more request of other traffic could
	// have come just before it; only for calls before which fewer than wanted came.
	made    []madeCall
	traffic []plan.Traffic
	lacks   []time.Duration
	// overlap is the longest one so far. last is the index of the call that was the last success then, first that of the first of the
	// writes that look the same, and polls is false if that success acquired the lock.
	overlap     time.Duration
	first, last int
	polls       bool
}

// newTrial returns a trial for a stage.
func (s *stage) newTrial() *trial {
	t := &trial{c: s.cfg, e: s.env, shortest: 2*s.leg + 1, margin: s.leg}
	t.longest = max(t.shortest, bound.Local(s.env.MaxRoundTrip, -s.env.MaxDriftPPM))
	if f := s.cfg.RequestTimeout; f > 0 {
		t.longest = min(t.longest, f-slack)
	}
	return t
}

// play plays a course, and returns its longest overlap.
func (t *trial) play(o *course) time.Duration {
	*t = trial{
		c: t.c, e: t.e, shortest: t.shortest, longest: t.longest, margin: t.margin,
		made: t.made[:0], traffic: t.traffic[:0], lacks: t.lacks[:0], overlap: -t.c.LeaseDuration,
	}
	for i := range o.n {
		renewed, on := t.attempt(&o.all[i])
		switch {
		case !on:
			return t.overlap
		case renewed && t.ends > 0:
			t.now += t.c.RetryPeriod
			t.poll()
		case renewed:
			t.poll()
		case t.ends > 0:
			t.wait()
		default:
			t.now += t.c.RetryPeriod
		}
		if t.ends > 0 && t.now >= t.ends {
			return t.overlap
		}
	}
	return t.overlap
}

// poll begins a poll.
func (t *trial) poll() { t.polled, t.ends, t.ticks = t.now, t.now+t.c.RenewDeadline, 0 }

// wait goes on to the next tick of the poll, or on at once if one came during the attempt: the ticker keeps one.
func (t *trial) wait() {
	if n := (t.now - t.polled) / t.c.RetryPeriod; n > t.ticks {
		t.ticks = n
		return
	}
	t.ticks++
	t.now = t.polled + t.ticks*t.c.RetryPeriod
}

// attempt plays an attempt. It returns whether that wins or renews the lease, and whether the candidate goes on.
func (t *trial) attempt(a *triedAttempt) (renewed, on bool) {
	began := t.now
	if t.own && began < t.read+t.c.LeaseDuration {
		first := a[theFirst]
		if t.stale {
			first.ends = min(first.ends, triedLost)
		}
		if !t.call(&first, began, !t.stale) {
			return false, false
		}
		if first.ends == triedSucceeds {
			t.renewed()
			return true, true
		}
		t.stale = true
	}
	get := a[theGet]
	if !t.call(&get, began, false) {
		return false, false
	}
	if get.ends != triedSucceeds {
		return false, true
	}
	t.own, t.stale, t.read = t.record, false, t.now
	creates := !t.record
	t.record = true
	if !t.call(&a[theUpdate], began, creates) {
		return false, false
	}
	if a[theUpdate].ends != triedSucceeds {
		return false, true
	}
	t.renewed()
	return true, true
}

// call plays a call of an attempt that began at that time. applied tells whether it is applied although it fails. It returns false if the
// poll is over before, or if the call would never end or cannot be lost.
func (t *trial) call(f *triedCall, began time.Duration, applied bool) bool {
	t.token(f)
	left := t.now
	takes := t.shortest
	switch f.upTo {
	case triedLongest:
		takes = t.longest
	case triedTick:
		takes = t.tick() - t.margin - t.now
	case triedOutlast:
		takes = t.tick() + t.margin - t.now
	case triedSecond:
		takes = t.tick() - time.Second + t.margin - t.now
	case triedNext:
		takes = t.tick() + t.c.RetryPeriod - time.Second + t.margin - t.now
	case triedOwn:
		takes = began + time.Second - t.margin - t.now
	}
	takes = min(max(takes, t.shortest), t.longest)
	if f.ends == triedLost {
		if takes = t.c.RequestTimeout; takes == 0 || t.connects() {
			return false
		}
	}
	if t.now += takes; t.ends > 0 && t.now >= t.ends-t.margin {
		return false
	}
	t.made = append(t.made, madeCall{began, left, t.now, f.ends, applied})
	return true
}

// connects tells whether the next call is the first on its connection: a fault that loses it would lose the packets that make the connection,
// which are sent again. With HTTP/2 a connection lives on after a call that was given up.
func (t *trial) connects() bool {
	last := len(t.made) - 1
	return last < 0 || t.c.Client.HTTP1 && t.made[last].ends == triedLost
}

// tick returns when the poll's next tick comes.
func (t *trial) tick() time.Duration { return tickAfter(t.now, t.polled, t.c.RetryPeriod) }

// token lets the other traffic of a call come, takes a token for it, and goes on to when that is there.
func (t *trial) token(f *triedCall) {
	b, c := &t.bucket, t.c.Client
	lacks := time.Duration(-1)
	if f.count > 0 {
		at := min(t.now, max(b.at+t.margin/4, t.now-max(f.early, t.margin/4))) // after the call before
		b.pass(at, c, t.e)
		may := max(0, b.mayCome(t.e))
		came := min(f.count, int(may))
		if came < f.count && t.e.OtherQPS > 0 {
			lacks = time.Duration((1 - may + math.Floor(may)) / t.e.OtherQPS * float64(time.Second))
		}
		if came > 0 {
			t.traffic = append(t.traffic, plan.Traffic{At: at, Count: came})
			b.taken, b.used = b.taken+float64(came), b.used+float64(came)
		}
	}
	t.lacks = append(t.lacks, lacks)
	b.pass(t.now, c, t.e)
	t.now += b.take(c)
}

// renewed notes how long the leader can overlap with a successor if no later attempt succeeds.
func (t *trial) renewed() {
	last := len(t.made) - 1
	t.made[last].applied = true
	first := last
	for i := last - 1; i >= 0 && t.made[i].began > t.made[last].began-time.Second; i-- {
		if t.made[i].applied {
			first = i
		}
	}
	t.own, t.read, t.stale = true, t.now, false
	taken := max(t.made[first].left+max(t.c.Lease(), t.c.RetryPeriod), t.made[last].left)
	works := t.now + t.c.RenewDeadline
	overlap := works + t.c.RetryPeriod - taken
	if t.ends == 0 {
		overlap = min(t.c.RenewDeadline, works-taken)
	}
	if overlap > t.overlap {
		t.overlap, t.first, t.last, t.polls = overlap, first, last, t.ends > 0
	}
}
