package machine

// Profile is one variant of the algorithm, as data: each field is a point in which variants differ.
type Profile struct {
	// Name is how scenario files and flags call the variant.
	Name string
	// LeaseFrom is the instant from which a leader counts its own lease.
	LeaseFrom LeaseFrom
	// Compare is how an observer tells whether a record has changed.
	Compare Compare
	// Foreign is what a leader does when it reads another holder in the record.
	Foreign Foreign
	// Seconds is how LeaseDuration becomes whole seconds in the record.
	Seconds Rounding
	// Renewal is whether a leader first tries an update without reading.
	Renewal Renewal
	// Expiry is how long after it was observed another's record counts.
	Expiry Expiry
	// Ticks is what becomes of a poll's ticks while an attempt is under way.
	Ticks Ticks
	// Context is whether requests carry a context.
	Context Context
	// Object is after which failed requests the lock is left without an object.
	Object Object
	// StopEvent is when the lock is told that the candidate has stopped leading.
	StopEvent StopEvent
	// Deadline is from when a leader counts RenewDeadline.
	Deadline DeadlineFrom
	// Stamp is how often an attempt reads the clock for renewTime.
	Stamp Stamp
	// Own is by what a candidate knows a record for its own.
	Own Own
	// Vacancy is what a candidate does when the lock object is gone.
	Vacancy Vacancy
	// Stopping is whether the lock is released before or after the work has returned.
	Stopping Stopping
	// Release is what a candidate makes sure of before it writes a release.
	Release Release
	// Electing is who decides who leads.
	Electing Electing
}

// LeaseFrom is the instant from which a leader counts its own lease.
type LeaseFrom uint8

// A lease counted from its acknowledgement lasts longer for the leader than for those who saw it applied.
const (
	FromAck LeaseFrom = iota
	FromSend
)

// Compare is how an observer tells whether a record has changed.
type Compare uint8

// CompareSeconds looks at times in whole seconds, as the record's JSON text has them.
const (
	CompareSeconds Compare = iota
	CompareExact
)

// Foreign is what a leader does when it reads another holder in the record.
type Foreign uint8

// ForeignIgnored goes on renewing until the deadline; ForeignObeyed stops at once.
const (
	ForeignIgnored Foreign = iota
	ForeignObeyed
)

// Rounding is how a duration becomes whole seconds.
type Rounding uint8

// RoundDown cuts the fraction off; RoundUp promises others no less than the leader counts on.
const (
	RoundDown Rounding = iota
	RoundUp
)

// Renewal is how a leader renews.
type Renewal uint8

// Optimistic updates on the version last seen and reads only when that fails; ReadFirst reads each time.
const (
	Optimistic Renewal = iota
	ReadFirst
)

// Expiry is how long after it was observed a record counts.
type Expiry uint8

// ExpiryRecorded is what the record itself says; ExpiryOwn is the LeaseDuration that the observer is configured with,
// whatever the holder was promised.
const (
	ExpiryRecorded Expiry = iota
	ExpiryOwn
)

// Ticks is what becomes of a poll's ticks while an attempt is under way.
type Ticks uint8

// With TicksKept the ticker starts with the poll and keeps one tick, so that a slow attempt is followed by the next at
// once. With TicksDropped it starts when the first attempt has failed, and what it ticks during an attempt is lost.
const (
	TicksKept Ticks = iota
	TicksDropped
)

// Context is whether requests carry a context.
type Context uint8

// With ContextCarried a request fails when the context that it was made in ends, and its attempt with it. With
// ContextNone nothing but an answer ends a request. A poll whose time is up then leaves its attempt running, whatever
// that may yet read and write; an attempt to acquire is waited for, even where Run has been cancelled.
const (
	ContextCarried Context = iota
	ContextNone
)

// Object is after which failed requests the lock is left without an object, so that ReleaseBlind cannot write.
type Object uint8

// ObjectLostByGet keeps the object of the last Get for an Update that failed; ObjectLostByAny does not. ObjectOfLock
// leaves it to the lock, which fails what it cannot send.
const (
	ObjectLostByGet Object = iota
	ObjectLostByAny
	ObjectOfLock
)

// StopEvent is when the lock is told that the candidate has stopped leading.
type StopEvent uint8

// EventAtEnd tells it last of all, whatever ended the term; EventAtFailure when a poll has failed, before a release,
// and not at all where the candidate was stopped between two polls.
const (
	EventAtEnd StopEvent = iota
	EventAtFailure
)

// DeadlineFrom is from when a leader counts RenewDeadline.
type DeadlineFrom uint8

// FromPoll counts from the start of each poll, which comes a RetryPeriod after the last renewal was acknowledged.
// FromRenewal counts from when the last renewal that was acknowledged was sent, and lets no attempt outlast it.
const (
	FromPoll DeadlineFrom = iota
	FromRenewal
)

// Stamp is how often an attempt reads the clock for renewTime.
type Stamp uint8

// StampAttempt reads it once, so that two updates of one attempt look the same to others; StampRequest reads it for
// each update.
const (
	StampAttempt Stamp = iota
	StampRequest
)

// Own is by what a candidate knows a record for its own.
type Own uint8

// OwnByName trusts the holder's name; OwnByTerm wants the time of acquiring and the transitions of its own term too,
// since another process may go by the same name. A term is its own once a write of it was acknowledged: of one that was
// not, nobody can tell whether a record that looks like it is this candidate's or the other's. IsLeader then is whether
// the work may run, and nothing is written on a version whose record was not observed.
const (
	OwnByName Own = iota
	OwnByTerm
)

// Vacancy is what a candidate does when the lock object is gone.
type Vacancy uint8

// VacancyTaken creates it at once; VacancyWaitedOut lets the lease that it has seen run out first.
const (
	VacancyTaken Vacancy = iota
	VacancyWaitedOut
)

// Stopping is the order in which leading ends.
type Stopping uint8

// ReleaseFirst releases the lock and then ends the work's context. WorkFirst ends the context, waits until the work
// has returned, at most until the lease has run out, and then releases the lock.
const (
	ReleaseFirst Stopping = iota
	WorkFirst
)

// Release is what a candidate makes sure of before it writes a release.
type Release uint8

// ReleaseBelieved asks whether it believes that it leads; ReleaseOwned whether the record just read is its own.
// ReleaseBlind too asks for the belief, but reads nothing: it writes once, for as long as that takes, on the object that
// the last request left. Where that left none nothing is written: see Object.
const (
	ReleaseBelieved Release = iota
	ReleaseOwned
	ReleaseBlind
)

// Electing is who decides who leads.
type Electing uint8

// With ByCandidates whoever takes the lock leads. With ByCoordinator candidates take nothing: somebody else writes who
// holds the lock, and that candidate renews it (LeaderElectionConfig.Coordinated of the library).
const (
	ByCandidates Electing = iota
	ByCoordinator
)
