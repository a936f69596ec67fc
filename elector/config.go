package elector

import (
	"context"
	"errors"
	"time"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/clock"

	"interregnum/elector/machine"
)

// JitterFactor is the share of RetryPeriod that the wait between two attempts to acquire adds at
// most. RenewDeadline must exceed RetryPeriod times JitterFactor.
const JitterFactor = machine.JitterFactor

// LeaderElectionConfig is one candidate's part in an election. The three durations must satisfy
// LeaseDuration > RenewDeadline > RetryPeriod * JitterFactor > 0.
type LeaderElectionConfig struct {
	// Lock holds the record of who leads. Its methods are called one at a time, Get, Create and Update
	// each on a goroutine of its own. Required.
	Lock resourcelock.Interface

	// LeaseDuration is how long other candidates wait, after they last saw the record change,
	// before they take over. The record carries it in whole seconds, the fraction cut off; a
	// Kubernetes API server refuses less than one. Usual: 15s.
	LeaseDuration time.Duration
	// RenewDeadline is how long a leader goes on trying to renew before it gives up. Usual: 10s.
	RenewDeadline time.Duration
	// RetryPeriod is the wait between two attempts, to renew exactly and to acquire at least.
	// Usual: 2s.
	RetryPeriod time.Duration

	// Callbacks tell when leading starts and stops.
	Callbacks LeaderCallbacks

	// WatchDog is tied to the elector by RunOrDie. Optional.
	WatchDog *HealthzAdaptor

	// ReleaseOnCancel gives the lease up when Run ends, so that the next leader need not wait for
	// it to expire. It happens before the work has returned, which must therefore be over by the
	// time that Run's context is cancelled.
	ReleaseOnCancel bool

	// Name is the lock's name in metrics and in the error of Check.
	Name string

	// Coordinated asks for coordinated election, which is not implemented: true is refused.
	Coordinated bool

	// Clock drives timers and expiry, and its time goes into records. Nil is the real clock. Of its
	// methods only Now and NewTimer are called. Not a field of client-go's.
	Clock clock.Clock

	// Jitter draws from [0,1) the share of JitterFactor that a wait to acquire is prolonged by. It
	// is called on Run's goroutine, once a wait. Nil draws at random. Not a field of client-go's.
	Jitter func() float64
}

// LeaderCallbacks are called when a candidate's part in the election changes.
type LeaderCallbacks struct {
	// OnStartedLeading is the guarded work, called on a goroutine of its own when the candidate
	// starts to lead. It must return soon after its context ends; nobody waits for it. Required.
	OnStartedLeading func(context.Context)
	// OnStoppedLeading is called on Run's goroutine each time that Run ends, also when the
	// candidate never led. Required.
	OnStoppedLeading func()
	// OnNewLeader is called, on a goroutine of its own, with the identity of each new holder that
	// the candidate sees, its own included, and with "" after a release. Optional.
	OnNewLeader func(identity string)
}

// validate refuses what the library refuses, in its order and wording, and then what it supports
// but this package does not.
func (c *LeaderElectionConfig) validate() error {
	if err := c.timings().Validate(); err != nil {
		return err
	}
	switch {
	case c.Callbacks.OnStartedLeading == nil:
		return errors.New("OnStartedLeading callback must not be nil")
	case c.Callbacks.OnStoppedLeading == nil:
		return errors.New("OnStoppedLeading callback must not be nil")
	case c.Lock == nil:
		//lint:ignore ST1005 the library's wording
		return errors.New("Lock must not be nil.")
	case c.Lock.Identity() == "":
		//lint:ignore ST1005 the library's wording
		return errors.New("Lock identity is empty")
	case c.Coordinated:
		return errors.New("coordinated election is not implemented: Coordinated must be false")
	}
	return nil
}

func (c *LeaderElectionConfig) timings() machine.Timings {
	return machine.Timings{
		LeaseDuration: c.LeaseDuration,
		RenewDeadline: c.RenewDeadline,
		RetryPeriod:   c.RetryPeriod,
	}
}

func (c *LeaderElectionConfig) machine() machine.Config {
	return machine.Config{
		Timings:         c.timings(),
		Identity:        c.Lock.Identity(),
		ReleaseOnCancel: c.ReleaseOnCancel,
		Profile:         machine.ClientGo,
	}
}
