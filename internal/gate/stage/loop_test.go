package stage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	tokens "golang.org/x/time/rate"

	"interregnum/internal/bound"
	"interregnum/internal/gate/gatetest"
	"interregnum/plan"
	"interregnum/scenarios"
)

// loop is the loop of one candidate of client-go, on the limiter that client-go has. An adversary says what becomes of each call, and when
// other traffic comes. It follows from the words of docs/method/derivation.md, section 1, alone: from nothing that is derived there.
type loop struct {
	c      *bound.Config
	e      *bound.Environment
	now    time.Duration
	bucket *tokens.Limiter
	others *tokens.Limiter // which lets as much pass as may come
	// last is when other traffic came last or could not come any more.
	last time.Duration
	// polled is when the poll began, and ends when it is over; ends is 0 while the lock is acquired.
	polled, ends time.Duration
	// ticks is how many ticks of the poll were used up.
	ticks time.Duration
	// read is when the candidate has last read its own name, if own.
	read time.Duration
	own  bool
	// written has when attempts began and when they first wrote.
	written []attemptAt
	overlap time.Duration
	// renewed is when the last write left that succeeded.
	renewed time.Duration
	// near is how far from each edge it keeps.
	near time.Duration
	// calls has what became of calls, and traffic the other traffic.
	calls   []callMade
	traffic []plan.Traffic
}

// callMade is a call that left the limiter.
type callMade struct {
	began, asked, left, handled time.Duration
	ends                        callEnd
}

type attemptAt struct{ began, wrote time.Duration }

// callFate is what becomes of a call: how much other traffic comes before it, and how long before; how it ends, and how long it takes.
type callFate struct {
	count int
	early time.Duration
	ends  callEnd
	upTo  callUpTo
	takes time.Duration
}

type callEnd uint8

const (
	callFails callEnd = iota // a write is applied all the same
	callLost
	callSucceeds
	callEnds
)

// callUpTo is until when a call lasts, as far as that can be.
type callUpTo uint8

const (
	callTakes   callUpTo = iota // as long as it says
	callLongest                 // as long as it can
	callTick                    // until just before the next tick
	callOutlast                 // until just after it
	callSecond                  // until just less than a second before the next tick
	callNext                    // until just less than a second before the next tick but one
	callOwn                     // until just less than a second after its attempt began
	callPoll                    // until the poll is nearly over
	callUpTos
)

// loopAttempt is what becomes of an attempt: jitter is that of the wait after it, while the lock is acquired.
type loopAttempt struct {
	calls  [3]callFate
	jitter float64
}

var loopBegan = time.Unix(1_000_000, 0)

func (l *loop) tick() time.Duration {
	return l.polled + (max(0, l.now-l.polled)/l.c.RetryPeriod+1)*l.c.RetryPeriod
}

// call plays a call of an attempt that began at some time. It returns how it ended, and when it left the limiter; false if the candidate is
// stuck, or its poll is over.
func (l *loop) call(f *callFate, began time.Duration) (left time.Duration, ok bool) {
	at := max(l.last, l.now-max(f.early, l.near/4))
	came := 0
	for ; came < f.count && l.others.AllowN(loopBegan.Add(at), 1); came++ {
		l.bucket.ReserveN(loopBegan.Add(at), 1)
		l.last = at
	}
	if came > 0 {
		l.traffic = append(l.traffic, plan.Traffic{At: at, Count: came})
	}
	asked := l.now
	now := loopBegan.Add(l.now)
	l.last = l.now
	r := l.bucket.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if l.ends > 0 && l.now+wait >= l.ends {
		r.CancelAt(now) // it fails at once, without a token
		return 0, false
	}
	l.now += wait
	left = l.now
	takes, timeout := f.takes, l.c.RequestTimeout
	until := func(at time.Duration) { takes = at - l.now }
	switch f.upTo {
	case callLongest:
		takes = l.e.MaxRoundTrip
	case callTick:
		until(l.tick() - l.near)
	case callOutlast:
		until(l.tick() + l.near)
	case callSecond:
		until(l.tick() - time.Second + l.near)
	case callNext:
		until(l.tick() + l.c.RetryPeriod - time.Second + l.near)
	case callOwn:
		until(began + time.Second - l.near)
	case callPoll:
		until(l.ends - l.near)
	}
	takes = min(max(takes, 0), l.e.MaxRoundTrip)
	if timeout > 0 {
		takes = min(takes, timeout)
	}
	if f.ends == callLost {
		if timeout == 0 {
			return 0, false
		}
		takes = timeout
	}
	if l.ends > 0 && l.now+takes >= l.ends {
		return 0, false
	}
	l.now += takes
	l.calls = append(l.calls, callMade{began, asked, left, l.now, f.ends})
	return left, true
}

