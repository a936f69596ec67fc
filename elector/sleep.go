package elector

import (
	"time"

	"k8s.io/utils/clock"

	"interregnum/elector/boottime"
)

// sleeper is what a Clock may have beside its methods: the time for which the clock's monotonic part stood still.
// *boottime.Clock is one.
type sleeper interface{ Lost() time.Duration }

// waller is what a Clock may have where what its wall clock shows is not the wall part of Now, as in a test.
type waller interface{ Wall() time.Time }

// wallOf returns the wall time at a reading of a clock: what the clock says it is, where it has a wall time of its own, or else the reading.
func wallOf(c clock.Clock, now time.Time) time.Time {
	if w, ok := c.(waller); ok {
		return w.Wall()
	}
	return now.Round(0)
}

// sleeperOf returns what tells for how long the system has been asleep: the clock itself where it can, or the system's boot clock where the real
// clock is used. It is nil for any other clock, and with ClientGo.
func sleeperOf(config *LeaderElectionConfig) sleeper {
	if config.Profile != Strict {
		return nil
	}
	switch c := config.Clock.(type) {
	case sleeper:
		return c
	case clock.RealClock:
		return boottime.New()
	}
	return nil
}
