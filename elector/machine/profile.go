package machine

// Profile is one variant of the algorithm, as data: each field is a point in which variants differ.
type Profile struct {
	// Name is how scenario files and flags call the variant.
	Name string
	// Client is whose algorithm the variant is.
	Client Client
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
	// Expiry is for how long another's record counts after it was observed.
	Expiry Expiry
	// Ticks is what becomes of a poll's ticks while an attempt is under way.
	Ticks Ticks
	// Context is whether requests carry a context.
	Context Context
	// Object says which failed requests leave the lock without an object.
	Object Object
	// StopEvent is when the lock is told that the candidate has stopped leading.
	StopEvent StopEvent
	// Deadline is the instant from which a leader counts RenewDeadline.
	Deadline DeadlineFrom
	// Stamp is how often an attempt reads the clock for renewTime.
	Stamp Stamp
	// Own is how a candidate recognises a record as its own.
	Own Own
	// Vacancy is what a candidate does when the lock object is gone.
	Vacancy Vacancy
	// Stopping is whether the lock is released before or after the work has returned.
	Stopping Stopping
	// Until is what ends the renewals of a leader that releases the lock.
	Until Until
	// Release is what a candidate checks before it releases the lock.
	Release Release
	// Electing is who decides who leads.
	Electing Electing
}

// Client is whose algorithm a variant is.
type Client uint8

// OfClientGo is the algorithm of this package. OfFabric8 is that of fabric8's client for Java, in internal/fabric8. OfPython,
// OfJava and OfCSharp are those of Kubernetes' own clients, in internal/wallclock. OfRust is that of kube-leader-election, in
// internal/rust. No other field changes what these do.
const (
	OfClientGo Client = iota
	OfFabric8
	OfPython
	OfJava
	OfCSharp
	OfRust
)

// LeaseFrom is the instant from which a leader counts its own lease.
type LeaseFrom uint8

// A lease counted from its acknowledgement lasts longer for the leader than for those who saw the write.
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

// Expiry is for how long a record counts after it was observed.
type Expiry uint8

// ExpiryRecorded counts the duration in the record. ExpiryOwn counts the LeaseDuration that the observer is configured
// with, whatever the record says.
const (
	ExpiryRecorded Expiry = iota
	ExpiryOwn
)

// Ticks is what becomes of a poll's ticks while an attempt is under way.
type Ticks uint8

// With TicksKept the ticker starts with the poll and keeps one tick, so that the next attempt follows a slow one at
// once. With TicksDropped the ticker starts when the first attempt has failed, and a tick during an attempt is lost.
const (
	TicksKept Ticks = iota
	TicksDropped
)

// Context is whether requests carry a context.
type Context uint8

// With ContextCarried a request fails when its context ends, and its attempt fails with it. With ContextNone only an
// answer ends a request. A poll whose time is up then leaves its attempt running, and that attempt may still read and
// write. Run waits for an attempt to acquire, even after it was cancelled.
const (
	ContextCarried Context = iota
	ContextNone
)

// Object says which failed requests leave the lock without an object, so that ReleaseBlind cannot write.
type Object uint8

// ObjectLostByGet loses the object when a Get fails, and keeps it when an Update fails. ObjectLostByAny loses it in
// both cases. With ObjectOfLock only the lock knows: it fails a request that it cannot send.
const (
	ObjectLostByGet Object = iota
	ObjectLostByAny
	ObjectOfLock
)

// StopEvent is when the lock is told that the candidate has stopped leading.
type StopEvent uint8

// EventAtEnd tells the lock right before the program is told, whatever ended the term. EventAtFailure tells it when a poll has
// failed, before a release. It tells nothing if the candidate was stopped between two polls.
const (
	EventAtEnd StopEvent = iota
	EventAtFailure
)

// DeadlineFrom is the instant from which a leader counts RenewDeadline.
type DeadlineFrom uint8

// FromPoll counts from the start of each poll, a RetryPeriod after the last renewal was acknowledged. FromRenewal
// counts from when the last acknowledged renewal was sent, and no attempt outlasts the deadline.
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

// Own is how a candidate recognises a record as its own.
type Own uint8

// OwnByName trusts the holder's name. OwnByTerm also wants the acquireTime and the transitions of the candidate's own
// term, since another process may use the same name. A term is the candidate's own once a write of it was acknowledged.
// Before that, nobody can tell whether a record that looks the same is this candidate's or the other's. With OwnByTerm,
// IsLeader tells whether the work may run, and nothing is written on a version whose record was not observed.
const (
	OwnByName Own = iota
	OwnByTerm
)

// Vacancy is what a candidate does when the lock object is gone.
type Vacancy uint8

// VacancyTaken creates an object at once. With VacancyWaitedOut a candidate that has seen the lock first lets a lease run out.
const (
	VacancyTaken Vacancy = iota
	VacancyWaitedOut
)

// Stopping is the order in which leading ends.
type Stopping uint8

// ReleaseFirst releases the lock and then ends the work's context. WorkFirst ends the context, waits until the work
// has returned, at most until the lease has run out, tells the program that it has stopped leading, and then releases the lock.
const (
	ReleaseFirst Stopping = iota
	WorkFirst
)

// Until is what ends the renewals of a leader that releases the lock (ReleaseOnCancel). RenewDeadline ends them too.
type Until uint8

// With UntilCancelled it is the end of Run's context. With UntilReturned it is the return of OnStartedLeading, whether
// or not Run's context has ended; the lock is released only after that return.
const (
	UntilCancelled Until = iota
	UntilReturned
)

// Release is what a candidate checks before it releases the lock.
type Release uint8

// ReleaseBelieved checks that the candidate believes that it leads. ReleaseOwned checks that the record just read is
// its own. ReleaseBlind checks the belief but reads nothing: it writes once, without a time limit, on the object that
// the last request left. If that request left none, it writes nothing: see Object. ReleaseOnce is ReleaseBelieved without a
// second try: a write that conflicts ends it, as with v0.34 to v0.36 of the library.
const (
	ReleaseBelieved Release = iota
	ReleaseOwned
	ReleaseBlind
	ReleaseOnce
)

// Electing is who decides who leads.
type Electing uint8

// With ByCandidates the candidate that takes the lock leads. With ByCoordinator candidates take nothing: the
// coordinator writes who holds the lock, and that candidate renews it (LeaderElectionConfig.Coordinated of the
// library).
const (
	ByCandidates Electing = iota
	ByCoordinator
)
