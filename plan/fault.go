package plan

import (
	"slices"
	"time"

	"interregnum/elector/machine"
)

// Edit is what somebody changes in the Lease by hand. A field that is nil is not changed.
type Edit struct {
	Holder, PreferredHolder, Strategy *string
	// LeaseDuration is in whole seconds.
	LeaseDuration *time.Duration
}

// defaultRetryAfter is the Retry-After of an API server that has too much to do (k8s.io/apiserver, pkg/server/filters, priority and
// fairness).
const defaultRetryAfter = time.Second

// In a brownout with seats, as in an API server.
const (
	// LongestSeatWait is how long a request waits for a seat before it is refused: a quarter of the time that the server has for it, which
	// is 60 s unless its flag --request-timeout says otherwise (k8s.io/apiserver, pkg/server/filters/priority-and-fairness.go,
	// getRequestWaitContext).
	LongestSeatWait = 15 * time.Second
	// LongestRetryAfter is the longest Retry-After of a refusal (pkg/util/flowcontrol/dropped_requests_tracker.go).
	LongestRetryAfter = 32 * time.Second
)

// Statuses of HTTP. serverError is the lowest of those which say that the server has failed.
const (
	tooManyRequests = 429
	serverError     = 500
	badGateway      = 502
)

// usualAfter and longestAfter are what Answer points to where a fault does not say how long to wait. Nobody changes them.
var usualAfter, longestAfter = defaultRetryAfter, LongestRetryAfter

// Answer returns the answer by which the service refuses requests. status is its HTTP status. retryAfter is how long it asks
// the client to wait before it sends the request again; nil if it does not ask for that. The fault must be an error, a
// throttle, or a brownout with seats. For a brownout retryAfter is the longest wait that there can be.
func (f *Fault) Answer() (status int, retryAfter *time.Duration) {
	switch {
	case f.Kind == FaultBrownout:
		return tooManyRequests, &longestAfter
	case f.Kind != FaultThrottle:
		return f.Status, f.RetryAfter
	case f.RetryAfter == nil:
		return tooManyRequests, &usualAfter
	}
	return tooManyRequests, f.RetryAfter
}

// Slowed returns how long a message takes in a brownout with that factor, if it takes d without one. The result is rounded down to
// nanoseconds, and MaxDuration at most.
func Slowed(d time.Duration, factor float64) time.Duration {
	return time.Duration(min(float64(d)*factor, float64(MaxDuration)))
}

// Others returns how many requests of other programs come in a brownout until the horizon, at most. It is 0 if Every is 0.
func (f *Fault) Others(horizon time.Duration) int64 {
	if f.Every <= 0 {
		return 0
	}
	return times(f.At, f.Until, f.Every, horizon)
}

// Cuts tells whether the fault stops all messages and pings between those that it is on and the service, at least in one
// direction: a partition, an outage, or a lose that is on every object and has no probability or 1.
func (f *Fault) Cuts() bool {
	switch f.Kind {
	case FaultPartition, FaultOutage:
		return true
	case FaultLose:
		return f.Object == "" && (f.Probability == nil || *f.Probability == 1)
	}
	return false
}

// Everybody tells whether the fault is not limited to some candidates: On is empty, and so is Election unless the fault is
// on records.
func (f *Fault) Everybody() bool {
	return len(f.On) == 0 && (f.Election == "" || f.Kind.OfRecord())
}

// NamesRole tells whether On names a role, leader or follower.
func (f *Fault) NamesRole() bool {
	return slices.Contains(f.On, RoleLeader) || slices.Contains(f.On, RoleFollower)
}

// Leg is one way of a round trip.
type Leg string

// The values of Leg: both ways, or one.
const (
	BothLegs    Leg = ""
	RequestLeg  Leg = "request"
	ResponseLeg Leg = "response"
)

// Identity is which name a restarted process writes into the record.
type Identity string

// The values of Identity: the same name as before the restart, or a new one (id-2, id-3 …).
const (
	SameIdentity Identity = "same"
	NewIdentity  Identity = "new"
)

// Roles that On may name. In a clock fault, ServiceName in On is the lock service where a lock expires by itself.
const (
	RoleLeader   = "leader"
	RoleFollower = "follower"
	ServiceName  = "service"
)

// Fault is one thing that goes wrong. Which fields count depends on Kind.
type Fault struct {
	Kind FaultKind
	// At is when it begins, and Until when it ends if its kind is a window, in true time since the start. Until is nil if it
	// lasts to the horizon.
	At    time.Duration
	Until *time.Duration
	// On names candidates and roles; empty is everybody.
	On []string
	// Request and Response belong to delay: they replace the network's delay of that leg; nil leaves it.
	Request, Response *Delay
	// Limiter belongs to delay: how long a request waits in the client's rate limiter, on the candidate's clock, before it is
	// sent and its timeout starts.
	Limiter time.Duration
	// Leg and Probability, 0 to 1, belong to lose. A Probability of nil is 1.
	Leg         Leg
	Probability *float64
	// Verb (0: all), Status (400 to 599) and Applied (the operation is applied all the same) belong to error.
	Verb    machine.Verb
	Status  int
	Applied bool
	// RetryAfter belongs to error and throttle: how long the answer asks a client to wait before it sends the request again, in
	// whole seconds. nil is not at all in an error, and a second in a throttle.
	RetryAfter *time.Duration
	// Object belongs to delay, lose, error, throttle, brownout and delete: the only kind of object that is affected; "" is every kind.
	Object string
	// Election is the only election that is affected; "" is every one. In a fault on whole processes, which are in several
	// elections, it is the one in which On names roles.
	Election string
	// Factor belongs to brownout: messages take that many times as long, MaxDuration at most. It is 1 to 1000000.
	Factor *float64
	// Seats, Takes, Queue and Every belong to brownout. The service carries out at most Seats requests at a time; 0 is no limit.
	// Each keeps its seat for the time Takes. Others wait for a seat in the order in which they came. If Queue of them wait already,
	// one more is refused as by a throttle; 0 is no limit. Every is the time between two requests of other programs, which take
	// seats too; 0: there are none.
	Seats, Queue Count
	Takes, Every time.Duration
	// AnswersFirst belongs to pause: as the process wakes it handles answers that have come due in the freeze before timers and ends of
	// contexts that have, whichever of them came due first.
	AnswersFirst bool
	// Identity belongs to restart; "" is SameIdentity.
	Identity Identity
	// Jump, of the wall clock alone, and DriftPPM, of both clocks from then on, belong to clock.
	Jump     time.Duration
	DriftPPM *int64
	// Edit belongs to edit, Rollout to rollout.
	Edit
	Rollout
}
