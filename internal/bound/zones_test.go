package bound

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/few"
)

// TestZones: turns are counted, or not, each for a reason.
func TestZones(t *testing.T) {
	type row struct {
		lease, deadline, period, timeout time.Duration
		e                                Environment
		known                            bool
	}
	for name, row := range map[string]row{
		"turns on ticks end, and are not all alike": {lease: 1786980292, deadline: 1786980290, period: 239150241, known: true},
		"two leases and two renewals fit exactly":   {lease: s + 38, deadline: s + 1, period: 500 * ms, timeout: 5 * ms},
		"a freeze is too short for two turns": {
			lease: 1036488525, deadline: 1036488523, period: 862907102, e: Environment{MaxRoundTrip: 5687, MaxPause: 294267566}, known: true,
		},
		"a freeze is long enough for each": {
			lease: 1036488525, deadline: 1036488523, period: 862907102, e: Environment{MaxRoundTrip: 5687, MaxPause: 2 * 294267566},
		},
		"a freeze is longer than a period, and no tick is left after it": {
			lease: 2534296450, deadline: 2534288449, period: 1028573707, e: Environment{MaxRoundTrip: 2101, MaxPause: 1400 * ms}, known: true,
		},
		"a renewal loses an answer, or does not": {
			lease: 1017184072, deadline: 1017184070, period: 846903391, timeout: 508592035, e: Environment{MaxPause: 200 * ms, MaxDriftPPM: 5000}, known: true,
		},
		"answers can take any part of that time": {
			lease: 1017184072, deadline: 1017184070, period: 846903391, timeout: 508592035,
			e: Environment{MaxRoundTrip: 508592034, MaxPause: 200 * ms, MaxDriftPPM: 5000},
		},
		"a lost answer and a freeze make a turn whole seconds": {
			lease: 1999 * ms, deadline: 1260 * ms, period: 843 * ms, timeout: 302400 * us, e: Environment{MaxRoundTrip: 10 * ms, MaxPause: 167 * ms},
		},
		"a leader writes for less time than a turn takes at least": {
			lease: 3999 * ms, deadline: 3521 * ms, period: 446 * ms, timeout: 140840 * us,
			e: Environment{MaxRoundTrip: 70420 * us, MaxDriftPPM: 200000}, known: true,
		},
	} {
		c := config(machine.ClientGo, row.lease, row.deadline, row.period)
		c.RequestTimeout = row.timeout
		m := newModel(c, &row.e)
		at, can := m.taking()
		assert.True(t, can, name)
		_, known := m.inZones(at)
		assert.Equal(t, row.known, known, name)
	}
}

// TestZonesAndPlans: where a plan without end is known, in which a renewal may lose an answer, zones do not end. Most such plans are near the
// edge of what a freeze and a lost answer make possible.
func TestZonesAndPlans(t *testing.T) {
	endless := 0
	for seed := range uint64(few.Of(1600)) {
		r := rand.New(rand.NewPCG(seed, 7))
		lease := time.Duration(1+r.IntN(3)) * s
		c := config(machine.ClientGo, lease+999*ms, lease+time.Duration(1+r.IntN(400))*ms, 0)
		c.RetryPeriod = min(time.Duration(300+r.IntN(690))*ms, c.RenewDeadline*10/13)
		c.RequestTimeout = c.RenewDeadline * time.Duration(10+r.IntN(60)) / 100
		e := &Environment{MaxRoundTrip: time.Duration(r.IntN(20)) * ms, MaxPause: time.Duration(r.IntN(900)) * ms, MaxDriftPPM: int64(r.IntN(3)) * 4000}
		m := newModel(c, e)
		at, can := m.taking()
		if !can || !(m.slowTurns() || m.takesBack() || m.takesBackSlowly()) {
			continue
		}
		_, known := m.inZones(at)
		assert.False(t, known, "%+v in %+v", *c, *e)
		endless++
	}
	t.Logf("%d plans", endless)
	assert.Greater(t, endless, few.Of(100))
}

// TestLostInPoll: a plan in which a renewal loses an answer, and lasts for longer than its poll then, shows nothing.
func TestLostInPoll(t *testing.T) {
	c := config(machine.ClientGo, 2999*ms, 2199*ms, 269*ms)
	c.RequestTimeout = 2188762041
	assert.False(t, newModel(c, &Environment{MaxRoundTrip: 136663551}).takesBack())
	c = config(machine.ClientGo, 3999*ms, 3417*ms, 563*ms)
	c.RequestTimeout = 3312933659
	assert.False(t, newModel(c, &Environment{MaxRoundTrip: 78312613}).takesBack())
}

// TestTicksLeft: another attempt can follow in the same poll if a tick is left, be it one that came in a freeze.
func TestTicksLeft(t *testing.T) {
	for name, row := range map[string]struct {
		deadline, pause time.Duration
		left            []bool // of each attempt of a poll that is at a tick after the lease, or frozen until then
	}{
		"a short freeze keeps no tick":             {2100 * ms, 500 * ms, []bool{false}},
		"a freeze over 1.8 s keeps that tick":      {2100 * ms, 900 * ms, []bool{true, false}},
		"2.4 s is left":                            {2500 * ms, 500 * ms, []bool{true, false}},
		"where nobody is frozen, nothing is asked": {3100 * ms, 0, []bool{false, false}},
	} {
		m := newModel(config(machine.ClientGo, 2*s, row.deadline, 600*ms), &Environment{MaxPause: row.pause})
		at, can := m.taking()
		assert.True(t, can, name)
		z := &zones{model: m, taking: at, aligned: m.aligned(), pause: row.pause}
		var left []bool
		for i := range at.begins {
			left = append(left, z.ticksLeft(i))
		}
		assert.Equal(t, row.left, left, "%s: %+v", name, at)
	}
}