// attempt plays an attempt. It returns whether the candidate goes on, and whether the attempt has won or renewed the lease.
func (l *loop) attempt(a *loopAttempt) (won, on bool) {
	began, wrote := l.now, time.Duration(-1)
	write := func(f *callFate) (bool, bool) {
		left, ok := l.call(f, began)
		if !ok {
			return false, false
		}
		if wrote < 0 {
			wrote = left
			l.written = append(l.written, attemptAt{began, left})
		}
		if f.ends != callSucceeds {
			return false, true
		}
		l.won(began, left)
		return true, true
	}
	if l.own && began < l.read+l.c.LeaseDuration {
		if won, on = write(&a.calls[0]); won || !on {
			return won, on
		}
	}
	get := a.calls[1]
	if _, on = l.call(&get, began); !on || get.ends != callSucceeds {
		return false, on
	}
	if len(l.written) > 0 {
		l.own, l.read = true, l.now
	}
	return write(&a.calls[2])
}

// won notes how long the leader can overlap with a successor if no later attempt succeeds.
func (l *loop) won(began, left time.Duration) {
	first := left
	for _, w := range l.written {
		if w.began > began-time.Second {
			first = min(first, w.wrote)
		}
	}
	l.own, l.read, l.renewed = true, l.now, left
	taken := max(first+max(l.c.Lease(), l.c.RetryPeriod), left)
	works := l.now + l.c.RenewDeadline
	overlap := min(l.c.RenewDeadline, works-taken)
	if l.ends > 0 {
		overlap = works + l.c.RetryPeriod - taken
	}
	l.overlap = max(l.overlap, overlap)
}

// playLoop plays attempts, and returns the longest overlap.
func playLoop(c *bound.Config, e *bound.Environment, all []loopAttempt) time.Duration {
	return loopOf(c, e, all, 1).overlap
}

// loopOf plays attempts, and keeps that far from each edge.
func loopOf(c *bound.Config, e *bound.Environment, all []loopAttempt, near time.Duration) *loop {
	l := &loop{c: c, e: e, overlap: -c.LeaseDuration, now: time.Minute, near: near,
		bucket: tokens.NewLimiter(tokens.Limit(float32(c.Client.QPS)), c.Client.Burst),
		others: tokens.NewLimiter(tokens.Limit(e.OtherQPS), e.MostAtOnce())}
	for i := range all {
		won, on := l.attempt(&all[i])
		switch {
		case !on:
			return l
		case won && l.ends == 0:
			l.polled, l.ends, l.ticks = l.now, l.now+c.RenewDeadline, 0
		case won:
			l.now += c.RetryPeriod
			l.polled, l.ends, l.ticks = l.now, l.now+c.RenewDeadline, 0
		case l.ends == 0:
			l.now += time.Duration(float64(c.RetryPeriod) * (1 + 1.2*all[i].jitter))
		default:
			l.wait()
		}
		if l.ends > 0 && l.now >= l.ends {
			break
		}
	}
	return l
}

// wait goes on to the next tick of the poll, or on at once if one came during the attempt: the ticker keeps one.
func (l *loop) wait() {
	if n := (l.now - l.polled) / l.c.RetryPeriod; n > l.ticks {
		l.ticks = n
		return
	}
	l.ticks++
	l.now = l.polled + l.ticks*l.c.RetryPeriod
}

// overlapShown returns the overlap that the simulated world shows, whose leader a has the calls of a loop up to its last success, and is cut off
// then. A follower b starts as the first write that looks the same is applied. It requires that all is within the environment.
func (l *loop) overlapShown(t *testing.T) time.Duration {
	last := len(l.calls) - 1
	for l.calls[last].ends != callSucceeds {
		last--
	}
	first := last
	for first > 0 && l.calls[first-1].began > l.calls[last].began-time.Second {
		first--
	}
	const soon = 300 * time.Microsecond
	g := &genome{cfg: l.c, env: l.e, leg: shortestLeg, horizon: l.calls[last].handled + 3*l.c.LeaseDuration}
	waits := time.Duration(1)
	for ; l.c.Lease() > waits*l.c.RetryPeriod*11/5; waits++ {
	}
	jitter := (float64(l.c.Lease()+soon)/float64(waits*l.c.RetryPeriod) - 1) / 1.2
	starts := l.calls[0].asked
	wall := scenarios.Clock{Offset: soon - (l.calls[first].began-starts)%time.Second}
	g.people = []person{{clock: wall}, {jitter: jitter}}
	add := func(m move) { g.moves = append(g.moves, m) }
	for i, c := range l.calls[:last+1] {
		f := fate{outcome: answered, out: shortestLeg, back: max(shortestLeg, c.handled-c.left-shortestLeg)}
		switch {
		case c.ends == callLost:
			f.outcome, f.back = unheard, shortestLeg
		case c.ends == callFails:
			f.outcome = hidden
		}
		add(move{kind: moveFate, request: i, fate: f})
	}
	for _, o := range l.traffic {
		m := move{kind: moveTraffic, request: -1, count: o.Count, after: o.At - starts}
		for i, c := range l.calls {
			if c.handled <= o.At {
				m.request, m.late, m.after = i, true, o.At-c.handled
			}
		}
		add(m)
	}
	add(move{kind: moveStart, request: first, other: 1, after: soon})
	s, seen := g.play(t)
	require.Empty(t, seen.Outside(s, l.e))
	cut := scenarios.Fault{Kind: plan.FaultPartition, At: seen.Requests[0][last].Handled + 1, On: []string{"a"}}
	s.Faults = append(s.Faults, cut)
	return gatetest.Watched(t, s).Score()
}
