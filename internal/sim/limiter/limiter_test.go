package limiter

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// course is what one process asks of its bucket: the calls of the lock one after the other, and other traffic.
type course struct {
	client plan.Client
	begin  time.Duration
	calls  []call
}

// call is one that begins that long after the end of the last. within is how long its context lasts, 0 for ever; cancel is when
// somebody ends it, 0 for never.
type call struct{ gap, within, cancel time.Duration }

// courseOf returns a random course. Its times are at nanoseconds that look random, so that nothing else happens at the instant of
// a call.
func courseOf(seed uint64) *course {
	r := rand.New(rand.NewPCG(seed, 1))
	upTo := func(most time.Duration) time.Duration { return 1 + time.Duration(r.Int64N(int64(most))) }
	c := &course{begin: upTo(time.Minute)}
	c.client.QPS, c.client.Burst = 0.0005*math.Pow(1e7, r.Float64()), 1+r.IntN(20)
	usual := time.Duration(float64(time.Second) / c.client.QPS)
	for range r.IntN(4) {
		t := plan.Traffic{At: upTo(2 * c.begin), Count: 1 + r.IntN(2*c.client.Burst)}
		if r.IntN(2) == 0 {
			tokens := usual * time.Duration(t.Count) // as long as they take to come
			t.Every = tokens/2 + upTo(2*tokens)
			until := t.At + upTo(20*tokens) // more than comes in would make calls wait for ever longer
			t.Until = &until
		}
		c.client.Other = append(c.client.Other, t)
	}
	for range 60 {
		x := call{gap: upTo(usual)}
		if r.IntN(2) == 0 {
			x.within = upTo(4 * usual)
		}
		if r.IntN(3) == 0 {
			x.cancel = upTo(2 * usual)
		}
		c.calls = append(c.calls, x)
	}
	return c
}

// simulated returns how and when each call of the course ends.
func (c *course) simulated() (ends []string) {
	var l Limiter
	l.Reset(&c.client, 1, 0)
	now := machine.Mono(c.begin)
	l.Begin(now)
	for _, x := range c.calls {
		now = now.Add(x.gap)
		within := time.Duration(math.MaxInt64)
		if x.within > 0 {
			within = x.within
		}
		wait, ok := l.Wait(now, within)
		how := "taken"
		switch {
		case !ok:
			how = "refused"
		case x.cancel > 0 && x.cancel < wait:
			now, how = now.Add(x.cancel), "cancelled"
			l.Cancel(now)
		default:
			now = now.Add(wait)
		}
		ends = append(ends, fmt.Sprint(how, " ", time.Duration(now)))
	}
	return ends
}

// real does the course with the limiter that client-go makes, on virtual time.
func (c *course) real(t *testing.T) (ends []string) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, end := context.WithCancel(t.Context())
		defer end()
		time.Sleep(c.begin)
		bucket := rate.NewLimiter(rate.Limit(float32(c.client.QPS)), c.client.Burst)
		for i := range c.client.Other {
			go flow(ctx, bucket, start, &c.client.Other[i])
		}
		for _, x := range c.calls {
			time.Sleep(x.gap)
			how := x.wait(ctx, bucket)
			ends = append(ends, fmt.Sprint(how, " ", time.Since(start)))
		}
	})
	return ends
}

// flow takes tokens as other traffic does, until ctx ends.
func flow(ctx context.Context, bucket *rate.Limiter, start time.Time, t *plan.Traffic) {
	for at := t.At; t.Until == nil || at < *t.Until; at += t.Every {
		if left := at - time.Since(start); left > 0 {
			select {
			case <-time.After(left):
			case <-ctx.Done():
				return
			}
			for range t.Count {
				go func() { _ = bucket.Wait(ctx) }()
			}
		}
		if t.Every == 0 {
			return
		}
	}
}

// wait makes the call, and returns how it ended.
func (x *call) wait(ctx context.Context, bucket *rate.Limiter) string {
	if x.within > 0 {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, x.within)
		defer end()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if x.cancel > 0 {
		stop := time.AfterFunc(x.cancel, cancel)
		defer stop.Stop()
	}
	switch err := bucket.Wait(ctx); {
	case err == nil:
		return "taken"
	case ctx.Err() != nil:
		return "cancelled"
	}
	return "refused"
}

