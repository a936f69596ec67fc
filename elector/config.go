package elector

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/clock"

	"interregnum/elector/machine"
)

// JitterFactor is the share of RetryPeriod by which the wait between two attempts to acquire is prolonged at most. RenewDeadline
// must exceed RetryPeriod times JitterFactor.
const JitterFactor = machine.JitterFactor

// LeaderElectionConfig is one candidate's part in an election. The three durations must satisfy
// LeaseDuration > RenewDeadline > RetryPeriod * JitterFactor > 0.
type LeaderElectionConfig struct {
	// Lock holds the record of who leads. Its methods are called one at a time, Get, Create and Update
	// each on a goroutine of its own. Required.
	Lock resourcelock.Interface

	// Profile is the variant of the algorithm. The zero value is Strict.
	Profile Profile

	// LeaseDuration is how long other candidates wait, after they last saw the record change,
	// before they take over. The record carries it in whole seconds: rounded up with Strict, the
	// fraction cut off with ClientGo, where a Kubernetes API server refuses less than one. Usual: 15s.
	LeaseDuration time.Duration
	// RenewDeadline is how long a leader goes on trying to renew before it gives up; with Strict it
	// counts from the sending of the last renewal that was acknowledged. Usual: 10s.
	RenewDeadline time.Duration
	// RetryPeriod is the wait between two attempts, to renew exactly and to acquire at least.
	// Usual: 2s.
	RetryPeriod time.Duration

	// Callbacks tell when leading starts and stops.
	Callbacks LeaderCallbacks

	// WatchDog is tied to the elector by RunOrDie. Optional.
	WatchDog *HealthzAdaptor

	// ReleaseOnCancel gives the lease up when Run ends, so that the next leader need not wait for
	// it to expire. With Strict that is safe: it happens once the work and then OnStoppedLeading have
	// returned, and not at all where the work has outlived the lease or the lease has become another's.
	// So a program that exits in OnStoppedLeading gives nothing up: it should exit when Run has returned.
	// With ClientGo it happens before the work has returned, which must therefore be over by the time that
	// Run's context is cancelled.
	ReleaseOnCancel bool

	// Name is the lock's name in metrics and in the error of Check.
	Name string

	// Coordinated is for locks whose holder somebody else elects, as kube-apiserver's controller does
	// among the LeaseCandidates of a Lease (alpha in Kubernetes): the candidate never takes the lock, and
	// renews it while it names this candidate as holder and no preferred one. With ClientGo only.
	Coordinated bool

	// Clock drives timers and expiry, and its time goes into records. Nil is the real clock. Of its
	// methods only Now and NewTimer are called, with Strict on several goroutines; and Lost, where it has
	// such a method: the time for which the host has slept, as of *boottime.Clock, which the real clock
	// is taken together with. Not a field of client-go's.
	Clock clock.Clock

	// Jitter draws from [0,1) the share of JitterFactor that a wait to acquire is prolonged by. It
	// is called on Run's goroutine, once a wait. Nil draws at random. Not a field of client-go's.
	Jitter func() float64

	// OnWorkError is called by RunUntil with each error or panic that ended the work. Run has no such
	// errors. Optional. Not a field of client-go's.
	OnWorkError func(error)
}

// LeaderCallbacks are called when a candidate's part in the election changes.
type LeaderCallbacks struct {
	// OnStartedLeading is the guarded work, called on a goroutine of its own when the candidate
	// starts to lead. It should return once its context has ended and the work is over, that of
	// goroutines that it has started included. With Strict its return is waited for, at most until
	// the lease runs out; with ClientGo nobody waits. To return earlier does not end leading.
	// FencingToken of its context is the token of this term. Required.
	OnStartedLeading func(context.Context)
	// OnStoppedLeading is called on Run's goroutine, once for each Run, also when the candidate never
	// led. With Strict it is called when OnStartedLeading has returned, and at the latest when it should
	// have: at once where the lease was lost, and RenewDeadline after the last renewal was sent where
	// Run's context has ended. A program that looks at nothing else and exits here has LeaseDuration −
	// RenewDeadline for that; a log or recorder that blocks takes up to 100 ms of it. Run then goes on waiting
	// for OnStartedLeading, and for a call of the lock that does not end with its context. The lease is given
	// up only after this call has returned; RenewDeadline after this call has begun is the deadline for that.
	// With ClientGo it is called when Run ends, and so after the lease was given up. Required.
	OnStoppedLeading func()
	// OnNewLeader is called, on a goroutine of its own, with the identity of each new holder that
	// the candidate sees, its own included, and with "" after a release. Optional.
	OnNewLeader func(identity string)
}

