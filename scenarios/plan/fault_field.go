package plan

import (
	"time"

	"interregnum/elector/machine"
)

// FaultField describes a field of faults. Code that reads, checks or writes values switches on the type of the pointer
// that In returns.
type FaultField struct {
	// Name is its name in scenario files.
	Name string
	// Scope fields say when a fault happens, or to whom. All others say what happens.
	Scope bool
	// Always: a file has it even if it is zero.
	Always bool
	// Signed durations may be negative.
	Signed bool
	// LeaseSeconds: a duration is what a Lease can say.
	LeaseSeconds bool
	// Factor: a number is one to multiply with, not a probability.
	Factor bool
	// RetryAfterSeconds: a duration is what a Retry-After can say.
	RetryAfterSeconds bool
	// Words returns the words that a text may be; nil: it may be any text.
	Words func() []string
	// place is where it is in faultFields.
	place int
	slot
}

// says tells whether the field says what happens.
func (f *FaultField) says() bool { return !f.Scope }

// Set tells whether a fault has the field: its value in that fault is not zero.
func (f *FaultField) Set(of *Fault) bool { return of.present()[f.place] }

// slot gives access to a field of a Fault.
type slot struct {
	// In returns a pointer to the value. If the value is a pointer too, nil is none.
	In func(*Fault) any
	// Clear removes the field from a fault.
	Clear func(*Fault)
}

// slotOf returns functions that get and clear the field of a Fault to which at returns a pointer.
func slotOf[T any](at func(*Fault) *T) slot {
	return slot{
		In:    func(f *Fault) any { return at(f) },
		Clear: func(f *Fault) { *at(f) = *new(T) },
	}
}

// present returns, for each of faultFields in the same order, whether f has that field. It is no loop over functions, since a
// search asks for it of each fault in each run.
func (f *Fault) present() [fields]bool {
	e, r := &f.Edit, &f.Rollout
	return [fields]bool{
		f.At != 0, f.Until != nil, len(f.On) > 0, f.Election != "", f.Object != "", f.Request != nil, f.Response != nil, f.Limiter != 0,
		f.Leg != "", f.Probability != nil, f.Verb != 0, f.Status != 0, f.Applied, f.RetryAfter != nil,
		f.Factor != nil, f.Seats != 0, f.Takes != 0, f.Queue != 0, f.Every != 0, f.Identity != "", f.Jump != 0, f.DriftPPM != nil,
		e.Holder != nil, e.PreferredHolder != nil, e.Strategy != nil, e.LeaseDuration != nil,
		len(r.To) > 0, r.Surge != 0, r.MaxUnavailable != 0, r.Readiness != "", r.Startup != 0, r.GracePeriod != nil, r.Deadline != nil,
	}
}

// fields is how many fields a fault has besides its kind.
const fields = 33

// faultFields has a row for each field of a fault except its kind.
var faultFields = placed([fields]*FaultField{
	{Name: "at", Scope: true, Always: true, slot: slotOf(func(f *Fault) *time.Duration { return &f.At })},
	{Name: "until", Scope: true, slot: slotOf(func(f *Fault) **time.Duration { return &f.Until })},
	{Name: "on", Scope: true, slot: slotOf(func(f *Fault) *[]string { return &f.On })},
	{Name: "election", Scope: true, slot: slotOf(func(f *Fault) *string { return &f.Election })},
	{Name: "object", Scope: true, Words: ObjectNames, slot: slotOf(func(f *Fault) *string { return &f.Object })},
	{Name: "request", slot: slotOf(func(f *Fault) **Delay { return &f.Request })},
	{Name: "response", slot: slotOf(func(f *Fault) **Delay { return &f.Response })},
	{Name: "limiter", slot: slotOf(func(f *Fault) *time.Duration { return &f.Limiter })},
	{Name: "leg", slot: slotOf(func(f *Fault) *Leg { return &f.Leg })},
	{Name: "probability", slot: slotOf(func(f *Fault) **float64 { return &f.Probability })},
	{Name: "verb", slot: slotOf(func(f *Fault) *machine.Verb { return &f.Verb })},
	{Name: "status", slot: slotOf(func(f *Fault) *int { return &f.Status })},
	{Name: "applied", slot: slotOf(func(f *Fault) *bool { return &f.Applied })},
	{Name: "retryAfter", RetryAfterSeconds: true, slot: slotOf(func(f *Fault) **time.Duration { return &f.RetryAfter })},
	{Name: "factor", Factor: true, slot: slotOf(func(f *Fault) **float64 { return &f.Factor })},
	{Name: "seats", slot: slotOf(func(f *Fault) *Count { return &f.Seats })},
	{Name: "takes", slot: slotOf(func(f *Fault) *time.Duration { return &f.Takes })},
	{Name: "queue", slot: slotOf(func(f *Fault) *Count { return &f.Queue })},
	{Name: "every", slot: slotOf(func(f *Fault) *time.Duration { return &f.Every })},
	{Name: "identity", slot: slotOf(func(f *Fault) *Identity { return &f.Identity })},
	{Name: "jump", Signed: true, slot: slotOf(func(f *Fault) *time.Duration { return &f.Jump })},
	{Name: "driftPPM", slot: slotOf(func(f *Fault) **int64 { return &f.DriftPPM })},
	{Name: "holder", slot: slotOf(func(f *Fault) **string { return &f.Holder })},
	{Name: "preferredHolder", slot: slotOf(func(f *Fault) **string { return &f.PreferredHolder })},
	{Name: "strategy", slot: slotOf(func(f *Fault) **string { return &f.Strategy })},
	{Name: "leaseDuration", LeaseSeconds: true, slot: slotOf(func(f *Fault) **time.Duration { return &f.Edit.LeaseDuration })},
	{Name: "to", slot: slotOf(func(f *Fault) *[]string { return &f.To })},
	{Name: "surge", slot: slotOf(func(f *Fault) *Count { return &f.Surge })},
	{Name: "maxUnavailable", slot: slotOf(func(f *Fault) *Count { return &f.MaxUnavailable })},
	{Name: "readiness", slot: slotOf(func(f *Fault) *Readiness { return &f.Readiness })},
	{Name: "startup", slot: slotOf(func(f *Fault) *time.Duration { return &f.Startup })},
	{Name: "gracePeriod", slot: slotOf(func(f *Fault) **time.Duration { return &f.GracePeriod })},
	{Name: "deadline", slot: slotOf(func(f *Fault) **time.Duration { return &f.Deadline })},
})

// placed sets the place of each field to its index, and returns the fields.
func placed(all [fields]*FaultField) []*FaultField {
	for i, field := range all {
		field.place = i
	}
	return all[:]
}

// FaultFields returns the fields of faults of all kinds, without the kind itself, in the order of scenario files. They must
// not be changed. FaultKind.Fields returns those of one kind.
func FaultFields() []*FaultField { return faultFields }
