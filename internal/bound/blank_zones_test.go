package bound

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/few"
	"interregnum/plan"
)

// TestBlankZones: no turns are counted where a plan is known by which they go on for ever.
func TestBlankZones(t *testing.T) {
	forEver, counted := map[plan.Lock]int{}, map[plan.Lock]int{}
	for seed := range uint64(few.Of(800)) {
		r := rand.New(rand.NewPCG(seed, 1))
		share := func(d time.Duration, from, to int) time.Duration {
			return d * time.Duration(from+r.IntN(to-from)) / 100
		}
		c := &Config{Profile: machine.ClientGoV024, ReleaseOnCancel: true, Lock: []plan.Lock{plan.ConfigMap, plan.ConfigMapsLeases}[seed%2]}
		c.LeaseDuration = []time.Duration{share(time.Second, 3, 90), time.Second, share(time.Second, 100, 350)}[r.IntN(3)]
		c.RenewDeadline = share(c.LeaseDuration, 20, 100)
		c.RetryPeriod = share(c.RenewDeadline, 10, 80)
		c.RequestTimeout = share(c.RenewDeadline, 1, 150)
		e := &Environment{MaxDriftPPM: []int64{0, 0, 200, 5000, 100_000}[r.IntN(5)]}
		e.MaxRoundTrip = max(0, share(c.RenewDeadline, -20, 60))
		e.MaxPause = max(0, share(time.Second, -100, 100))
		if Refused(c) != nil {
			continue
		}
		m := newModel(c, e)
		_, known := m.inBlankZones()
		if m.takeBlanks() != nil {
			forEver[c.Lock]++
			assert.False(t, known, "%+v in %+v", *c, *e)
		} else if known {
			counted[c.Lock]++
		}
	}
	for _, lock := range []plan.Lock{plan.ConfigMap, plan.ConfigMapsLeases} {
		assert.Greater(t, forEver[lock], few.Of(50))
		assert.Greater(t, counted[lock], few.Of(50))
	}
}

// TestBlankZonesKnown: turns are counted by seconds alone, and by RetryPeriods, lost answers and freezes.
func TestBlankZonesKnown(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	for _, row := range []struct {
		lock                                          plan.Lock
		lease, deadline, period, timeout, trip, pause time.Duration
		drift                                         int64
	}{
		{plan.Lease, time.Second, 272000001, 60 * ms, 1684390, 1583, 600 * ms, 100_000},
		{plan.Lease, time.Second, 48154951, 19999999, 48154951, 0, 934467930, 5000},
		{plan.ConfigMap, 260736380, 165098497, 19 * ms, 36556321, 6769350, 120 * ms, 0},
		{plan.Lease, time.Second, 723697294, 600 * ms, 62271940, 0, 110 * ms, 200},
		{plan.Lease, 1654749169, 1654749166, 891273526, 3 * time.Second, 355338332, 0, 0},
		{plan.Lease, 2 * time.Second, 1061062969, 882251859, 3474080, 500 * ms, 118724605, 0},
	} {
		c := &Config{
			Timings: machine.Timings{LeaseDuration: row.lease, RenewDeadline: row.deadline, RetryPeriod: row.period},
			Profile: machine.ClientGoV024, ReleaseOnCancel: true, RequestTimeout: row.timeout, Lock: row.lock,
		}
		r, err := Of(c, &Environment{MaxRoundTrip: row.trip, MaxPause: row.pause, MaxDriftPPM: row.drift})
		if assert.NoError(t, err) {
			most, known := r.AtMost()
			assert.True(t, known && most < 40*time.Minute, "%+v: %v", row, most)
			assert.Greater(t, most, r.Overlap+10*us)
		}
	}
}
