package plan

import (
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
)

// Edit is what somebody changes in the Lease by hand; nil leaves it.
type Edit struct {
	Holder, PreferredHolder, Strategy *string
	// LeaseDuration is in whole seconds.
	LeaseDuration *time.Duration
}

// Everybody tells whether the fault is on no candidate in particular: on all of them, or on the record.
func (f *Fault) Everybody() bool {
	return len(f.On) == 0 && (f.Election == "" || f.Kind == FaultDelete || f.Kind == FaultEdit)
}

// OfProcess tells whether faults of that kind are on whole processes.
func (k FaultKind) OfProcess() bool {
	switch k {
	case FaultPause, FaultCrash, FaultRestart, FaultClock:
		return true
	}
	return false
}

// NamesRole tells whether On names a role, leader or follower.
func (f *Fault) NamesRole() bool {
	return slices.Contains(f.On, RoleLeader) || slices.Contains(f.On, RoleFollower)
}

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
	// At is when, in true time since the start, it begins. Until, where the kind is a window, is when it has ended; nil: at the horizon.
	At    time.Duration
	Until *time.Duration
	// On names candidates and roles; empty is everybody.
	On []string
	// Request and Response replace the network's delay of that leg; nil leaves it.
	Request, Response *Delay
	// Limiter is of delay: how long, on the candidate's clock, a request waits in the client's rate limiter before it leaves and
	// its timeout starts.
	Limiter time.Duration
	// Leg and Probability, 0 to 1, are of lose. A Probability of nil is 1.
	Leg         Leg
	Probability *float64
	// Verb (0: all), Status (400 to 599) and Applied (the operation is applied all the same) are of error.
	Verb    machine.Verb
	Status  int
	Applied bool
	// Object is of delay, lose, error and delete: the only kind of object that it is about; "" is every kind.
	Object string
	// Election is the only one that it is about, "" for all; of a fault that is on a process, the one whose roles On names.
	Election string
	// Identity is of restart; "" is SameIdentity.
	Identity Identity
	// Jump, which is of the wall clock alone, and DriftPPM, of both from then on, are of clock.
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

// FaultKinds returns the kinds of fault, in a stable order.
func FaultKinds() []FaultKind {
	return []FaultKind{
		FaultDelay, FaultPartition, FaultLose, FaultOutage, FaultError, FaultPause,
		FaultCrash, FaultRestart, FaultCancel, FaultClock, FaultDelete, FaultEdit,
	}
}

// fieldsOf are the names, as in scenario files, of the fields that a fault of each kind may have besides kind.
var fieldsOf = map[FaultKind][]string{
	FaultDelay:     {"at", "until", "on", "election", "object", "request", "response", "limiter"},
	FaultPartition: {"at", "until", "on", "election"},
	FaultPause:     {"at", "until", "on", "election"},
	FaultLose:      {"at", "until", "on", "election", "object", "leg", "probability"},
	FaultOutage:    {"at", "until", "election"},
	FaultError:     {"at", "until", "on", "election", "object", "verb", "status", "applied"},
	FaultCrash:     {"at", "on", "election"},
	FaultCancel:    {"at", "on", "election"},
	FaultRestart:   {"at", "on", "election", "identity"},
	FaultClock:     {"at", "on", "election", "jump", "driftPPM"},
	FaultDelete:    {"at", "election", "object"},
	FaultEdit:      {"at", "election", "holder", "preferredHolder", "strategy", "leaseDuration"},
}

// Fields returns the names, as in scenario files, of the fields that a fault of that kind may have besides
// kind; nil for an unknown kind. They are not to be changed.
func (k FaultKind) Fields() []string { return fieldsOf[k] }

// Refuses says why a fault of that kind cannot have that field; "" where it can.
func (k FaultKind) Refuses(field string) string {
	fields := k.Fields()
	if field == "kind" || slices.Contains(fields, field) {
		return ""
	}
	article := "a "
	if strings.ContainsAny(string(k[0]), "aeiou") {
		article = "an "
	}
	return field + " is not a field of " + string(k) + "; " + article + string(k) + " has " +
		strings.Join(fields, ", ")
}

// FaultKindNames returns the names of the kinds of fault, in the order of FaultKinds.
func FaultKindNames() []string {
	var names []string
	for _, k := range FaultKinds() {
		names = append(names, string(k))
	}
	return names
}
