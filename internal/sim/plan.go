// Package sim is the simulated world: true time, every candidate's own clocks, a network, a lock service,
// processes that pause, crash and restart. A run is a pure function of its Plan.
package sim

import (
	"time"

	"interregnum/elector/machine"
)

// Plan is everything that decides a run. Scenario files (package scenarios) describe one.
type Plan struct {
	Seed    uint64
	Horizon time.Duration
	// Elections are the names of several elections in each process, in the order in which a process begins them; nil: there
	// is but one. Candidates then has an entry for each candidate in each of its elections, those of one candidate one
	// after the other, in that order, and alike in all that is the process's: ID, Identity, StartAt, Clock, LivenessProbe.
	Elections  []string
	Candidates []Candidate
	Network    Network
	// Service is the clock of a service whose locks expire by themselves. Others have no use for one.
	Service Clock
	// Coordinator is of coordinated elections; nil: there is none.
	Coordinator *Coordinator
	Faults      []Fault
}

// Candidate is one participant.
type Candidate struct {
	ID string
	// Election is one of Plan.Elections, "" where there are none.
	Election string
	// Identity is the holder identity, ID where it is "".
	Identity string
	Profile  machine.Profile
	Lock     Lock
	machine.Timings
	ReleaseOnCancel bool
	// RequestTimeout is how long the client waits for an answer, on the candidate's clock; 0 is for ever.
	RequestTimeout time.Duration
	// Jitter, in [0,1), takes the place of every random draw; nil draws from the seed.
	Jitter *float64
	// Drain is how long the work goes on, in true time, once its context has ended.
	Drain time.Duration
	// WriteEvery is how long, on the candidate's clock, its guarded work waits from one write of the guarded resource
	// to the next, the first as it starts; 0: it does not write.
	WriteEvery time.Duration
	// StartAt is when, in true time, the process starts.
	StartAt time.Duration
	// Rejoin is the true time from Run's return to the next Run; nil: there is none.
	Rejoin *time.Duration
	// OnLoss is what becomes of the process; "" is LossRejoin with a Rejoin, and LossIgnore without.
	OnLoss OnLoss
	// LivenessProbe is nil where nobody asks whether the process is healthy.
	LivenessProbe *LivenessProbe
	Clock         Clock
	// Now and Precision are of SQLTTL: whose time its statements carry, "" for CallerNow; and what the column of the time
	// keeps, 0 for a microsecond.
	Now       Now
	Precision time.Duration
	// Coordinated: the coordinator says who leads. The versions, such as 1.36, and the strategy are what its LeaseCandidate
	// says.
	Coordinated                               bool
	EmulationVersion, BinaryVersion, Strategy string
}

// Clock is a candidate's pair of clocks at the start.
type Clock struct {
	// Offset is how far the wall clock is ahead of true time.
	Offset time.Duration
	// DriftPPM is the rate of both clocks, in parts per million above that of true time.
	DriftPPM int64
}

// Delay is the time that one leg takes: uniform in [Min, Max].
type Delay struct{ Min, Max time.Duration }

// Network is the way to the lock service and back.
type Network struct{ Request, Response Delay }

// FaultKind is what goes wrong.
type FaultKind string

// The kinds of fault.
const (
	FaultDelay     FaultKind = "delay"
	FaultPartition FaultKind = "partition"
	FaultLose      FaultKind = "lose"
	FaultOutage    FaultKind = "outage"
	FaultError     FaultKind = "error"
	FaultPause     FaultKind = "pause"
	FaultCrash     FaultKind = "crash"
	FaultRestart   FaultKind = "restart"
	FaultCancel    FaultKind = "cancel"
	FaultClock     FaultKind = "clock"
	FaultDelete    FaultKind = "delete"
	FaultEdit      FaultKind = "edit"
)

// Leg is one way of a message.
type Leg string

// Both legs, or one.
const (
	BothLegs    Leg = ""
	RequestLeg  Leg = "request"
	ResponseLeg Leg = "response"
)

// Identity is what a restarted process calls itself.
type Identity string

// The same as before the restart, or a new one (id-2, id-3 …).
const (
	SameIdentity Identity = "same"
	NewIdentity  Identity = "new"
)

// Roles that On may name. ServiceName is the service's, in On of a clock fault, unless a candidate is called that.
const (
	RoleLeader   = "leader"
	RoleFollower = "follower"
	ServiceName  = "service"
)

// Fault is one thing that goes wrong. Which fields count depends on Kind.
type Fault struct {
	Kind FaultKind
	// At is when it begins. Until, where the kind is a window, is when it has ended; nil: at the horizon.
	At    time.Duration
	Until *time.Duration
	// On names candidates and roles; empty is everybody.
	On []string
	// Request and Response replace the network's delay of that leg; nil leaves it.
	Request, Response *Delay
	// Leg and Probability are of lose. A Probability of nil is 1.
	Leg         Leg
	Probability *float64
	// Verb (0: all), Status and Applied are of error.
	Verb    machine.Verb
	Status  int
	Applied bool
	// Object is of delay, lose, error and delete: the only kind of object that it is about; "" is every kind.
	Object string
	// Election is the only one that it is about, "" for all; of a fault that is on a process, the one whose roles On names.
	Election string
	// Identity is of restart; "" is SameIdentity.
	Identity Identity
	// Jump and DriftPPM are of clock.
	Jump     time.Duration
	DriftPPM *int64
	// Edit is of edit.
	Edit
}

// Window tells whether faults of that kind last, and may have an end.
func (k FaultKind) Window() bool {
	switch k {
	case FaultDelay, FaultPartition, FaultLose, FaultOutage, FaultError, FaultPause:
		return true
	}
	return false
}