// validate returns an error for a configuration that cannot be safe or cannot work. With Strict the error names
// everything that is wrong, with ClientGo only the first thing. Of an unknown profile it says only that it is unknown.
func (c *LeaderElectionConfig) validate() error {
	switch c.Profile {
	case "", Strict:
		return errors.Join(append([]error{c.timings().ValidateStrict()}, c.missing()...)...)
	case ClientGo:
		if err := c.timings().Validate(); err != nil {
			return err
		}
		if missing := c.missing(); len(missing) > 0 {
			return missing[0]
		}
		return nil
	}
	return fmt.Errorf("unknown profile %q: expected %q or %q", c.Profile, Strict, ClientGo)
}

// missing returns an error for each required field that is not set, and for each setting that the profile does not support; nil
// if there are none. It does not check timings.
func (c *LeaderElectionConfig) missing() (missing []error) {
	refuse := func(what string) { missing = append(missing, errors.New(what)) }
	if c.Callbacks.OnStartedLeading == nil {
		refuse("OnStartedLeading callback must not be nil")
	}
	if c.Callbacks.OnStoppedLeading == nil {
		refuse("OnStoppedLeading callback must not be nil")
	}
	lease, isLease := c.Lock.(*resourcelock.LeaseLock)
	switch {
	case c.Lock == nil, isLease && lease == nil:
		refuse("Lock must not be nil.")
	case c.Lock.Identity() == "":
		refuse("Lock identity is empty")
	}
	if isLease && lease != nil && c.Profile != ClientGo {
		missing = append(missing, missingOfLease(lease)...)
	}
	if c.Coordinated && c.Profile != ClientGo {
		refuse(fmt.Sprintf("coordinated election is offered with profile %q only: Coordinated must be false", ClientGo))
	}
	return missing
}

// missingOfLease returns an error for each field of a LeaseLock without which it can send no request; nil if there are none.
func missingOfLease(lock *resourcelock.LeaseLock) (missing []error) {
	name := lock.LeaseMeta.Name
	if problems := validation.IsDNS1123Subdomain(name); len(problems) > 0 {
		missing = append(missing, fmt.Errorf("the lock: want LeaseMeta.Name to be the name of a Lease, got %.100q: %s", name, problems[0]))
	}
	if lock.Client == nil {
		missing = append(missing, errors.New("the lock: want Client to be that of coordination/v1, got nil"))
	}
	return missing
}

// setDefaults sets Profile, Clock and Jitter to their defaults if they are not set.
func (c *LeaderElectionConfig) setDefaults() {
	if c.Profile == "" {
		c.Profile = Strict
	}
	if c.Clock == nil {
		c.Clock = clock.RealClock{}
	}
	if c.Jitter == nil {
		c.Jitter = rand.Float64
	}
}

// timings returns the three durations in the form that the algorithm takes.
func (c *LeaderElectionConfig) timings() machine.Timings {
	return machine.Timings{
		LeaseDuration: c.LeaseDuration,
		RenewDeadline: c.RenewDeadline,
		RetryPeriod:   c.RetryPeriod,
	}
}

// machine returns the configuration in the form that the algorithm takes. The configuration must be valid.
func (c *LeaderElectionConfig) machine() machine.Config {
	profile := c.Profile.machine()
	if c.Coordinated {
		profile.ByCoordinator = true
	}
	return machine.Config{
		Timings:         c.timings(),
		Identity:        c.Lock.Identity(),
		ReleaseOnCancel: c.ReleaseOnCancel,
		Profile:         profile,
		Unit:            unitOf(c.Lock),
		FailedGetMoves:  failedGetMoves(c.Lock),
	}
}
