package machine

import (
	"fmt"
	"time"
)

// JitterFactor is the share of RetryPeriod that a jittered wait adds at most. RenewDeadline must be longer than RetryPeriod
// times this number (leaderelection.go of k8s.io/client-go).
const JitterFactor = 1.2

// Timings are the three durations that an election is tuned by.
type Timings struct {
	// LeaseDuration is how long others wait, after the record last changed, before they take over.
	LeaseDuration time.Duration
	// RenewDeadline is how long a leader tries to renew before it gives up.
	RenewDeadline time.Duration
	// RetryPeriod is the wait between attempts.
	RetryPeriod time.Duration
}

// Config is one candidate's part in an election.
type Config struct {
	Timings
	// Identity names the candidate in the record.
	Identity string
	// ReleaseOnCancel gives the lock up when the candidate stops.
	ReleaseOnCancel bool
	Profile         Profile
	// Unit is the resolution in which the lock stores times; 0 means a microsecond, as in a Lease. With StampRequest
	// two renewals are at least one Unit apart in the record. If need be, the record's times run ahead of the clock for
	// that.
	Unit time.Duration
	// FailedGetMoves says of the lock that a Get that fails can leave it on another version than before: of two objects, one
	// was read and the other refused. With OwnByTerm a leader then reads before it writes. A Lease stays on its version.
	FailedGetMoves bool
}

// TimingError says which of the library's rules a configuration breaks.
type TimingError struct {
	// Rule has the library's wording.
	Rule string
	// Timings are the numbers that broke it.
	Timings Timings
}

// Error returns the library's wording alone.
func (e *TimingError) Error() string { return e.Rule }

// WithNumbers returns the library's wording and the numbers.
func (e *TimingError) WithNumbers() string {
	t := e.Timings
	limit := time.Duration(JitterFactor * float64(t.RetryPeriod))
	return fmt.Sprintf("%s (leaseDuration %v, renewDeadline %v, retryPeriod %v, retryPeriod*JitterFactor %v)",
		e.Rule, t.LeaseDuration, t.RenewDeadline, t.RetryPeriod, limit)
}

// Validate refuses what NewLeaderElector of k8s.io/client-go v0.37.2 refuses, in its order and wording.
// The error is a *TimingError.
func (t Timings) Validate() error {
	refuse := func(rule string) error { return &TimingError{Rule: rule, Timings: t} }
	switch {
	case t.LeaseDuration <= t.RenewDeadline:
		return refuse("leaseDuration must be greater than renewDeadline")
	case t.RenewDeadline <= time.Duration(JitterFactor*float64(t.RetryPeriod)):
		return refuse("renewDeadline must be greater than retryPeriod*JitterFactor")
	case t.LeaseDuration < 1:
		return refuse("leaseDuration must be greater than zero")
	case t.RenewDeadline < 1:
		return refuse("renewDeadline must be greater than zero")
	case t.RetryPeriod < 1:
		return refuse("retryPeriod must be greater than zero")
	}
	return nil
}

// Jittered returns d + draw*JitterFactor*d; draw is in [0,1). It is wait.Jitter of k8s.io/apimachinery: the product is
// a float64 there too, so that the rounding is the same.
func Jittered(d time.Duration, draw float64) time.Duration {
	return d + time.Duration(draw*JitterFactor*float64(d))
}

// unit returns the resolution in which the lock stores times: Unit, but at least a microsecond.
func (c *Config) unit() Wall { return Wall(max(c.Unit, time.Microsecond)) }

// leaseSeconds returns LeaseDuration in whole seconds, as a record has it. The profile says whether a fraction is rounded
// up or dropped.
func (c *Config) leaseSeconds() int64 {
	seconds := c.LeaseDuration / time.Second
	if c.Profile.RoundUp && c.LeaseDuration%time.Second != 0 {
		seconds++
	}
	return int64(seconds)
}
