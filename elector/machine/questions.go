package machine

// This file answers what other packages ask of a profile. They ask what a candidate does, and need not know which field
// says so.

// ReadsFirst tells whether a leader reads the record before each renewal, instead of trying an update at once.
func (p *Profile) ReadsFirst() bool { return p.Renewal == ReadFirst }

// CountsFromRenewal tells whether RenewDeadline runs from when the last acknowledged renewal was sent, instead of from
// when a poll begins.
func (p *Profile) CountsFromRenewal() bool { return p.Deadline == FromRenewal }

// CountsFromSend tells whether a leader counts its own lease from when a renewal was sent, instead of from its answer.
func (p *Profile) CountsFromSend() bool { return p.LeaseFrom == FromSend }

// DropsTicks tells whether a tick that comes during an attempt is lost, instead of being kept until its end.
func (p *Profile) DropsTicks() bool { return p.Ticks == TicksDropped }

// WaitsOwnLease tells whether a follower waits for its own LeaseDuration, instead of the one in the record.
func (p *Profile) WaitsOwnLease() bool { return p.Expiry == ExpiryOwn }

// CarriesContext tells whether the end of a context ends a request under way.
func (p *Profile) CarriesContext() bool { return p.Context != ContextNone }

// ReleasesBlindly tells whether a release is written without reading whose the record is.
func (p *Profile) ReleasesBlindly() bool { return p.Release == ReleaseBlind }

// StampsRequests tells whether each request of an attempt carries a time of its own, instead of the attempt's.
func (p *Profile) StampsRequests() bool { return p.Stamp == StampRequest }

// ComparesSeconds tells whether an observer compares the times of records in whole seconds.
func (p *Profile) ComparesSeconds() bool { return p.Compare == CompareSeconds }

// EndsWorkFirst tells whether a leader that is cancelled ends its work before it releases the lock.
func (p *Profile) EndsWorkFirst() bool { return p.Stopping == WorkFirst }

// RenewsUntilReturn tells whether a leader that releases the lock renews until OnStartedLeading has returned, instead of
// until it is cancelled.
func (p *Profile) RenewsUntilReturn() bool { return p.Until == UntilReturned }

// RoundsUp tells whether fractions of a second in LeaseDuration become a whole second in the record, instead of nothing.
func (p *Profile) RoundsUp() bool { return p.Seconds == RoundUp }

// OtherClient tells whether the algorithm is not that of client-go, but of a client in another language.
func (p *Profile) OtherClient() bool { return p.Client != OfClientGo }

// ByRenewTime tells whether a follower compares the record's renewTime with its own wall clock, instead of counting from when
// it saw the record change.
func (p *Profile) ByRenewTime() bool { return p.Client == OfFabric8 }

// TimesOut tells whether the client's requests can have a timeout of their own.
func (p *Profile) TimesOut() bool { return p.Client != OfPython }

// Jitters tells whether the waits between attempts to acquire have a random part.
func (p *Profile) Jitters() bool { return p.Client != OfPython }