// TestLimiterIsTheRealOne: random courses end as on the limiter of golang.org/x/time/rate that client-go has, to the nanosecond.
func TestLimiterIsTheRealOne(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(1000) {
		c := courseOf(seed)
		ends := c.real(t)
		require.Equal(t, ends, c.simulated(), "course %d: %+v", seed, c)
		for _, e := range ends {
			var how string
			_, err := fmt.Sscan(e, &how)
			require.NoError(t, err)
			seen[how]++
		}
	}
	for _, how := range []string{"taken", "refused", "cancelled"} {
		require.Greater(t, seen[how], 1000, "calls %s: %v", how, seen)
	}
}

// TestLooksChangeNothing: traffic that is drawn comes at the same times, however often somebody looks.
func TestLooksChangeNothing(t *testing.T) {
	client := &plan.Client{QPS: 5, Burst: 10, Other: []plan.Traffic{
		{At: 3 * time.Second, Every: time.Second, Count: 4, Drawn: true},
		{At: time.Second, Every: 300 * time.Millisecond, Count: 1, Drawn: true},
	}}
	waits := func(step time.Duration) (waits []time.Duration) {
		var l Limiter
		l.Reset(client, 7, 2)
		l.Begin(0)
		for now := step; now <= 5*time.Minute; now += step {
			l.Pass(machine.Mono(now))
			if now%(15*time.Second) == 0 {
				wait, ok := l.Wait(machine.Mono(now), math.MaxInt64)
				require.True(t, ok)
				waits = append(waits, wait)
			}
		}
		return waits
	}
	want := waits(15 * time.Second)
	require.NotZero(t, want[len(want)-1])
	require.Equal(t, want, waits(100*time.Millisecond))
}

// TestSkipped: what comes while the process is frozen takes no token.
func TestSkipped(t *testing.T) {
	client := &plan.Client{QPS: 0.125, Burst: 1, Other: []plan.Traffic{{At: 10 * time.Second, Count: 1}}}
	for frozen, want := range map[bool]time.Duration{false: 7 * time.Second, true: 0} {
		var l Limiter
		l.Reset(client, 1, 0)
		l.Begin(0)
		l.Pass(machine.Mono(9 * time.Second))
		if frozen {
			l.Skip(machine.Mono(11 * time.Second))
		}
		wait, ok := l.Wait(machine.Mono(11*time.Second), math.MaxInt64)
		require.True(t, ok)
		require.Equal(t, want, wait)
	}
}

// TestWithin: a request waits for a token that comes as its context ends, and not for one that comes later.
func TestWithin(t *testing.T) {
	for within, want := range map[time.Duration]bool{750 * time.Millisecond: true, 750*time.Millisecond - 1: false} {
		var l Limiter
		l.Reset(&plan.Client{QPS: 1, Burst: 1}, 1, 0)
		l.Begin(0)
		_, ok := l.Wait(0, 0)
		require.True(t, ok)
		_, ok = l.Wait(machine.Mono(250*time.Millisecond), within)
		require.Equal(t, want, ok, within)
	}
}

// TestUntil: at the time at which none come any more no request comes.
func TestUntil(t *testing.T) {
	until := 12 * time.Second
	var l Limiter
	l.Reset(&plan.Client{QPS: 0.1, Burst: 3, Other: []plan.Traffic{{At: 10 * time.Second, Every: time.Second, Count: 1, Until: &until}}}, 1, 0)
	l.Begin(0)
	wait, ok := l.Wait(machine.Mono(until), math.MaxInt64)
	require.True(t, ok)
	require.Zero(t, wait, "two of three tokens were taken")
}

// TestDrawnGoesOn: traffic that is drawn never ends by a draw of no time.
func TestDrawnGoesOn(t *testing.T) {
	var l Limiter
	l.Reset(&plan.Client{QPS: 1, Burst: 1, Other: []plan.Traffic{{Every: 1, Count: 1, Drawn: true}}}, 1, 0)
	l.Begin(0)
	l.Pass(1000)
	require.Greater(t, l.next[0], machine.Mono(1000))
	require.NotEqual(t, never, l.next[0])
}
