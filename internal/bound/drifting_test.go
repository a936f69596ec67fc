package bound

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// fewTaken tells whether one of the ways to count the turns of leaders that take a lease back says how many there are.
func (m *model) fewTaken(t *rapid.T) bool {
	at, can := m.taking()
	if !m.c.Profile.DropsTicks() {
		assert.False(t, can && (m.attemptsTwice() || m.attemptsEarly()), "it can where it has no time to: %+v in %+v", *m.c, *m.e)
	}
	if !can {
		return true
	}
	_, counted := m.inZones(at)
	return counted || m.renewsLittle(at)
}

// countedFromSecond tells whether turns are counted from the writes on the second object.
func (m *model) countedFromSecond(left time.Duration) bool {
	_, known := m.turnsFromSecond(m.takeover(), left)
	return known
}

// TestNotBoth: where turns are few, no plan is known in which they go on for ever.
func TestNotBoth(t *testing.T) {
	few, endless := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := func(what string, low, high time.Duration) time.Duration {
			unit := rapid.SampledFrom([]time.Duration{1, us, ms, 50 * ms}).Draw(t, what+" unit")
			return max(low, time.Duration(rapid.Int64Range(int64(low), int64(high)).Draw(t, what)).Truncate(unit))
		}
		c := config(rapid.SampledFrom([]machine.Profile{machine.ClientGo, machine.ClientGoV024}).Draw(t, "profile"), 0, 0, 0)
		short := rapid.Bool().Draw(t, "short")
		c.LeaseDuration = d("lease", s, 4*s)
		if short { // of v0.24, on an annotation
			c.LeaseDuration = d("short lease", 25*ms, s-1)
			c.Profile = machine.ClientGoV024
		}
		c.RetryPeriod = d("period", min(20*ms, c.LeaseDuration/4), min(2*s, c.LeaseDuration*10/13-1))
		c.RenewDeadline = d("deadline", c.RetryPeriod*12/10+1, c.LeaseDuration-1)
		if over := max(c.LeaseDuration.Truncate(s), c.RetryPeriod*12/10) + 1; rapid.Bool().Draw(t, "over") && over < c.LeaseDuration-1 {
			c.RenewDeadline = d("longer deadline", over, c.LeaseDuration-1)
		}
		e := &Environment{MaxRoundTrip: d("trip", 0, c.RenewDeadline/4), MaxPause: d("pause", 0, s) * time.Duration(rapid.IntRange(0, 1).Draw(t, "frozen"))}
		e.MaxDriftPPM = rapid.SampledFrom([]int64{0, 0, 100, 10_000, 300_000}).Draw(t, "drift")
		c.RequestTimeout = rapid.SampledFrom([]time.Duration{c.LeaseDuration, c.RenewDeadline / 2, 5 * ms}).Draw(t, "timeout")
		if c.ReleaseOnCancel = c.Profile.ReadsFirst(); c.ReleaseOnCancel {
			c.Lock = rapid.SampledFrom([]plan.Lock{plan.Lease, plan.ConfigMapsLeases}).Draw(t, "lock")
			if short {
				c.Lock = plan.ConfigMap
			}
		}
		m := newModel(c, e)
		left, forEver := m.slow(c.RenewDeadline)+e.MaxPause, false
		switch {
		case c.ReleaseOnCancel:
			forEver = m.takesBlanks()
		case c.RenewDeadline <= m.lease() || m.lease() <= c.RetryPeriod:
			return
		default:
			forEver, left = m.slowTurns() || m.takesBack() || m.takesBackSlowly() || m.takesBackByGets() || m.mixedBacks() != nil, left-m.fast(m.lease())
		}
		_, known := m.turns(m.takeover(), left)
		if c.ReleaseOnCancel {
			_, told := m.toldInPoll()
			known = known || told || m.rotates() || m.countedFromSecond(left)
		} else {
			known = known || m.fewTaken(t)
		}
		if known {
			few++
		}
		if forEver {
			endless++
		}
		assert.False(t, known && forEver, "%+v in %+v", *c, *e)
	})
	t.Logf("%d few, %d for ever", few, endless)
}
