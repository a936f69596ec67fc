// Package trace is what a run leaves behind: a stream of events, its hash, and its form on disk.
//
// Events are the only evidence: the hash, the checkers and every report are consumers of one stream.
package trace

import (
	"encoding/json"
	"slices"
	"time"
)

// Kind is what an event says happened.
type Kind uint8

// The kinds. A comment names the fields that carry more than the candidate and the time.
const (
	RunStarted       Kind = iota + 1 // Holder: its identity
	RunReturned                      //
	RequestSent                      // Request, Verb, Holder (what it would write), Amount: its way out, in ns
	RequestLost                      // Request, Verb
	RequestRefused                   // Request, Verb, Status: an error answered without applying
	RequestApplied                   // Request, Verb, Status, Version, Base, Holder, Transitions, Amount: lease seconds
	Written                          // the same, for a request whose application changed the object
	ResponseLost                     // Request, Verb
	ResponseHandled                  // Request, Verb, Status
	ResponseLate                     // Request, Verb: nobody waited any more
	GaveUp                           // Request, Verb, Cause
	LocalError                       // Verb: a request that was never sent, Cause
	BeliefBegan                      // IsLeader() turned true while Run is in progress
	BeliefEnded                      //
	WorkStarted                      // Term, Version: the fencing token
	WorkCancelled                    // Term
	WorkEnded                        // Term
	Stopped                          // Term: OnStoppedLeading called; 0 where it never led
	LeaderReported                   // Holder: OnNewLeader called
	EventRecorded                    // Holder: the event's text
	MetricSet                        // Cause: MetricOn, MetricOff, MetricSlowPath
	Crashed                          // Cause: NoCause of a fault, Exited, ProbeFailed, Terminated, Killed
	CancelAsked                      // its context was cancelled; Cause: NoCause of a fault, Terminated, also between two Runs
	Paused                           //
	Resumed                          //
	ClockChanged                     // Amount: the jump in ns, Rate: the new drift in ppm
	Deleted                          // Fault: by which the lock object went; candidate -1
	FaultBegan                       // Fault, On; candidate -1
	FaultEnded                       // Fault; candidate -1
	FaultVoid                        // Fault: it had no effect; candidate -1
	ResourceWritten                  // Term, Version: its work writes the guarded resource, with this fencing token
	Expired                          // the entry of a key has run out; candidate -1
	ServiceClock                     // Amount: the jump of the service's clock in ns, Rate: its new drift in ppm; candidate -1
	Edited                           // Fault: by which the Lease was changed, Version, Holder, Amount: its leaseDurationSeconds; candidate -1
	CandidacyWritten                 // Holder: of whom; Version: 0 where it was deleted. A LeaseCandidate of a coordinated election
	RequestQueued                    // Request, Verb, Amount: how long it waits for a seat of the service, if none is free, and then has one, in ns
	RequestHeld                      // Request, Verb, Amount: how long its client keeps it back, in ns, Status: of the answer that asked for that, 0 for the limiter
	kinds
)

// Kinds is how many kinds there are, counting 0, which is no kind.
const Kinds = int(kinds)

var kindNames = [kinds]string{"", "runStarted", "runReturned", "requestSent", "requestLost", "requestRefused",
	"requestApplied", "written", "responseLost", "responseHandled", "responseLate", "gaveUp", "localError",
	"beliefBegan", "beliefEnded", "workStarted", "workCancelled", "workEnded", "stopped", "leaderReported",
	"eventRecorded", "metricSet", "crashed", "cancelAsked", "paused", "resumed", "clockChanged", "deleted",
	"faultBegan", "faultEnded", "faultVoid", "resourceWritten", "expired", "serviceClockChanged", "edited", "candidacyWritten",
	"requestQueued", "requestHeld"}

// String returns the name that trace files use. It is "" for 0, which is no kind.
func (k Kind) String() string { return kindNames[k] }

