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
	"interregnum/internal/gate/files/programs"
	"interregnum/plan"
)

// Target is a configuration to judge, with the place where it was found.
type Target struct {
	files.Position
	bound.Config
	// Drain is the drain that a scenario file gives. The longer of it and the environment's drain counts.
	Drain time.Duration
	// Component is the name of the program; "" where nothing tells it.
	Component string
	// Replicas is how many pods the file says that there are; 0 where nothing says it.
	Replicas int
	// Program is what is known of the program; nil where nothing is known.
	Program *programs.Program
	// ProfileAssumed: nobody says that the program's client is the one of Profile. VersionAssumed: nobody says that it has the version of
	// client-go that Profile stands for.
	ProfileAssumed, VersionAssumed bool
	// ClientGo is the second number of client-go's version, from which Profile and Minor come, and ClientGoFrom says in words who tells it; 0
	// and "" where nobody does.
	ClientGo     int
	ClientGoFrom string
	// LockFrom says, in words, why the lock is Lock although the file does not name it; "" where it does. LockAssumed: nobody says that the
	// lock is a Lease. LockOpen: it may as well be one on two objects.
	LockFrom              string
	LockAssumed, LockOpen bool
	// Defaulted are the names of the timings that nobody gave, such as leaseDuration.
	Defaulted []string
	// Provided are conditions, in words to follow "if", under which the file has been read rightly.
	Provided []string
	// DefaultsAssumed: nobody says that the program has the values of the timings in Defaulted.
	DefaultsAssumed bool
	// Timeout is what is known of the request timeout. If its kind is programs.Unknown, Config.RequestTimeout counts.
	Timeout programs.Timeout
	// TimeoutFrom and ReleaseFrom say where the request timeout and ReleaseOnCancel come from; "" where nobody says anything of
	// them.
	TimeoutFrom, ReleaseFrom string
	// ClientFrom says where Client comes from; "" where nobody says anything of the client. If somebody says that there is none,
	// Client is nil and ClientFrom is not "".
	ClientFrom string
	// Other is the other traffic of Client, from a scenario file. It counts together with that of the environment.
	Other []plan.Traffic
	// Own is the environment of this target alone; nil where the run's environment counts.
	Own *Environment
	// inFile: it was found in a file.
	inFile bool
}

// These limits bound the cost of a verdict. maxAttempts is how many RetryPeriods a lease can have, since the witness polls that
// often. maxTicks is how many ticks a poll can have: mostly the computation follows some of them, but all where an attempt hardly
// outlasts one. With up to fewTicks, many values are tried in search of a safe one; with more than triedTicks, none.
const (
	maxAttempts = 100_000
	maxTicks    = 60_000
	triedTicks  = 5000
	fewTicks    = 1000
)

// ticks returns how many ticks a poll has: RenewDeadline divided by RetryPeriod. It is 0 for a RetryPeriod below a
// second, where ticks do not matter.
func ticks(c *bound.Config) int64 {
	if c.RetryPeriod < time.Second {
		return 0
	}
	return int64(c.RenewDeadline / c.RetryPeriod)
}

// check returns a files.Problem if the configuration cannot be judged at all, such as for too long durations, or only at too
// great a cost. Otherwise it returns nil.
func (t *Target) check() error {
	f := max(t.RequestTimeout, t.Timeout.Of)
	switch {
	case bound.Unknown(&t.Config) != nil:
		return t.problem("profile %s cannot be judged: %v; want %s", t.Profile.Name, bound.Unknown(&t.Config), t.judgeable())
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
	case t.Profile.OtherClient() && !t.Profile.EndsInTime() && bound.Forever/t.RetryPeriod > maxAttempts:
		return t.problem("retryPeriod %v cannot be judged with profile %s: want %v at least", t.RetryPeriod, t.Profile.Name,
			bound.Forever/maxAttempts)
	case !t.Profile.TimesOut() && (f > 0 || t.Timeout.Kind == programs.Half):
		return t.problem("a request timeout cannot be judged with profile %s, whose requests have none: want none", t.Profile.Name)
	case t.Lock != "" && !t.Lock.TakenBy(&t.Profile):
		return t.problem("lock %s cannot be judged with profile %s: want %s", t.Lock, t.Profile.Name, plan.Lease)
	case t.LeaseDuration/t.RetryPeriod > maxAttempts:
		return t.problem("retryPeriod %v cannot be judged: want a leaseDuration (%v) of at most %d retry periods",
			t.RetryPeriod, t.LeaseDuration, maxAttempts)
	}
	return nil
}

// judgeable returns in words, for a message, what can be judged instead: no release, if that is enough, or another profile.
func (t *Target) judgeable() string {
	kept := t.Config
	if kept.ReleaseOnCancel = false; bound.Unknown(&kept) == nil {
		return "releaseOnCancel: false, or profile " + machine.ClientGo.Name
	}
	return strings.Join(ProfileNames(), ", ")
}

// ProfileNames returns the names of the profiles that can be judged without ReleaseOnCancel, sorted. Some of them cannot be
// judged with it.
func ProfileNames() []string {
	var names []string
	for _, p := range machine.Profiles() {
		if bound.Unknown(&bound.Config{Profile: p}) == nil {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

// LockWords returns the kind of lock and its options in words; "" for a Lease.
func (t *Target) LockWords() string {
	if t.Lock == "" || t.Lock == plan.Lease {
		return ""
	}
	text := string(t.Lock)
	if t.Lock.ByWallClock() {
		text += fmt.Sprintf(" by the %s's clock", cmp.Or(t.Now, plan.CallerNow))
		if t.Precision > 0 {
			text += " to " + FormatDuration(t.Precision)
		}
	}
	return text
}

// ParseClientGo returns the second number of a version of client-go, as --client-go and overrides have it. The error is for a text that is
// no version, and for a version of which no bound is known.
func ParseClientGo(text string) (minor int, err error) {
	if minor, err = bound.ParseClientGo(text); err == nil {
		err = bound.UnknownClientGo(minor)
	}
	return minor, err
}

// ClientGoText returns the version of client-go with that second number as --client-go has it; "" for 0.
func ClientGoText(minor int) string {
	if minor == 0 {
		return ""
	}
	return fmt.Sprintf("v0.%d", minor)
}

// ClientGoVersions returns the versions that --client-go takes, the oldest first.
func ClientGoVersions() (all []string) {
	for minor := range bound.Newest + 1 {
		if bound.UnknownClientGo(minor) == nil {
			all = append(all, ClientGoText(minor))
		}
	}
	return all
}

// takesVersion tells whether the target can have one version of client-go or another: its profile is client-go's own, of whatever
// version, and its lock does not expire by itself.
func (t *Target) takesVersion() bool {
	own := t.Profile.Name == machine.ClientGo.Name || t.Profile.Name == machine.ClientGoV024.Name || t.Profile.Name == machine.ClientGoV017.Name
	return own && !t.Lock.Expires()
}

// SetClientGo sets ClientGo and, as its origin, ClientGoFrom, and what follows from the version in the configuration. The timings must be set.
func (t *Target) SetClientGo(minor int, from string) {
	t.Config.SetClientGo(minor)
	t.ClientGo, t.ClientGoFrom, t.ProfileAssumed, t.VersionAssumed = minor, from, false, false
}

// problem returns a files.Problem at the target's position.
func (t *Target) problem(format string, args ...any) error {
	return files.Problem{Position: t.Position, Text: fmt.Sprintf(format, args...)}
}

// assumed is the value of ReleaseFrom where something is known of the program, and nothing of its release.
const assumed = "assumed"
