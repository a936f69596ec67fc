package bound

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

// randomPoll is a poll of a leader that has lost the lock: what it reads, and when it then begins an attempt that takes the lock back. It
// meets what the drawn numbers say, and knows of client-go's poll and nothing else: a ticker that keeps one tick.
type randomPoll struct {
	t             *rapid.T
	c             *Config
	answer, pause time.Duration
	now           time.Duration
	ticks         time.Duration // that were taken
}

// often draws a time up to most, at one of its ends as often as not.
func (p *randomPoll) often(what string, most time.Duration) time.Duration {
	at := time.Duration(rapid.Int64Range(0, int64(most)).Draw(p.t, what))
	return rapid.SampledFrom([]time.Duration{0, at, most}).Draw(p.t, "at an end")
}

// request passes, and is answered or not.
func (p *randomPoll) request() (ok bool) {
	if f := p.c.RequestTimeout; f > 0 && rapid.IntRange(0, 3).Draw(p.t, "lost") == 0 {
		p.now += f
		return false
	}
	p.now += p.often("answer", p.answer)
	return rapid.IntRange(0, 5).Draw(p.t, "fails") > 0
}

// freezes passes for some of what is left of the pause, now and then.
func (p *randomPoll) freezes() {
	if p.pause > 0 && rapid.IntRange(0, 3).Draw(p.t, "freezes") == 0 {
		d := p.often("freeze", p.pause)
		p.now, p.pause = p.now+d, p.pause-d
	}
}

// next waits for a tick, or takes the one that was kept.
func (p *randomPoll) next() {
	period := p.c.RetryPeriod
	p.freezes()
	if passed := p.now / period; passed > p.ticks {
		p.ticks = passed
	} else {
		p.ticks++
		p.now = p.ticks * period
		p.freezes()
		p.ticks = max(p.ticks, p.now/period)
		p.freezes() // it has the tick, and has not begun: the next one is kept
	}
}

// run returns when the leader has read the other's record, and when it begins an attempt after that has run out; false where its poll is over.
func (p *randomPoll) run() (read, takes time.Duration, taken bool) {
	wrote := rapid.IntRange(0, 2).Draw(p.t, "the other one has written")
	known := false
	p.freezes()
	for n := 0; p.now < p.c.RenewDeadline; n++ {
		begins := p.now
		if known && begins-read >= p.c.Lease() {
			return read, begins, true
		}
		p.freezes()
		switch {
		case known:
			p.request()
		default:
			p.request() // its optimistic update
			if ok := p.request(); ok && n >= wrote {
				read, known = p.now, true
			} else if ok {
				p.request()
			}
		}
		p.freezes()
		p.next()
	}
	return 0, 0, false
}

// follows makes the attempt that takes the lock back, and tells whether another one begins in the same poll.
func (p *randomPoll) follows() bool {
	p.freezes()
	p.request()
	p.request()
	p.freezes()
	p.next()
	return p.now < p.c.RenewDeadline
}

// TestTaking: no poll takes the lock back at another time than those that are computed, nor has an attempt after that where no tick is left.
func TestTaking(t *testing.T) {
	seen, never, followed, ends := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := config(machine.ClientGo, 0, 0, 0)
		unit := rapid.SampledFrom([]time.Duration{1, us, 50 * ms}).Draw(t, "unit")
		d := func(what string, low, high time.Duration) time.Duration {
			return max(low, time.Duration(rapid.Int64Range(int64(low), int64(high)).Draw(t, what)).Truncate(unit))
		}
		lease := time.Duration(rapid.IntRange(1, 5).Draw(t, "seconds")) * s
		c.LeaseDuration = lease + 999*ms
		c.RenewDeadline = lease + d("over", 1, 998*ms)
		c.RetryPeriod = d("period", lease/8, lease*8/10)
		c.RequestTimeout = rapid.SampledFrom([]time.Duration{0, c.RetryPeriod, d("timeout", ms, lease)}).Draw(t, "timeouts")
		e := &Environment{MaxRoundTrip: rapid.SampledFrom([]time.Duration{0, d("trip", 0, c.RetryPeriod), d("long trip", 0, lease)}).Draw(t, "trips")}
		e.MaxPause = rapid.SampledFrom([]time.Duration{0, 0, d("pause", 0, c.RetryPeriod), d("long pause", 0, lease)}).Draw(t, "pauses")
		if f := c.RequestTimeout; f > 0 {
			e.MaxRoundTrip = min(e.MaxRoundTrip, f) // which leaves out waits before a request
		}
		m := newModel(c, e)
		at, can := m.taking()
		z := &zones{model: m, taking: at, aligned: m.aligned(), pause: e.MaxPause}
		if !can {
			never++
		}
		for range 20 {
			p := &randomPoll{t: t, c: c, answer: e.MaxRoundTrip, pause: e.MaxPause}
			read, takes, taken := p.run()
			if !taken {
				continue
			}
			seen++
			within, left := false, false
			thawed := takes - (e.MaxPause - p.pause)
			for i, b := range at.begins {
				if b.low <= takes && takes <= b.high {
					within, left = true, left || thawed <= at.unfrozen[i] && z.ticksLeft(i)
				}
			}
			if z.aligned && e.MaxPause > 0 {
				if ends += one(!left); p.follows() {
					followed++
					assert.True(t, left, "%v after it began, and at %v again: %+v; %+v in %+v", takes, p.now, at, *c, *e)
				}
			}
			assert.True(t, within && takes-read >= at.after, "%v after it began, which had read at %v: %+v; %+v in %+v", takes, read, at, *c, *e)
		}
	})
	t.Logf("%d polls that take the lock back, %d configurations in which none can", seen, never)
	t.Logf("%d of attempts at ticks have another attempt after that, and %d can have none", followed, ends)
}

// one is 1 for what is so.
func one(so bool) int {
	if so {
		return 1
	}
	return 0
}
