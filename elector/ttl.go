package elector

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/utils/clock"

	"interregnum/elector/machine"
	"interregnum/elector/ttl"
)

// TTLConfig is one candidate's part in an election on a key that expires by itself: see package ttl for the algorithm and
// for what must hold. The lock's TTL takes the part of LeaseDuration, and the three durations must satisfy
// TTL > RenewDeadline > RetryPeriod * JitterFactor > 0.
type TTLConfig struct {
	// Lock is the key. It must not be shared with another candidate. Required.
	Lock ttl.Lock

	// Profile is the variant of the algorithm. The zero value is Strict.
	Profile Profile

	// RenewDeadline is how long a leader goes on after its last refresh that was answered; with Strict it counts from
	// when that refresh was sent. What is left of the TTL is for the work to stop in. Usual: two thirds of the TTL.
	RenewDeadline time.Duration
	// RetryPeriod is the wait between two refreshes, exactly, and between two looks at a lock that cannot be
	// watched, at least. Usual: a fifth of RenewDeadline.
	RetryPeriod time.Duration

	// Callbacks tell when leading starts and stops.
	Callbacks TTLCallbacks

	// Again has RunTTL take part again once the candidate has been defeated, until its context ends. With Strict it
	// first waits for OnElected to return; with ClientGo it does not.
	Again bool

	// ReleaseOnCancel gives the key up when the candidate stops, so that the next leader need not wait for it to
	// expire. With Strict that happens once the work has returned, and not at all where it has outlived the TTL; with
	// ClientGo before the work's context ends.
	ReleaseOnCancel bool

	// Name is the lock's name in metrics and in the error of Check.
	Name string

	// WatchDog is tied to the elector by RunTTL, and to each by RunUntilTTL. Optional.
	WatchDog *HealthzAdaptor

	// Clock drives timers. Nil is the real clock. Of its methods only Now and NewTimer are called.
	Clock clock.Clock

	// Jitter draws from [0,1) the share of JitterFactor that a wait between two looks is prolonged by. It is called on
	// Run's goroutine, once a wait. Nil draws at random.
	Jitter func() float64

	// OnWorkError is called by RunUntilTTL with each error or panic that ended the work. Optional.
	OnWorkError func(error)
}

// TTLCallbacks are called when a candidate's part in the election changes.
type TTLCallbacks struct {
	// OnElected is the guarded work, called on a goroutine of its own when the candidate starts to lead, with the fencing
	// token of its entry, which FencingToken of its context is too. It should return once that context has ended and the work
	// is over. With Strict its return is waited for, at most until the entry runs out; with ClientGo nobody waits. To
	// return earlier does not end leading. Required.
	OnElected func(ctx context.Context, token uint64)
	// OnDefeated is called on Run's goroutine when a term is over, whatever ended it. With Strict OnElected has returned by then,
	// or should have, and the key is given up only afterwards: as LeaderCallbacks.OnStoppedLeading. Optional.
	OnDefeated func()
	// OnNewLeader is called, on a goroutine of its own, with the identity of each new holder that the candidate sees,
	// its own included, and with "" where there is none. Optional.
	OnNewLeader func(identity string)
}

// RunTTL makes an elector, ties it to c.WatchDog if there is one, and takes part in the election. It returns nil when ctx has
// ended or, if c.Again is not set, when the candidate has led and is defeated. Its error is that of NewTTLElector.
func RunTTL(ctx context.Context, c TTLConfig) error {
	le, err := NewTTLElector(c)
	if err != nil {
		return err
	}
	if c.WatchDog != nil {
		c.WatchDog.SetLeaderElection(le)
	}
	le.Run(ctx)
	for c.Again && ctx.Err() == nil {
		le.Run(ctx)
	}
	return nil
}

// NewTTLElector returns a candidate that has not started, or an error. The error names all required fields that are missing, and an
// unknown profile. If neither is wrong, it is about the timings: with Strict it names every rule that they break, with the numbers,
// with ClientGo the first one. Run of the elector ends when ctx does or when the candidate has led and is defeated, and may be
// called again.
func NewTTLElector(c TTLConfig) (*LeaderElector, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	le := newTTLElector(c.Lock, c.elector())
	var over <-chan struct{}
	le.config.Callbacks.OnStoppedLeading = func() {
		// Run ends with this call whether or not it has led.
		if work := le.lastWork(); work != over && c.Callbacks.OnDefeated != nil {
			over = work
			c.Callbacks.OnDefeated()
		}
	}
	return le, nil
}

// newTTLElector returns a candidate with the algorithm for locks that expire by themselves. config must be valid and have its
// defaults; its LeaseDuration is the lock's TTL.
func newTTLElector(lock ttl.Lock, config LeaderElectionConfig) *LeaderElector {
	m := ttl.New(machine.Config{
		Timings:         config.timings(),
		Identity:        lock.Identity(),
		ReleaseOnCancel: config.ReleaseOnCancel,
		Profile:         config.Profile.machine(),
	})
	return newElector(config, &m, expiring{lock})
}

// elector returns the configuration as a LeaderElectionConfig with its defaults, without a Lock and without
// OnStoppedLeading. The lock's TTL is its LeaseDuration.
func (c *TTLConfig) elector() LeaderElectionConfig {
	config := LeaderElectionConfig{
		Profile:       c.Profile,
		LeaseDuration: c.Lock.TTL(), RenewDeadline: c.RenewDeadline, RetryPeriod: c.RetryPeriod,
		Callbacks: LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				token, _ := FencingToken(ctx)
				c.Callbacks.OnElected(ctx, token)
			},
			OnNewLeader: c.Callbacks.OnNewLeader,
		},
		ReleaseOnCancel: c.ReleaseOnCancel,
		Name:            c.Name,
		WatchDog:        c.WatchDog,
		Clock:           c.Clock,
		Jitter:          c.Jitter,
		OnWorkError:     c.OnWorkError,
	}
	config.setDefaults()
	return config
}

// validate returns an error for a configuration that cannot be safe or cannot work. If missing returns errors, it is these and
// nothing else; otherwise it is about the timings.
func (c *TTLConfig) validate() error {
	if missing := errors.Join(c.missing()...); missing != nil {
		return missing
	}
	config := c.elector()
	err := config.timings().ValidateStrict()
	if c.Profile == ClientGo {
		err = config.timings().Validate()
	}
	if err != nil {
		return fmt.Errorf("%s, whose TTL of %v is the leaseDuration: %w", c.Lock.Describe(), c.Lock.TTL(), err)
	}
	return nil
}

// missing returns an error for each required field that is not set, and for an unknown profile; nil if there are none. It does
// not check timings.
func (c *TTLConfig) missing() (missing []error) {
	refuse := func(what string, values ...any) { missing = append(missing, fmt.Errorf(what, values...)) }
	if c.Callbacks.OnElected == nil {
		refuse("OnElected callback must not be nil")
	}
	switch {
	case c.Lock == nil:
		refuse("Lock must not be nil")
	case c.Lock.Identity() == "":
		refuse("Lock identity is empty")
	}
	switch c.Profile {
	case "", Strict, ClientGo:
	default:
		refuse("unknown profile %q: expected %q or %q", c.Profile, Strict, ClientGo)
	}
	return missing
}
