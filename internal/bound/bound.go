// Package bound computes how long, at worst, the guarded work of two leaders can overlap, how long a failover takes and which
// outage a leader survives, from a configuration and the bounds of an environment. docs/method/derivation.md derives it. All is
// arithmetic: nothing is simulated here. Package gate shows that each worst case really happens.
//
// Words of this package: writes of a leader look the same to followers that compare whole seconds if their times are in one
// second; a write in another second than the one before looks new. A turn is what a leader does from when it takes the lock to
// when it takes it again, after another leader had it. A blank is the record without a holder that a release leaves. A leader
// takes the lock back if it does so while it still works, although another had taken it. A chain is the writes of a leader
// that look the same, and a course is a chain and how long the leader works after it. An attempt outlasts a tick if it is
// still under way when the tick comes.
package bound

import (
	"errors"
	"fmt"
	"time"

	"interregnum/elector/machine"
)

// ErrNoBound is the error for a configuration of which no bound is known.
var ErrNoBound = errors.New("no bound is known for this profile")

// Unknown returns an error that wraps ErrNoBound and says why no bound is known for the configuration. It returns nil if one is
// known, at least for some environments.
func Unknown(c *Config) error {
	if !c.Profile.OtherClient() && !c.Profile.CarriesContext() {
		return fmt.Errorf("%w, since its requests never end", ErrNoBound)
	}
	return c.clientUnknown()
}

// Refused returns an error that says why the library, a real server or, for a row, elector/sqllock rejects the configuration;
// nil where all of them accept it. For fabric8's client it is also an error if each leader would stop before it renews.
func Refused(c *Config) error {
	if c.Lock.ByWallClock() && c.LeaseDuration%time.Millisecond != 0 {
		return fmt.Errorf("leaseDuration %v has fractions of a millisecond, which elector/sqllock refuses", c.LeaseDuration)
	}
	switch {
	case c.Profile.OtherClient():
		return c.refusedByOther()
	case c.Profile.CountsFromRenewal():
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
		return c.noSeconds()
	}
	return nil
}

// noSeconds returns the error for a LeaseDuration below a second on a Lease, which stores whole seconds. It never returns nil;
// the caller checks LeaseDuration.
func (c *Config) noSeconds() error {
	return fmt.Errorf("leaseDuration %v becomes leaseDurationSeconds 0 in the Lease, which a server refuses: "+
		"it must be at least 1s", c.LeaseDuration)
}

// Of computes the worst case of configuration c in environment e. Refused(c) must be nil, and every duration from 0 to
// MaxDuration. The error is that of Unknown(c), or it wraps ErrNoBound or ErrNoWait because of this environment; the result is
// then nil.
func Of(c *Config, e *Environment) (*Result, error) { return compute(c, e, false) }

// Sum computes the same overlap and terms as Of, and is faster: it leaves out how often leaders can take the lock back from each
// other. So AtLeast, Unbounded and Slack are sometimes unset where Of sets them.
func Sum(c *Config, e *Environment) (*Result, error) { return compute(c, e, true) }

// compute returns the result and the error that Of returns or, if sum is true, those that Sum returns.
func compute(c *Config, e *Environment, sum bool) (*Result, error) {
	if err := Unknown(c); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Profile.Name, err)
	}
	if c.Profile.EndsInTime() {
		return newModel(c, e).wallClock()
	}
	if err := endlessWait(c, e); err != nil {
		return nil, err
	}
	m := newModel(c, e)
	m.sumOnly = sum
	playable, steady := *m, *m // as they are before a result is computed
	playable.playable = true
	r := m.result()
	if c.ReleaseOnCancel && c.Unread() {
		r.Upper = true // the simulated world has no such release
	}
	if c.Client != nil {
		calm, alone := m.calm()
		r.calm, _ = compute(calm, alone, sum) // as known as r
		// The overlap of strict does not depend on how long requests take.
		if m.hinders() && !m.strict {
			r.setUpper(m.limited > 0 && c.onTwoObjects(), r.Plan.Endless == Gathering && m.clientGathers())
		}
	}
	if c.Closes {
		m.closed(r)
	}
	if m.asleep() > 0 && c.onTwoObjects() && !r.Unbounded {
		r.AtLeast, r.Slack = true, 0
	}
	if !sum && m.limited > 0 && r.Plan.Chain.Join == JoinTicked {
		steady.steady = true
		r.steady = steady.result()
	}
	if r.Plan.Chain.beginsFrozen() {
		r.playable = playable.result()
	}
	return r, nil
}

// result computes the Result with the formulas for the kind of lock and the profile. It leaves out the fields playable, steady
// and calm, and what setUpper sets: compute adds these, since they need other results.
func (m *model) result() *Result {
	r := &Result{}
	if m.c.Profile.OtherClient() {
		m.unstopped(r)
		return r
	}
	switch {
	case m.c.Lock.Expires():
		m.expiring(r)
	case m.c.onTwoObjects():
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
