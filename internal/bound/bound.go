// Package bound computes how long, at worst, the guarded work of two leaders can overlap, how long a failover takes and
// which outage a leader survives, from a configuration and the bounds of an environment. docs/derivation.md derives it.
// All is arithmetic: nothing is simulated here. Package gate shows that each worst case really happens.
package bound

import (
	"errors"
	"fmt"
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
	// Lock is the kind of lock. Now and Precision are as in plan.Candidate.
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

// Result is what follows for a configuration in an environment.
type Result struct {
	// Overlap is the supremum of the time in which two candidates' guarded work runs at once. Where none can, it is
	// what is missing, and at most 0: minus the margin.
	Overlap time.Duration
	// Terms are what Overlap is the sum of.
	Terms []Term
	// AtLeast: a longer overlap may be possible than the one computed. Unbounded: there is no longest, for the reason that
	// Plan.Endless gives.
	AtLeast, Unbounded bool
	// Slack is by how much longer it can be at most, where AtLeast and that is known; else 0.
	Slack time.Duration
	// Plan is how the worst case comes about.
	Plan Plan
	// Failover is the supremum of the time from a leader's crash to another's work, once nothing else goes wrong, and
	// Handover the same from a graceful stop.
	Failover, Handover time.Duration
	// Outage is the longest complete outage of the lock service that costs no leadership, whatever its phase.
	Outage time.Duration
	// playable is of a worst case that no simulated world can show; else nil.
	playable *Result
}

// Playable returns the worst case that a simulated world can show. It differs from r, and is less bad, where r takes a process that is frozen between
// the start of a poll's ticker and its first attempt.
func (r *Result) Playable() *Result {
	if r.playable != nil {
		return r.playable
	}
	return r
}

// AtMost returns an upper bound of the overlap, which is Overlap itself where that is exact; false where none is known or there is none.
func (r *Result) AtMost() (most time.Duration, known bool) {
	if r.Unbounded || r.AtLeast && r.Slack == 0 {
		return 0, false
	}
	return r.Overlap + r.Slack, true
}

// Safe is whether no two candidates' work can run at once.
func (r *Result) Safe() bool { return r.Overlap <= 0 }

// Term is one summand of an overlap.
type Term struct {
	Name string
	Time time.Duration
}

// ErrNoBound is that no bound is known for a profile.
var ErrNoBound = errors.New("no bound is known for this profile")

// Refused tells why the library or a real server would not take the configuration; nil where both do.
func Refused(c *Config) error {
	if c.Lock.ByWallClock() && c.LeaseDuration%time.Millisecond != 0 {
		return fmt.Errorf("leaseDuration %v has fractions of a millisecond, which elector/sqllock refuses", c.LeaseDuration)
	}
	if c.Profile.CountsFromRenewal() {
		return c.ValidateStrict()
	}
	if err := c.Validate(); err != nil {
		var timing *machine.TimingError
		if errors.As(err, &timing) {
			return errors.New(timing.WithNumbers())
		}
		return err
	}
	if c.LeaseDuration < time.Second && c.onLease() {
		return fmt.Errorf("leaseDuration %v becomes leaseDurationSeconds 0 in the Lease, which a server refuses: "+
			"it must be at least 1s", c.LeaseDuration)
	}
	return nil
}

// onLease is whether one of the lock's objects is a Lease.
func (c *Config) onLease() bool {
	return c.Lock == "" || slices.Contains(c.Lock.Objects(), simlock.Lease)
}

// Of computes the bounds. The configuration must not be refused, and no duration negative or longer than MaxDuration.
func Of(c *Config, e *Environment) (*Result, error) {
	if !c.Profile.CarriesContext() {
		return nil, fmt.Errorf("%s: %w", c.Profile.Name, ErrNoBound)
	}
	r := newModel(c, e).result()
	if r.Plan.Chain.beginsFrozen() {
		m := newModel(c, e)
		m.playable = true
		r.playable = m.result()
	}
	return r, nil
}

// result computes the bounds, with the algorithm for the kind of lock and profile.
func (m *model) result() *Result {
	r := &Result{}
	switch {
	case m.c.Lock.Expires():
		m.expiring(r)
	case m.c.two():
		m.halfCreated(r)
	case m.strict:
		m.strictWorst(r)
	case m.lease() == 0:
		m.noLease(r)
	default:
		m.worst(r)
	}
	m.failover(r)
	r.Outage = m.outage()
	return r
}
