package machine

import "time"

// This file answers what other packages ask of a profile. They ask what a candidate does, and need not know which field
// says so.

// ReadsFirst tells whether a leader reads the record before each renewal, instead of trying an update at once.
func (p *Profile) ReadsFirst() bool { return p.ReadFirst }

// CountsFromRenewal tells whether RenewDeadline runs from when the last acknowledged renewal was sent, instead of from
// when a poll begins.
func (p *Profile) CountsFromRenewal() bool { return p.FromRenewal }

// CountsFromSend tells whether a leader counts its own lease from when a renewal was sent, instead of from its answer.
func (p *Profile) CountsFromSend() bool { return p.FromSend }

// DropsTicks tells whether a tick that comes during an attempt is lost, instead of being kept until its end.
func (p *Profile) DropsTicks() bool { return p.TicksDropped }

// WaitsOwnLease tells whether a follower waits for its own LeaseDuration, instead of the one in the record.
func (p *Profile) WaitsOwnLease() bool { return p.ExpiryOwn }

// CarriesContext tells whether the end of a context ends a request under way.
func (p *Profile) CarriesContext() bool { return !p.ContextNone }

// ReleasesBlindly tells whether a release is written without reading whose the record is.
func (p *Profile) ReleasesBlindly() bool { return p.Release == ReleaseBlind }

// StampsRequests tells whether each request of an attempt carries a time of its own, instead of the attempt's.
func (p *Profile) StampsRequests() bool { return p.StampRequest }

// ComparesSeconds tells whether an observer compares the times of records in whole seconds.
func (p *Profile) ComparesSeconds() bool { return !p.CompareExact }

// EndsWorkFirst tells whether a leader that is cancelled ends its work before it releases the lock.
func (p *Profile) EndsWorkFirst() bool { return p.WorkFirst }

// RenewsUntilReturn tells whether a leader that releases the lock renews until OnStartedLeading has returned, instead of
// until it is cancelled.
func (p *Profile) RenewsUntilReturn() bool { return p.UntilReturned }

// RoundsUp tells whether fractions of a second in LeaseDuration become a whole second in the record, instead of nothing.
func (p *Profile) RoundsUp() bool { return p.RoundUp }

// OtherClient tells whether the algorithm is not that of client-go, but of a client in another language.
func (p *Profile) OtherClient() bool { return p.Client != OfClientGo }

// CallsBeforeRenewing tells whether the client calls the program's start handler before it renews, and waits for it: LeaderElector.cs in
// RunUntilLeadershipLostAsync, and LeaderElector.java of fabric8 in updateObserved. Such a handler is taken to return at once.
func (p *Profile) CallsBeforeRenewing() bool { return p.Client == OfCSharp || p.Client == OfFabric8 }

// Language returns the language that the client is for: Go for client-go.
func (p *Profile) Language() string {
	switch p.Client {
	case OfFabric8, OfJava:
		return "Java"
	case OfPython:
		return "Python"
	case OfCSharp:
		return "C#"
	case OfRust:
		return "Rust"
	}
	return "Go"
}

// ByRenewTime tells whether a follower compares the record's renewTime with its own wall clock, instead of counting from when
// it saw the record change.
func (p *Profile) ByRenewTime() bool { return p.Client == OfFabric8 || p.Client == OfRust }

// ByWallClock tells whether a follower's wall clock decides when a lease has run out for it.
func (p *Profile) ByWallClock() bool { return p.ByRenewTime() || p.WallUnit() > 0 }

// HasDeadline tells whether a leader has a RenewDeadline, after which it stops.
func (p *Profile) HasDeadline() bool { return p.Client != OfRust }

// Patches tells whether the client writes by patches, which name no version.
func (p *Profile) Patches() bool { return p.Client == OfRust }

// TimesOut tells whether a timeout of the client's requests can be simulated. In Python and C# it ends the run, or the term,
// by an exception.
func (p *Profile) TimesOut() bool { return p.Client != OfPython && p.Client != OfCSharp }

// Jitters tells whether the waits between attempts to acquire have a random part.
func (p *Profile) Jitters() bool {
	return p.Client != OfPython && p.Client != OfCSharp && p.Client != OfRust
}

// Releases tells whether the client can release the lock.
func (p *Profile) Releases() bool { return p.Client != OfPython && p.Client != OfCSharp }

// EndsInTime tells, of a client that is not client-go, whether a leader stops when its RenewDeadline is over, also while it
// waits for an answer.
func (p *Profile) EndsInTime() bool { return p.Client == OfJava || p.Client == OfCSharp }

// LooksLater tells whether the program is told by another thread that the lock was acquired: a thread that looks every
// RetryPeriod.
func (p *Profile) LooksLater() bool { return p.Client == OfJava }

// Validate refuses the timings that the client refuses: for client-go and Python those that Timings.Validate refuses. Nothing is
// refused for C# and Rust, whose clients compare no timings. Nor is anything for fabric8: only the builder of that client compares
// timings, and Flink goes without the builder. The error is a *TimingError.
func (p *Profile) Validate(t Timings) error {
	switch p.Client {
	case OfFabric8, OfCSharp, OfRust:
		return nil
	case OfJava:
		switch {
		case t.LeaseDuration <= t.RenewDeadline:
			return &TimingError{Rule: "leaseDuration must be greater than renewDeadline", Timings: t}
		case t.RenewDeadline <= t.RetryPeriod:
			return &TimingError{Rule: "renewDeadline must be greater than retryPeriod", Timings: t}
		}
		return nil
	}
	return t.Validate()
}

// WallUnit returns the unit of the times in the records of a client that counts a lease by its wall clock, from when it saw the
// record change. The client compares records in that unit, to tell whether they have changed, and counts in it or in a smaller
// one. It is 0 for all other clients.
func (p *Profile) WallUnit() time.Duration {
	switch p.Client {
	case OfPython, OfCSharp:
		return time.Microsecond
	case OfJava:
		return time.Millisecond
	}
	return 0
}
