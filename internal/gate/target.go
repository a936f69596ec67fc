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
	"interregnum/scenarios/plan"
)

// Target is a configuration to judge, and where it was found.
type Target struct {
	files.Position
	bound.Config
	// Drain is what a scenario file says of it; the environment's counts where that is longer.
	Drain time.Duration
	// Component is the program; "" where nothing tells.
	Component string
	// Program is what is known of it; nil where nothing is.
	Program *files.Program
	// Defaulted names, as leaseDuration and so on, those timings that nobody gave.
	Defaulted []string
	// Timeout is what is known of RequestTimeout; where it is files.Unknown that counts as it is.
	Timeout files.Timeout
	// TimeoutFrom and ReleaseFrom are who says so; "" where nobody does.
	TimeoutFrom, ReleaseFrom string
	// Own is the environment of this one alone; nil where that of the run counts.
	Own *Environment
}

// What bounds the cost of a verdict. The witness polls as often as a lease has retry periods. The computation follows the
// ticks of a poll, as a rule a few of them, but all where an attempt hardly outlasts one. Many values are tried where
// there are fewTicks, none where there are more than triedTicks.
const (
	maxAttempts = 100_000
	maxTicks    = 60_000
	triedTicks  = 5000
	fewTicks    = 1000
)

// ticks returns how many ticks a poll has, 0 where a RetryPeriod below a second makes them not matter.
func ticks(c *bound.Config) int64 {
	if c.RetryPeriod < time.Second {
		return 0
	}
	return int64(c.RenewDeadline / c.RetryPeriod)
}

// check returns a problem where bound cannot compute anything for the configuration, such as too long durations.
func (t *Target) check() error {
	f := max(t.RequestTimeout, t.Timeout.Of)
	switch {
	case !t.Profile.CarriesContext():
		return t.problem("profile %s cannot be judged: %v, since its requests never end; want %s", t.Profile.Name,
			bound.ErrNoBound, strings.Join(ProfileNames(), ", "))
	case t.LeaseDuration > bound.MaxDuration:
		return t.problem("leaseDuration %v cannot be judged: want a year (%gh) at most", t.LeaseDuration,
			bound.MaxDuration.Hours())
	case f > bound.MaxDuration:
		return t.problem("requestTimeout %v cannot be judged: want a year (%gh) at most", f, bound.MaxDuration.Hours())
	case 0 < f && f < time.Microsecond:
		return t.problem("requestTimeout %v cannot be judged: want a microsecond at least, or 0 for none", f)
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
		if p.CarriesContext() {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

// LockWords is the kind of lock and its options; "" for a Lease.
func (t *Target) LockWords() string {
	if t.Lock == "" || t.Lock == plan.Lease {
		return ""
	}
	text := string(t.Lock)
	if t.Lock == plan.SQLTTL {
		text += fmt.Sprintf(" by the %s's clock", cmp.Or(t.Now, plan.CallerNow))
		if t.Precision > 0 {
			text += " to " + FormatDuration(t.Precision)
		}
	}
	return text
}

// problem returns a files.Problem at the target's position.
func (t *Target) problem(format string, args ...any) error {
	return files.Problem{Position: t.Position, Text: fmt.Sprintf(format, args...)}
}