// message tells whether an event is about a request. Only such events have Request, Base and Transitions; they have no
// Term, Fault or Rate.
func (k Kind) message() bool {
	return k >= RequestSent && k <= LocalError || k == RequestQueued || k == RequestHeld
}

// nobodys tells whether events of that kind are about no candidate.
func (k Kind) nobodys() bool {
	switch k {
	case Deleted, FaultBegan, FaultEnded, FaultVoid, Expired, ServiceClock, Edited:
		return true
	}
	return false
}

// ofLock tells whether events of that kind are about the lock of one election, and about no candidate.
func (k Kind) ofLock() bool { return k == Deleted || k == Expired || k == Edited }

// Verb is what a request asks of the lock. The values are those of machine.Verb.
type Verb uint8

// The operations of a lock. Those from Replace to Watch are of locks that expire by themselves.
const (
	NoVerb Verb = iota
	Get
	Create
	Update
	Replace
	Refresh
	Release
	Watch
	Patch
	verbs
)

// Verbs is how many verbs there are, NoVerb included.
const Verbs = int(verbs)

// String returns the verb in lower case, "" for none.
func (v Verb) String() string {
	return [verbs]string{"", "get", "create", "update", "replace", "refresh", "release", "watch", "patch"}[v]
}

// Object is a kind of object that stores a record. The values are those of simlock.Object.
type Object uint8

// The kinds of object.
const (
	Lease Object = iota
	ConfigMap
	Endpoints
	Key
	Row
	// Objects is the number of kinds.
	Objects = iota
)

// Expires tells whether what is in such an object runs out by itself.
func (o Object) Expires() bool { return o == Key || o == Row }

// String returns the name that scenario files and trace files use.
func (o Object) String() string {
	return [Objects]string{"lease", "configmap", "endpoints", "key", "row"}[o]
}

// MarshalJSON returns the object's name as a JSON string.
func (o Object) MarshalJSON() ([]byte, error) { return json.Marshal(o.String()) }

// UnmarshalJSON reads a name; an unknown one becomes Objects, for the reader of the file to refuse. JSON that is no string is an
// error.
func (o *Object) UnmarshalJSON(text []byte) error {
	var name string
	err := json.Unmarshal(text, &name)
	*o = named(Object(Objects), name)
	return err
}

// Cause says why something happened, or which metric was set.
type Cause uint8

// The causes of GaveUp and LocalError, the three metrics, and the causes of Crashed.
const (
	NoCause Cause = iota
	ContextEnded
	TimedOut
	NoObject
	MetricOn
	MetricOff
	MetricSlowPath
	// Exited and ProbeFailed say why a process ended without a fault: it lost an election, or its liveness probe
	// failed.
	Exited
	ProbeFailed
	// Terminated and Killed say that a rollout has ended the process: it was told to and did, or had not done so when its
	// grace period was over.
	Terminated
	Killed
	// Throttled says that a request was never sent, since it would have waited for the client's limiter beyond the end of its context.
	Throttled
	// ConnectionLost says that a request was given up since its connection had ended.
	ConnectionLost
	causes
)

// String returns the name that trace files use, "" for none.
func (c Cause) String() string {
	return [causes]string{"", "contextEnded", "timedOut", "noObject", "on", "off", "slowPath", "exited", "probeFailed",
		"terminated", "killed", "throttled", "connectionLost"}[c]
}

// Nobody is the candidate of an event that is about no candidate.
const Nobody int32 = -1

