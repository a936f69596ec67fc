package plan

import (
	"time"

	"interregnum/elector/machine"
)

// FaultField is a field of a fault. There is one list of them, FaultFields, for whatever reads, checks or shortens faults.
type FaultField struct {
	// Name is what scenario files call it.
	Name string
	// Set tells whether a fault has it: whether it is not what it is where a scenario file does not say it. Clear takes it away.
	Set   func(*Fault) bool
	Clear func(*Fault)
}

// field describes a field of a fault, of that name in scenario files; in returns where a fault keeps it. A fault does
// not have the field where it is the zero value.
func field[T comparable](name string, in func(*Fault) *T) FaultField {
	var unsaid T
	return FaultField{name, func(f *Fault) bool { return *in(f) != unsaid }, func(f *Fault) { *in(f) = unsaid }}
}

var faultFields = []FaultField{
	field("at", func(f *Fault) *time.Duration { return &f.At }),
	field("until", func(f *Fault) **time.Duration { return &f.Until }),
	{"on", func(f *Fault) bool { return len(f.On) > 0 }, func(f *Fault) { f.On = nil }},
	field("election", func(f *Fault) *string { return &f.Election }),
	field("object", func(f *Fault) *string { return &f.Object }),
	field("request", func(f *Fault) **Delay { return &f.Request }),
	field("response", func(f *Fault) **Delay { return &f.Response }),
	field("limiter", func(f *Fault) *time.Duration { return &f.Limiter }),
	field("leg", func(f *Fault) *Leg { return &f.Leg }),
	field("probability", func(f *Fault) **float64 { return &f.Probability }),
	field("verb", func(f *Fault) *machine.Verb { return &f.Verb }),
	field("status", func(f *Fault) *int { return &f.Status }),
	field("applied", func(f *Fault) *bool { return &f.Applied }),
	field("identity", func(f *Fault) *Identity { return &f.Identity }),
	field("jump", func(f *Fault) *time.Duration { return &f.Jump }),
	field("driftPPM", func(f *Fault) **int64 { return &f.DriftPPM }),
	field("holder", func(f *Fault) **string { return &f.Holder }),
	field("preferredHolder", func(f *Fault) **string { return &f.PreferredHolder }),
	field("strategy", func(f *Fault) **string { return &f.Strategy }),
	field("leaseDuration", func(f *Fault) **time.Duration { return &f.Edit.LeaseDuration }),
}

// FaultFields returns the fields of faults of all kinds, but for the kind itself, in the order of scenario files. They are not to be
// changed. Which of them a fault of some kind may have is FaultKind.Fields.
func FaultFields() []FaultField { return faultFields }
