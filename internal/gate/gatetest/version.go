package gatetest

import (
	"interregnum/elector/machine"
	"interregnum/internal/bound"
)

// Between returns what client-go v0 and that number does on a Lease, for a version from v0.26 to v0.36: as the profile client-go-v0.24, or as
// client-go from v0.30 on, but that ticks are dropped before v0.32, and that before v0.34 the release reads nothing and the lock keeps its
// object. From v0.34 on the release reads once.
func Between(minor int) machine.Profile {
	p := machine.ClientGoV024
	if minor >= 30 {
		p = machine.ClientGo
	}
	if minor >= 34 {
		p.Release = machine.ReleaseOnce
		return p
	}
	p.Release, p.Object = machine.ReleaseBlind, machine.ObjectOfLock
	if minor < 32 {
		p.TicksDropped = true
	}
	if minor >= 27 {
		p.ExpiryOwn = false
	}
	return p
}

// JudgedAs returns the configuration with which a program with client-go v0 and that number is judged.
func JudgedAs(c *bound.Config, minor int) *bound.Config {
	judged := *c
	judged.SetClientGo(minor)
	return &judged
}

// Profiles are those of client-go's algorithm of which an exact bound is known.
var Profiles = []machine.Profile{machine.ClientGo, machine.ClientGoV024, machine.ClientGoNext, machine.Strict}