// Event is one thing that happened, at an instant of true time. Which fields count is said beside each Kind.
type Event struct {
	// At is in nanoseconds since the start of the run.
	At int64
	// Seq counts the events of the run from 1.
	Seq uint64
	// Request is unique within a candidate.
	Request uint64
	// Version is the object's version after the event. Base is the version that the request was conditioned on, 0 for
	// none.
	Version, Base uint64
	Transitions   int64
	Amount        int64
	// Candidate is an index into Header.Candidates, or Nobody.
	Candidate int32
	// Incarnation counts a candidate's processes from 1, Term the times that its work ran, from 1.
	Incarnation, Term int32
	Rate              int32
	Fault             int32
	// On are the candidates that a fault is on when it begins, with its roles resolved, as indices into
	// Header.Candidates in ascending order. It is nil for a fault on everybody, on the record or on the service. It
	// follows from the scenario and the events before, and is not part of the hash.
	On []int32
	// Election is an index into Header.Elections. It counts only in events that are about a lock and about no
	// candidate.
	Election int32
	Status   int16
	Kind     Kind
	Verb     Verb
	Cause    Cause
	// Object is the kind of object that a request or a delete is about.
	Object Object
	Holder string
}

// Sink consumes events. The event is the run's own and changes after Observe has returned.
type Sink interface {
	Observe(*Event)
}

// Selective is a Sink that need not see events of every kind. Most events are then never passed on.
type Selective interface {
	Sink
	// Wants returns the kinds of event that it looks at. They are the same all along a run.
	Wants() KindSet
}

// Header is what a consumer needs to know of a run beforehand, and, after the number of the schema, the first line of a
// trace file, which has times in nanoseconds.
type Header struct {
	Scenario string        `json:"scenario"`
	Seed     uint64        `json:"seed"`
	Horizon  time.Duration `json:"horizonNs"`
	// Calm is when the last fault is over and the last candidate has started. Failover is the true time within which a
	// leader must work after Calm. Waits is the part of it in which clients keep requests back, in their limiters or for a
	// Retry-After. Endless says that a fault, or something as bad, lasts to the horizon.
	Calm     time.Duration `json:"calmNs"`
	Failover time.Duration `json:"failoverNs"`
	Waits    time.Duration `json:"waitsNs,omitempty"`
	Endless  bool          `json:"endless"`
	// EndlessBy says in a few words what does; "" where nothing does.
	EndlessBy  string      `json:"endlessBy,omitempty"`
	Candidates []Candidate `json:"candidates"`
	// Service is nil if no lock expires by itself.
	Service *Service `json:"service,omitempty"`
	// Elections are the names of several elections in each process, in order; nil if there is only one. Candidates then
	// has an entry for each candidate in each of its elections.
	Elections []string `json:"elections,omitempty"`
	// Rollouts are those of the scenario, nil for none.
	Rollouts []Rollout `json:"rollouts,omitempty"`
}

// IsRollout tells whether the scenario's fault of that number is a rollout.
func (h *Header) IsRollout(fault int32) bool {
	return slices.ContainsFunc(h.Rollouts, func(r Rollout) bool { return r.Fault == fault })
}

// Rollout is a fault that is over by itself: a rolling update, which should be over within a true time.
type Rollout struct {
	Fault  int32         `json:"fault"`
	Within time.Duration `json:"withinNs"`
	// To are the ids of the candidates that are to replace others. They are ready while they lead, or else while their processes run.
	To      []string `json:"to"`
	Leading bool     `json:"leading"`
}

// Objects returns the kinds of object that the candidates' locks are on, each once, in the order of the constants. It is nil
// if all locks are on the Lease alone.
func (h *Header) Objects() []Object {
	lease, others := false, []Object(nil)
	for i := range h.Candidates {
		on := h.Candidates[i].Objects
		lease = lease || len(on) == 0
		for _, o := range on {
			if !slices.Contains(others, o) {
				others = append(others, o)
			}
		}
	}
	if lease && others != nil && !slices.Contains(others, Lease) {
		others = append(others, Lease)
	}
	slices.Sort(others)
	return others
}

