package machine

// Profile is one variant of the algorithm, as data: each field is a point in which variants differ. The zero value of a field is what
// client-go does.
type Profile struct {
	// Name is how scenario files and flags call the variant.
	Name string
	// Client is whose algorithm the variant is.
	Client Client
	// FromSend: a leader counts its own lease from when a renewal was sent. Otherwise it counts from the acknowledgement, and the lease
	// lasts longer for the leader than for those who saw the write.
	FromSend bool
	// CompareExact: an observer compares the times of records exactly. Otherwise it looks at whole seconds, as the record's JSON text has
	// them.
	CompareExact bool
	// ForeignObeyed: a leader that reads another holder in the record stops at once. Otherwise it goes on renewing until the deadline.
	ForeignObeyed bool
	// RoundUp: LeaseDuration becomes whole seconds in the record by rounding up, which promises others no less than the leader counts on.
	// Otherwise the fraction is cut off.
	RoundUp bool
	// ReadFirst: a leader reads before each renewal. Otherwise it updates on the version last seen, and reads only when that fails.
	ReadFirst bool
	// ExpiryOwn: another's record counts, from when it was observed, for the LeaseDuration that the observer is configured with. Otherwise
	// it counts for the duration in the record.
	ExpiryOwn bool
	// TicksDropped: the ticker of a poll starts when the first attempt has failed, and a tick during an attempt is lost. Otherwise the
	// ticker starts with the poll and keeps one tick, so that the next attempt follows a slow one at once.
	TicksDropped bool
	// ContextNone: requests carry no context, and only an answer ends one. A poll whose time is up then leaves its attempt running, and
	// that attempt may still read and write. Run waits for an attempt to acquire, even after it was cancelled. Otherwise a request fails
	// when its context ends, and its attempt fails with it.
	ContextNone bool
	// Object says which failed requests leave the lock without an object.
	Object Object
	// EventAtFailure: the lock is told that the candidate has stopped leading when a poll has failed, before a release. It is told nothing
	// if the candidate was stopped between two polls. Otherwise it is told right before the program is, whatever ended the term.
	EventAtFailure bool
	// FromRenewal: a leader counts RenewDeadline from when the last acknowledged renewal was sent, and no attempt outlasts the deadline.
	// Otherwise it counts from the start of each poll, a RetryPeriod after the last renewal was acknowledged.
	FromRenewal bool
	// StampRequest: an attempt reads the clock for the renewTime of each update. Otherwise it reads the clock once, so that two updates of
	// one attempt look the same to others.
	StampRequest bool
	// OwnByTerm: a candidate's own record has, besides its name, the acquireTime and the transitions of its own term, since another
	// process may use the same name. A term is the candidate's own once a write of it was acknowledged. Before that, nobody can tell
	// whether a record that looks the same is this candidate's or the other's. IsLeader tells whether the work may run, and nothing is
	// written on a version whose record was not observed. Otherwise the name alone counts.
	OwnByTerm bool
	// VacancyWaitedOut: a candidate that has seen the lock, and finds that its object is gone, first lets a lease run out. Otherwise it
	// creates an object at once.
	VacancyWaitedOut bool
	// WorkFirst: a leader that stops ends the work's context, waits until the work has returned, at most until the lease has run out, tells
	// the program that it has stopped leading, and then releases the lock. Otherwise it releases the lock and then ends the context.
	WorkFirst bool
	// UntilReturned: a leader that releases the lock (ReleaseOnCancel) renews until OnStartedLeading has returned, whether or not Run's
	// context has ended, and releases only after that. Otherwise it renews until Run's context has ended. RenewDeadline ends both.
	UntilReturned bool
	// Release is what a candidate checks before it releases the lock.
	Release Release
	// ByCoordinator: candidates take nothing; the coordinator writes who holds the lock, and that candidate renews it
	// (LeaderElectionConfig.Coordinated of the library). Otherwise the candidate that takes the lock leads.
	ByCoordinator bool
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

// Object says which failed requests leave the lock without an object, so that ReleaseBlind cannot write.
type Object uint8

// ObjectLostByGet loses the object when a Get fails, and keeps it when an Update fails. ObjectLostByAny loses it in
// both cases. With ObjectOfLock only the lock knows: it fails a request that it cannot send.
const (
	ObjectLostByGet Object = iota
	ObjectLostByAny
	ObjectOfLock
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
