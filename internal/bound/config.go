package bound

import (
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// Config is the configuration that all candidates share.
type Config struct {
	machine.Timings
	Profile         machine.Profile
	ReleaseOnCancel bool
	// RequestTimeout is how long a client waits for an answer, on its own clock, once the request has left; 0 is for ever.
	RequestTimeout time.Duration
	// Lock is the kind of lock. Now and Precision are of plan.SQLTTL: see plan.Candidate.
	Lock      plan.Lock
	Now       plan.Now
	Precision time.Duration
}

// Lease is how long, on its own clock, a follower takes a record to count after it has last changed for it.
func (c *Config) Lease() time.Duration {
	switch {
	case c.Lock.Expires():
		return c.LeaseDuration
	case c.Profile.WaitsOwnLease():
		return c.LeaseDuration
	case c.Profile.RoundsUp():
		return (c.LeaseDuration + time.Second - 1).Truncate(time.Second)
	}
	return c.LeaseDuration.Truncate(time.Second)
}

// onLease is whether one of the lock's objects is a Lease.
func (c *Config) onLease() bool {
	return c.Lock == "" || slices.Contains(c.Lock.Objects(), simlock.Lease)
}

// two is whether the lock is on two objects.
func (c *Config) two() bool { return len(c.Lock.Objects()) == 2 }

// Environment is what can go wrong. Within it everything that can does.
type Environment struct {
	// MaxRoundTrip bounds, in true time, the round trip of a request that is answered, from the call to handling the
	// answer. A request that arrives does so within it. Any other is lost, on its way out or back. What of it is longer than
	// the client's timeout is a wait in the client's rate limiter, which goes before: client-go starts its timeout after it.
	// Where it is no longer than the timeout, no request waits in the limiter; where it is, none waits longer than the difference.
	MaxRoundTrip time.Duration
	// MaxDriftPPM: the rate of each clock stays within ± this many parts per million of true time, and may change.
	MaxDriftPPM int64
	// MaxPause is how long a process is frozen in all, in any number of parts, from the beginning of any attempt that wins or
	// renews its lease to the beginning of the second next one that does, or else to the end of its work. That can be longer than a lease.
	MaxPause time.Duration
	// Drain is how long the work goes on, in true time, once its context has ended.
	Drain time.Duration
	// MaxClockOffset is by how much what any two wall clocks are ahead of true time differs at most, at all times, drift
	// and jumps included. It matters where a row has the callers' times.
	MaxClockOffset time.Duration
	// Reruns: a candidate whose Run has returned may run the same elector again, at once. Without it each elector runs once.
	Reruns bool
	// HiddenConflicts: a 409 may hide that the write was applied, since client-go repeats a request by itself where a
	// server's error has a Retry-After. Without it a conflict is the service's own word that another version was there.
	HiddenConflicts bool
}

// MaxDuration and MaxDriftPPM are the largest numbers that the arithmetic takes.
const (
	MaxDuration = 8760 * time.Hour
	MaxDriftPPM = 900_000
)
