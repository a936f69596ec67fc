package gatetest

import (
	"time"

	"pgregory.net/rapid"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
)

// WallClocked are the profiles of which internal/bound/wall_clock.go is.
var WallClocked = []machine.Profile{machine.Java, machine.CSharp}

// DrawWallClocked draws a configuration of that profile, and an environment.
func DrawWallClocked(t *rapid.T, p machine.Profile) (*bound.Config, *bound.Environment) {
	c := DrawConfig(t, p)
	c.ReleaseOnCancel = rapid.Bool().Draw(t, "release")
	if !p.TimesOut() {
		c.RequestTimeout = 0
	}
	if p.Validate(machine.Timings{}) == nil && rapid.IntRange(0, 2).Draw(t, "any deadline") == 0 {
		c.RenewDeadline = DrawLike(t, "deadline", time.Millisecond, 2*c.LeaseDuration)
	}
	e := DrawEnvironment(t, c)
	if c.LeaseDuration > c.RenewDeadline+2*time.Millisecond {
		e.MaxClockOffset = Sometimes(t, "maxClockOffset", time.Millisecond, c.LeaseDuration-c.RenewDeadline)
	}
	if c.LeaseDuration-e.MaxClockOffset == c.RetryPeriod {
		e.MaxClockOffset = 0 // or the follower looks again at the very instant at which the lease has run out
	}
	return c, e
}
