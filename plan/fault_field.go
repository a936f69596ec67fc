package plan

import (
	"time"

	"interregnum/elector/machine"
)

// FaultField describes a field of faults.
type FaultField struct {
	Field[Fault]
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
}

// says tells whether the field says what happens.
func (f *FaultField) says() bool { return !f.Scope }

// Set tells whether a fault has the field: its value in that fault is not zero.
func (f *FaultField) Set(of *Fault) bool { return of.present()[f.place] }

// present returns, for each of faultFields in the same order, whether f has that field. It is no loop over functions, since a
// search asks for it of each fault in each run.
func (f *Fault) present() [fields]bool {
	e, r := &f.Edit, &f.Rollout
	return [fields]bool{
		f.At != 0, f.Until != nil, len(f.On) > 0, f.Election != "", f.Object != "", f.Request != nil, f.Response != nil, f.Limiter != 0,
		f.Leg != "", f.Probability != nil, f.Verb != 0, f.Status != 0, f.Applied, f.RetryAfter != nil,
		f.Factor != nil, f.Seats != 0, f.Takes != 0, f.Queue != 0, f.Every != 0, f.AnswersFirst, f.Identity != "", f.Jump != 0, f.DriftPPM != nil,
		e.Holder != nil, e.PreferredHolder != nil, e.Strategy != nil, e.LeaseDuration != nil,
		len(r.To) > 0, r.Surge != 0, r.MaxUnavailable != 0, r.Readiness != "", r.Startup != 0, r.GracePeriod != nil, r.Deadline != nil,
	}
}

// fields is how many fields a fault has besides its kind.
const fields = 34

// faultFields has a row for each field of a fault except its kind.
var faultFields = placed([fields]*FaultField{
	{Field: FieldAt("at", func(f *Fault) *time.Duration { return &f.At }), Scope: true, Always: true},
	{Field: FieldAt("until", func(f *Fault) **time.Duration { return &f.Until }), Scope: true},
	{Field: ListAt("on", func(f *Fault) *[]string { return &f.On }), Scope: true},
	{Field: FieldAt("election", func(f *Fault) *string { return &f.Election }), Scope: true},
	{Field: FieldAt("object", func(f *Fault) *string { return &f.Object }), Scope: true, Words: ObjectNames},
	{Field: FieldAt("request", func(f *Fault) **Delay { return &f.Request })},
	{Field: FieldAt("response", func(f *Fault) **Delay { return &f.Response })},
	{Field: FieldAt("limiter", func(f *Fault) *time.Duration { return &f.Limiter })},
	{Field: FieldAt("leg", func(f *Fault) *Leg { return &f.Leg })},
	{Field: FieldAt("probability", func(f *Fault) **float64 { return &f.Probability })},
	{Field: FieldAt("verb", func(f *Fault) *machine.Verb { return &f.Verb })},
	{Field: FieldAt("status", func(f *Fault) *int { return &f.Status })},
	{Field: FieldAt("applied", func(f *Fault) *bool { return &f.Applied })},
	{Field: FieldAt("retryAfter", func(f *Fault) **time.Duration { return &f.RetryAfter }), RetryAfterSeconds: true},
	{Field: FieldAt("factor", func(f *Fault) **float64 { return &f.Factor }), Factor: true},
	{Field: FieldAt("seats", func(f *Fault) *Count { return &f.Seats })},
	{Field: FieldAt("takes", func(f *Fault) *time.Duration { return &f.Takes })},
	{Field: FieldAt("queue", func(f *Fault) *Count { return &f.Queue })},
	{Field: FieldAt("every", func(f *Fault) *time.Duration { return &f.Every })},
	{Field: FieldAt("answersFirst", func(f *Fault) *bool { return &f.AnswersFirst })},
	{Field: FieldAt("identity", func(f *Fault) *Identity { return &f.Identity })},
	{Field: FieldAt("jump", func(f *Fault) *time.Duration { return &f.Jump }), Signed: true},
	{Field: FieldAt("driftPPM", func(f *Fault) **int64 { return &f.DriftPPM })},
	{Field: FieldAt("holder", func(f *Fault) **string { return &f.Holder })},
	{Field: FieldAt("preferredHolder", func(f *Fault) **string { return &f.PreferredHolder })},
	{Field: FieldAt("strategy", func(f *Fault) **string { return &f.Strategy })},
	{Field: FieldAt("leaseDuration", func(f *Fault) **time.Duration { return &f.Edit.LeaseDuration }), LeaseSeconds: true},
	{Field: ListAt("to", func(f *Fault) *[]string { return &f.To })},
	{Field: FieldAt("surge", func(f *Fault) *Count { return &f.Surge })},
	{Field: FieldAt("maxUnavailable", func(f *Fault) *Count { return &f.MaxUnavailable })},
	{Field: FieldAt("readiness", func(f *Fault) *Readiness { return &f.Readiness })},
	{Field: FieldAt("startup", func(f *Fault) *time.Duration { return &f.Startup })},
	{Field: FieldAt("gracePeriod", func(f *Fault) **time.Duration { return &f.GracePeriod })},
	{Field: FieldAt("deadline", func(f *Fault) **time.Duration { return &f.Deadline })},
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
