package elector

import (
	"time"

	"k8s.io/utils/clock"

	"interregnum/elector/boottime"
)

// sleeper is a method that a Clock may have: Lost returns the time for which its monotonic part stood still while the
// host slept. *boottime.Clock has it.
type sleeper interface{ Lost() time.Duration }

// waller is a method that a Clock may have: Wall returns its wall time, where that is not the wall part of Now, as in a
// test.
type waller interface{ Wall() time.Time }

// wallOf returns a clock's wall time: its own where it has one, otherwise that of the reading now.
func wallOf(c clock.Clock, now time.Time) time.Time {
	if w, ok := c.(waller); ok {
		return w.Wall()
	}
	return now.Round(0)
}

// sleeperOf returns what measures for how long the host has slept: the configured clock where it can, or the system's
// boot clock where the real clock is used. It is nil for any other clock, and with ClientGo.
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
