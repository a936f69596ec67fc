package plan

import (
	"slices"
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
	return len(f.On) == 0 && (f.Election == "" || f.Kind.OfRecord())
}

// NamesRole tells whether On names a role, leader or follower.
func (f *Fault) NamesRole() bool {
	return slices.Contains(f.On, RoleLeader) || slices.Contains(f.On, RoleFollower)
}

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

// FaultField is the row of a field of faults. The type of the pointer that In returns is the sort of the value: whoever
// reads, checks or writes values has a case for each type.
type FaultField struct {
	// Name is what scenario files call it.
	Name string
	// Scope fields say when a fault is, or upon whom. All others say what happens.
	Scope bool
	// Always: a file says it even where it is the zero value.
	Always bool
	// Signed durations may be negative.
	Signed bool
	// Words returns the words that a text may be; nil: it may be any text.
	Words func() []string
	slot
}

// slot is where a fault keeps a field.
type slot struct {
	// In returns a pointer to the value. Where that is a pointer, too, nil is none.
	In func(*Fault) any
	// Set tells whether a fault has the field: whether it is not what it is where a scenario file does not say it. Clear takes it away.
	Set   func(*Fault) bool
	Clear func(*Fault)
}

// in is the slot to which at returns a pointer. A fault does not have the field where the value is zero.
func in[T comparable](at func(*Fault) *T) slot {
	var unsaid T
	return slot{
		In:    func(f *Fault) any { return at(f) },
		Set:   func(f *Fault) bool { return *at(f) != unsaid },
		Clear: func(f *Fault) { *at(f) = unsaid },
	}
}

// faultFields has a row for each field of a fault but its kind.
var faultFields = []*FaultField{
	{Name: "at", Scope: true, Always: true, slot: in(func(f *Fault) *time.Duration { return &f.At })},
	{Name: "until", Scope: true, slot: in(func(f *Fault) **time.Duration { return &f.Until })},
	{Name: "on", Scope: true, slot: slot{
		In:    func(f *Fault) any { return &f.On },
		Set:   func(f *Fault) bool { return len(f.On) > 0 },
		Clear: func(f *Fault) { f.On = nil },
	}},
	{Name: "election", Scope: true, slot: in(func(f *Fault) *string { return &f.Election })},
	{Name: "object", Scope: true, Words: ObjectNames, slot: in(func(f *Fault) *string { return &f.Object })},
	{Name: "request", slot: in(func(f *Fault) **Delay { return &f.Request })},
	{Name: "response", slot: in(func(f *Fault) **Delay { return &f.Response })},
	{Name: "limiter", slot: in(func(f *Fault) *time.Duration { return &f.Limiter })},
	{Name: "leg", slot: in(func(f *Fault) *Leg { return &f.Leg })},
	{Name: "probability", slot: in(func(f *Fault) **float64 { return &f.Probability })},
	{Name: "verb", slot: in(func(f *Fault) *machine.Verb { return &f.Verb })},
	{Name: "status", slot: in(func(f *Fault) *int { return &f.Status })},
	{Name: "applied", slot: in(func(f *Fault) *bool { return &f.Applied })},
	{Name: "identity", slot: in(func(f *Fault) *Identity { return &f.Identity })},
	{Name: "jump", Signed: true, slot: in(func(f *Fault) *time.Duration { return &f.Jump })},
	{Name: "driftPPM", slot: in(func(f *Fault) **int64 { return &f.DriftPPM })},
	{Name: "holder", slot: in(func(f *Fault) **string { return &f.Holder })},
	{Name: "preferredHolder", slot: in(func(f *Fault) **string { return &f.PreferredHolder })},
	{Name: "strategy", slot: in(func(f *Fault) **string { return &f.Strategy })},
	{Name: "leaseDuration", slot: in(func(f *Fault) **time.Duration { return &f.Edit.LeaseDuration })},
}

// FaultFields returns the fields of faults of all kinds, but for the kind itself, in the order of scenario files. They are not to be
// changed. Which of them a fault of some kind may have is FaultKind.Fields.
func FaultFields() []*FaultField { return faultFields }
