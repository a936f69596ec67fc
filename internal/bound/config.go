package bound

import (
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
	"interregnum/simlock"
)

// Config is the configuration that all candidates share.
type Config struct {
	machine.Timings
	Profile         machine.Profile
	ReleaseOnCancel bool
	// RequestTimeout is how long a client waits for an answer, on its own clock, once the request has left; 0 is for ever.
	RequestTimeout time.Duration
	// Lock is the kind of lock. Now and Precision are as in plan.Candidate.
	Lock      plan.Lock
	Now       plan.Now
	Precision time.Duration
	// Client is the limiter and the retries of the client, with Other unset. Dial and HTTP1 do not count. If it is nil, all that a
	// client adds to a round trip is part of MaxRoundTrip.
	Client *plan.Client
	// Closes: the client closes a connection from which nothing was read for plan.LongestStall, whatever the RequestTimeout is. The
	// result is an upper bound then, and its plan shows no closing.
	Closes bool
	// Minor is the second number of client-go's version, such as 30 for v0.30, where Profile is that of another version which differs from
	// it; 0 otherwise. docs/method/derivation.md, "Versions between", has what then counts. The result is mostly an upper bound.
	Minor int
}

// before tells whether the client-go of the configuration is surely of a version before v0 and that number, which must be 30 or more.
func (c *Config) before(minor int) bool {
	return c.Profile.Client == machine.OfClientGo && (c.Profile.ReadsFirst() || c.Minor > 0 && c.Minor < minor)
}

// dropsTicks tells whether a tick that comes during an attempt is lost, as it is before v0.32.
func (c *Config) dropsTicks() bool { return c.Profile.DropsTicks() || c.Minor > 0 && c.Minor < 32 }

// Unread tells whether the version is one whose release reads nothing, and writes even if the last Get has failed: from v0.26 on the lock
// keeps its object then (resourcelock/leaselock.go, Get), and from v0.34 on the release reads. It is true before v0.26, too, where such a
// release may not be sent.
func (c *Config) Unread() bool { return c.Minor > 0 && c.Minor < 34 }

// Lease returns how long a follower waits, on its own clock, from when it last saw the record change until it takes the lock.
// This is LeaseDuration in whole seconds, as the record has it, cut or rounded up as the profile says. It is LeaseDuration
// itself for a lock that expires by itself, and for profiles whose followers wait for their own LeaseDuration.
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

// onLease tells whether one of the lock's objects is a Lease. A configuration without a kind of lock counts as one on a Lease.
func (c *Config) onLease() bool {
	return c.Lock == "" || slices.Contains(c.Lock.Objects(), simlock.Lease)
}

// onTwoObjects tells whether the lock is on two objects.
func (c *Config) onTwoObjects() bool { return len(c.Lock.Objects()) == 2 }

// ReleasesLater tells whether a leader releases the lock only after its work has returned, and does so even where another
// candidate has taken the lock unseen, so that the release can blank a successor's lease. It is true only for profiles such as
// client-go-next. It is false where the lock is not released or expires by itself. It is also false for strict: that ends its
// work first too, but releases only a record that names itself.
func (c *Config) ReleasesLater() bool {
	return c.ReleaseOnCancel && c.Profile.RenewsUntilReturn() && !c.Lock.Expires()
}

// Environment says what can go wrong. The worst case takes all of it at once.
type Environment struct {
	// MaxRoundTrip bounds the round trip of a request that is answered, in true time, from the client's call to the
	// handling of the answer. A request that arrives at the service does so within MaxRoundTrip; every other request is
	// lost, on its way out or back. A round trip can be longer than the client's timeout, since client-go starts the
	// timeout only after the wait in the client's rate limiter: that wait is then as long as the difference at most. Where
	// MaxRoundTrip is no longer than the timeout, no request waits in the limiter.
	MaxRoundTrip time.Duration
	// Stall is the part of MaxRoundTrip for which a connection holds answers back. It changes no bound: only advice names it.
	Stall time.Duration
	// MaxDriftPPM: the rate of each clock stays within ± this many parts per million of true time, and can change within that.
	MaxDriftPPM int64
	// MaxPause bounds how long a process is frozen in all, in any number of parts. It counts from the beginning of any
	// attempt that wins or renews the process's lease to the beginning of the second next such attempt, or to the end of
	// its work where no such attempt follows; to the end of its Run where the release comes after the work. That time can
	// be longer than a lease.
	MaxPause time.Duration
	// Drain is how long the work goes on, in true time, after its context has ended.
	Drain time.Duration
	// MaxClockOffset is how far apart any two wall clocks are at most, at all times, drift and jumps included. A clock that is never
	// set and runs true counts as one of them, so that it also bounds by how much all are set together. It matters only for a row
	// whose times are those of its callers.
	MaxClockOffset time.Duration
	// Reruns: a candidate whose Run has returned can run the same elector again, at once. Otherwise each elector runs once.
	Reruns bool
	// HiddenConflicts: an answer 409 can come although the write was applied, since client-go repeats a request by itself where a
	// server's error has a Retry-After. Otherwise a 409 means that the write was refused.
	HiddenConflicts bool
	// OtherQPS and OtherBurst bound the other requests that a process makes with the client of the lock. In every stretch of time
	// t on its own clock, both ends included, there are at most OtherBurst + OtherQPS·t such requests; see MostAtOnce. They count
	// only where Config.Client has a limiter, and MaxRetryAfter counts only where it has retries. Where Config.Client is set,
	// MaxRoundTrip is that of the network and the server alone, from when a request leaves the client.
	OtherQPS   float64
	OtherBurst int
	// MaxRetryAfter bounds for how long an answer asks a client to wait before it sends the request again; 0: no answer does. Such
	// an answer means that nothing was applied, unless HiddenConflicts.
	MaxRetryAfter time.Duration
}

// MostAtOnce returns how many requests of other traffic can come at once: OtherBurst, but at least 1 if OtherQPS is above 0.
func (e *Environment) MostAtOnce() int {
	if e.OtherQPS > 0 {
		return max(1, e.OtherBurst)
	}
	return e.OtherBurst
}

// The largest values that the arithmetic takes.
const (
	// MaxDuration is a year.
	MaxDuration = 8760 * time.Hour
	// MaxDriftPPM is in parts per million.
	MaxDriftPPM = 900_000
)
