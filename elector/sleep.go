package elector

import (
	"time"

	"k8s.io/utils/clock"

	"interregnum/elector/boottime"
)

// sleeper is a Clock that also tells for how long its monotonic part stood still while the host slept: Lost. *boottime.Clock is
// one.
type sleeper interface{ Lost() time.Duration }

// waller is a Clock that also has a wall time of its own: Wall. It differs from the wall part of Now, as in a test.
type waller interface{ Wall() time.Time }

// wallOf returns a clock's wall time: that of its method Wall if it has one, otherwise the wall part of now, a reading of it.
func wallOf(c clock.Clock, now time.Time) time.Time {
	if w, ok := c.(waller); ok {
		return w.Wall()
	}
	return now.Round(0)
}

// sleeperOf returns what measures for how long the host has slept: the configured clock if it is a sleeper, or the system's boot
// clock for the real clock. It returns nil for any other clock, and with ClientGo.
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
