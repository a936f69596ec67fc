package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
	"interregnum/internal/sim"
)

// Target is a configuration to judge, and where it was found.
type Target struct {
	files.Position
	bound.Config
	// Drain is what a scenario file says of it; the environment's counts where that is longer.
	Drain time.Duration
	// Component is the program; "" where nothing tells.
	Component string
	// Defaulted names, as leaseDuration and so on, those timings that nobody gave.
	Defaulted []string
}

// Unsaid is what counts for a target that does not say it itself.
type Unsaid struct {
	Profile         machine.Profile
	ReleaseOnCancel bool
	RequestTimeout  time.Duration
	// Lock, Now and Precision are as in bound.Config.
	Lock      sim.Lock
	Now       sim.Now
	Precision time.Duration
}

// target is one that a file has.
func target(t *files.Target, unsaid *Unsaid) Target {
	profile := unsaid.Profile
	if t.Profile != "" {
		profile, _ = machine.ProfileNamed(t.Profile) // a scenario file with an unknown one is not read
	}
	timeout := t.RequestTimeout
	if timeout == 0 {
		timeout = unsaid.RequestTimeout
	}
	judged := Target{
		Position: t.Position,
		Config: bound.Config{
			Timings: machine.Timings{
				LeaseDuration: t.LeaseDuration, RenewDeadline: t.RenewDeadline, RetryPeriod: t.RetryPeriod,
			},
			Profile: profile, ReleaseOnCancel: t.ReleaseOnCancel || unsaid.ReleaseOnCancel, RequestTimeout: timeout,
			Lock: unsaid.Lock, Now: unsaid.Now, Precision: unsaid.Precision,
		},
		Drain: t.Drain, Component: t.Component, Defaulted: t.Defaulted,
	}
	if t.Lock != "" {
		judged.Lock, judged.Now, judged.Precision = t.Lock, t.Now, t.Precision
	}
	return judged
}

// What bounds the cost of a verdict. The witness polls as often as a lease has retry periods. The computation follows the
// ticks of a poll, as a rule a few of them, but all where an attempt hardly outlasts one. Many values are tried where
// there are fewTicks, none where there are more than triedTicks.
const (
	maxAttempts = 100_000
	maxTicks    = 60_000
	triedTicks  = 200
	fewTicks    = 50
)

// ticks is how many of a poll's ticks are followed: below a second they do not matter.
func ticks(c *bound.Config) int64 {
	if c.RetryPeriod < time.Second {
		return 0
	}
	return int64(c.RenewDeadline / c.RetryPeriod)
}

// check refuses what cannot be computed, of a configuration that is not refused otherwise.
func (t *Target) check() error {
	switch {
	case t.Profile.Context == machine.ContextNone:
		return t.problem("profile %s cannot be judged: %v, since its requests never end; want %s", t.Profile.Name,
			bound.ErrNoBound, strings.Join(ProfileNames(), ", "))
	case t.LeaseDuration > bound.MaxDuration:
		return t.problem("leaseDuration %v cannot be judged: want a year (%gh) at most", t.LeaseDuration,
			bound.MaxDuration.Hours())
	case t.RequestTimeout > bound.MaxDuration:
		return t.problem("requestTimeout %v cannot be judged: want a year (%gh) at most", t.RequestTimeout,
			bound.MaxDuration.Hours())
	case ticks(&t.Config) > maxTicks:
		return t.problem("retryPeriod %v cannot be judged: want a renewDeadline (%v) of at most %d retry periods",
			t.RetryPeriod, t.RenewDeadline, maxTicks)
	case t.LeaseDuration/t.RetryPeriod > maxAttempts:
		return t.problem("retryPeriod %v cannot be judged: want a leaseDuration (%v) of at most %d retry periods",
			t.RetryPeriod, t.LeaseDuration, maxAttempts)
	}
	return nil
}

// ProfileNames are the profiles that can be judged.
func ProfileNames() []string {
	var names []string
	for _, p := range machine.Profiles() {
		if p.Context != machine.ContextNone {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

// LockWords is the kind of lock and its options; "" for a Lease.
func (t *Target) LockWords() string {
	if t.Lock == "" || t.Lock == sim.Lease {
		return ""
	}
	text := string(t.Lock)
	if t.Lock == sim.SQLTTL {
		text += fmt.Sprintf(" by the %s's clock", cmp.Or(t.Now, sim.CallerNow))
		if t.Precision > 0 {
			text += " to " + FormatDuration(t.Precision)
		}
	}
	return text
}

func (t *Target) problem(format string, args ...any) error {
	return files.Problem{Position: t.Position, Text: fmt.Sprintf(format, args...)}
}