// Candidate is what a consumer needs to know of one candidate, or of the coordinator.
type Candidate struct {
	ID string `json:"id"`
	// Election is one of Header.Elections, "" where there are none.
	Election      string        `json:"election,omitempty"`
	LeaseDuration time.Duration `json:"leaseDurationNs"`
	RenewDeadline time.Duration `json:"renewDeadlineNs"`
	RetryPeriod   time.Duration `json:"retryPeriodNs"`
	// ComparesSeconds tells that the candidate compares records in whole seconds.
	ComparesSeconds bool `json:"comparesSeconds"`
	// DeadlineFromRenewal tells that it counts RenewDeadline from when it sent its last renewal, and not from when it
	// begins to renew again. StampsRequests tells that each request carries the time at which it was sent, and not that at
	// which its attempt began. WaitsOwnLease tells that it waits its own LeaseDuration, whatever the record says.
	DeadlineFromRenewal bool `json:"deadlineFromRenewal"`
	StampsRequests      bool `json:"stampsRequests"`
	WaitsOwnLease       bool `json:"waitsOwnLease"`
	// Rejoins tells that it runs again after each Run.
	Rejoins bool `json:"rejoins"`
	// StandsWithin is the longest true time between two of its requests while it stands for election.
	StandsWithin time.Duration `json:"standsWithinNs"`
	// DriftPPM is its clocks' rate at the start, in parts per million above that of true time. Offset is by how much its
	// wall clock is ahead of true time then.
	DriftPPM int64         `json:"driftPPM"`
	Offset   time.Duration `json:"offsetNs"`
	// Objects are what its lock is on, in the order in which it asks for them; nil for the Lease alone.
	Objects []Object `json:"objects,omitempty"`
	// Coordinator tells that it is no candidate but the coordinator of a coordinated election.
	Coordinator bool `json:"coordinator,omitempty"`
	// OwnNow tells that its statements on a Row carry the time of its own wall clock, instead of having the database
	// use its own.
	OwnNow bool `json:"ownNow,omitempty"`
	// ByRenewTime tells that it compares the record's renewTime with its own wall clock, and counts RenewDeadline, if it has one,
	// from its last success. NoDeadline tells that it has none: it leads until it reads another holder.
	ByRenewTime bool `json:"byRenewTime,omitempty"`
	NoDeadline  bool `json:"noDeadline,omitempty"`
}

// KeepsBack tells whether e is a request of the candidate of which reports tell that its client keeps it back: it waits for a tenth of
// RenewDeadline or longer, on the candidate's clock, or its limiter lets it not be sent.
func (c *Candidate) KeepsBack(e *Event) bool {
	switch e.Kind {
	case RequestHeld:
		return e.Amount >= int64(c.RenewDeadline/10)
	case LocalError:
		return e.Cause == Throttled
	}
	return false
}

// Name returns the name by which reports call the candidate: its ID, followed by / and its election if there are several.
func (c *Candidate) Name() string {
	if c.Election == "" {
		return c.ID
	}
	return c.ID + "/" + c.Election
}

// Service is what a consumer needs to know of the service of a Key or a Row.
type Service struct {
	// Offset is by how much its wall clock is ahead of true time at the start, DriftPPM the rate of its clocks.
	Offset   time.Duration `json:"offsetNs"`
	DriftPPM int64         `json:"driftPPM"`
	// Precision is the resolution in which a Row keeps times.
	Precision time.Duration `json:"precisionNs"`
}

// Expires tells whether the candidate's lock runs out by itself.
func (c *Candidate) Expires() bool { return len(c.Objects) == 1 && c.Objects[0].Expires() }

// Last tells whether o is the last object that the candidate's lock asks for: once it has answered, the call is over. It is
// always true for a lock on the Lease alone.
func (c *Candidate) Last(o Object) bool {
	return len(c.Objects) == 0 || c.Objects[len(c.Objects)-1] == o
}

// First tells whether o is the object that the candidate's lock asks for first, which decides who takes the lock. It is always
// true for a lock on the Lease alone.
func (c *Candidate) First(o Object) bool { return len(c.Objects) == 0 || c.Objects[0] == o }
