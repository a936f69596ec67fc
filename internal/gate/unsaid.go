package gate

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/gate/files"
	"interregnum/internal/gate/files/programs"
	"interregnum/plan"
)

// Unsaid has what counts for a target whose file leaves it open, mostly from flags.
type Unsaid struct {
	Profile machine.Profile
	// ProfileSaid: a flag gives the profile.
	ProfileSaid bool
	// ClientGo is the second number of client-go's version that a flag gives in place of a profile; 0 where none does.
	ClientGo        int
	ReleaseOnCancel bool
	// Timeout is what a flag says of the request timeout. Its kind is programs.Unknown where no flag does: then the worse of no
	// timeout and half of RenewDeadline counts.
	Timeout programs.Timeout
	// Overrides change single targets; nil where there are none.
	Overrides *Overrides
	// Lock, Now and Precision are as in bound.Config. LockSaid: a flag gives the lock.
	Lock      plan.Lock
	LockSaid  bool
	Now       plan.Now
	Precision time.Duration
	// Client is what is said of the client.
	Client ClientSaid
}

// Config returns a configuration with these timings, and with the profile or the version of client-go, the release and the lock that u has.
// It has no request timeout and no client.
func (u *Unsaid) Config(timings machine.Timings) bound.Config {
	c := bound.Config{
		Timings: timings, Profile: u.Profile, ReleaseOnCancel: u.ReleaseOnCancel, Lock: u.Lock, Now: u.Now, Precision: u.Precision,
	}
	if u.ClientGo > 0 {
		c.SetClientGo(u.ClientGo)
	}
	return c
}

// target returns the target to judge for t, which was found in a file. What the file leaves open comes from unsaid; a release
// counts if either has one. The caller must add the client and apply Overrides.
func target(t *files.Target, unsaid *Unsaid) Target {
	judged := Target{
		Position: t.Position, inFile: true,
		Config: unsaid.Config(machine.Timings{
			LeaseDuration: t.LeaseDuration, RenewDeadline: t.RenewDeadline, RetryPeriod: t.RetryPeriod,
		}),
		Drain: t.Drain, Component: t.Component, Replicas: t.Replicas, Program: t.Program, Defaulted: t.Defaulted, Provided: t.Provided,
		LockFrom: t.LockFrom, LockAssumed: t.LockAssumed && !unsaid.LockSaid, LockOpen: t.LockOpen && !unsaid.LockSaid,
		DefaultsAssumed: len(t.Defaulted) > 0 && t.Program == nil,
		ProfileAssumed:  t.Profile == "" && t.Program == nil && !unsaid.ProfileSaid,
		VersionAssumed:  t.Profile == "" && !unsaid.ProfileSaid,
	}
	judged.ReleaseOnCancel = judged.ReleaseOnCancel || t.ReleaseOnCancel
	switch {
	case t.Profile != "":
		judged.Profile, _ = machine.ProfileNamed(t.Profile) // a scenario file with an unknown one is not read
	case t.ClientGo > 0:
		judged.SetClientGo(t.ClientGo, t.ClientGoFrom)
	case unsaid.ClientGo > 0:
		judged.SetClientGo(unsaid.ClientGo, ClientGoFlag)
	}
	judged.timeoutOf(t, unsaid)
	judged.releaseOf(t, unsaid)
	if t.Lock != "" {
		judged.Lock, judged.Now, judged.Precision = t.Lock, t.Now, t.Precision
	}
	return judged
}

// ClientGoFlag is the value of ClientGoFrom where the flag gives the version.
const ClientGoFlag = "--client-go"

// timeoutOf sets t.Timeout and, as its origin, t.TimeoutFrom. They come from f, the target that was found in a file, or from the
// code of its program; if both leave the timeout open, from the flag.
func (t *Target) timeoutOf(f *files.Target, unsaid *Unsaid) {
	switch {
	case f.Timeout.Kind != programs.Unknown && f.Program != nil:
		t.Timeout, t.TimeoutFrom = f.Timeout, f.Program.Source
	case f.Timeout.Kind != programs.Unknown:
		t.Timeout, t.TimeoutFrom = f.Timeout, "the file"
	default:
		t.Timeout, t.TimeoutFrom = unsaid.timeout()
	}
}

// releaseOf sets t.ReleaseFrom to where ReleaseOnCancel comes from: the file, the code of the program, or the flag. It leaves
// t.ReleaseFrom as it is if nobody says anything of a release.
func (t *Target) releaseOf(f *files.Target, unsaid *Unsaid) {
	switch {
	case f.ReleaseSaid && f.ReleaseOnCancel == t.ReleaseOnCancel:
		t.ReleaseFrom = "the file"
	case f.ReleaseOnCancel && f.Program != nil:
		t.ReleaseFrom = f.Program.ReleaseSource()
	case unsaid.ReleaseOnCancel:
		t.ReleaseFrom = "--release-on-cancel"
	case f.Program != nil:
		t.ReleaseFrom = f.Program.ReleaseSource()
	}
}

// timeout returns the request timeout for targets whose files have none, and where it comes from. If no flag gives one, it is
// programs.Either, the worse of none and half of RenewDeadline, and from is "".
func (u *Unsaid) timeout() (of programs.Timeout, from string) {
	if u.Timeout.Kind == programs.Unknown {
		return programs.Timeout{Kind: programs.Either}, ""
	}
	return u.Timeout, "--request-timeout"
}

// SetTimeout sets Timeout and TimeoutFrom of a target that is in no file to what a flag says; without such a flag, to
// programs.Either and "".
func (t *Target) SetTimeout(unsaid *Unsaid) { t.Timeout, t.TimeoutFrom = unsaid.timeout() }
