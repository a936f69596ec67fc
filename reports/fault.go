package reports

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// Occurrence is a fault that happened, or a time in which a client kept requests back. From and To are equal for a fault of an
// instant; To is Open for one that has not ended.
type Occurrence struct {
	Span
	Kind  plan.FaultKind
	Label string
	// Everybody tells that the fault is on all candidates, and Record that it is on a lock's record.
	Everybody, Record bool
	// On are the indices of the candidates that the fault is on.
	On []int32
	// fault is the index of the fault among the scenario's faults, or noFault.
	fault int32
}

// noFault is the index for the end of a process that no fault has caused.
const noFault = -1

// processEnd returns an occurrence for the end of a process that no fault has caused, which e reports. Its kind is that of a
// crash.
func processEnd(e *trace.Event) Occurrence {
	return Occurrence{Span: Span{e.At, e.At}, fault: noFault, Kind: plan.FaultCrash, Label: CrashLabel(e.Cause),
		On: []int32{e.Candidate}}
}

// occurrence returns the fault that begins with the event e. faults are those of the scenario. To is e.At for a fault of an
// instant, otherwise Open. A fault that is not among faults lasts, and is on everybody.
func occurrence(faults []scenarios.Fault, e *trace.Event) Occurrence {
	o := Occurrence{Span: Span{e.At, Open}, fault: e.Fault, On: e.On}
	o.Label = FaultLabel(faults, e.Fault)
	if int(e.Fault) >= len(faults) {
		o.Everybody = true
		return o
	}
	f := &faults[e.Fault]
	o.Kind = f.Kind
	o.Record = f.Kind.OfRecord()
	o.Everybody = f.Everybody() && !o.Record
	if !f.Kind.Lasts() {
		o.To = e.At
	}
	return o
}

// processEnds says how a process ends that no fault has crashed: in a few words, and in more.
var processEnds = map[trace.Cause]struct{ label, text string }{
	trace.Exited:      {"exited", "its process exits, since it lost an election"},
	trace.ProbeFailed: {"killed by its liveness probe", "its process is killed, since its liveness probe failed too often"},
	trace.Terminated:  {"ended by a rollout", "its process has ended, as a rollout told it to"},
	trace.Killed:      {"killed after its grace period", "its process is killed, since its grace period is over"},
}

// CrashLabel returns, in a few words, how a process ended, given the cause: "crashed" unless the process exited or was ended.
func CrashLabel(why trace.Cause) string { return cmp.Or(processEnds[why].label, "crashed") }

// CrashText returns how a process ended, given the cause, in more words than CrashLabel: "crashes" unless it exited or was ended.
func CrashText(why trace.Cause) string { return cmp.Or(processEnds[why].text, "crashes") }

// FaultLabel returns a description of a fault in a few words: its kind, the values of the fields that say what happens, its
// election and its object. If faults has none at the index, the label is "fault" and a number, which counts from 1.
func FaultLabel(faults []scenarios.Fault, index int32) string {
	if index < 0 || int(index) >= len(faults) {
		return fmt.Sprintf("fault %d", index+1)
	}
	f := &faults[index]
	parts := []string{string(f.Kind)}
	for _, field := range plan.FaultFields() {
		if field.Scope || !field.Set(f) {
			continue
		}
		if s := parameter(field, f); s != "" {
			parts = append(parts, s)
		}
	}
	if f.Election != "" {
		parts = append(parts, "in "+f.Election)
	}
	if f.Object != "" {
		parts = append(parts, "of the "+f.Object)
	}
	return strings.Join(parts, " ")
}

// parameter returns the value of a field that says what happens, in words; "" if the fault is the same without the field.
func parameter(field *plan.FaultField, f *scenarios.Fault) string {
	switch value := field.In(f).(type) {
	case *time.Duration:
		if field.Signed {
			return words.Signed(*value > 0, words.Duration(*value))
		}
		return field.Name + " " + words.Duration(*value)
	case **plan.Delay:
		return field.Name + " " + delayText(**value)
	case **time.Duration:
		return field.Name + " " + words.Duration(**value)
	case **string:
		if **value == "" {
			return "no " + field.Name
		}
		return field.Name + " " + words.Visible(**value, words.MaxLabel)
	case *[]string:
		return field.Name + " " + words.Visible(strings.Join(*value, ", "), words.MaxLabel)
	case *plan.Count:
		return field.Name + " " + strconv.FormatInt(int64(*value), 10)
	case *plan.Readiness:
		return "ready " + string(*value)
	case *plan.Leg:
		return string(*value)
	case **float64:
		if field.Factor {
			return fmt.Sprintf("%s %g", field.Name, **value)
		}
		if **value < 1 {
			return fmt.Sprintf("%.4g%%", **value*100)
		}
	case *machine.Verb:
		return trace.Verb(*value).String()
	case *int:
		return strconv.Itoa(*value)
	case *bool:
		return field.Name
	case *plan.Identity:
		if *value == plan.NewIdentity {
			return "new id"
		}
	case **int64:
		return words.Signed(**value > 0, fmt.Sprintf("%dppm", **value))
	}
	return ""
}

// delayText formats a delay: one duration, or the shortest and the longest.
func delayText(d scenarios.Delay) string {
	if d.Min == d.Max {
		return words.Duration(d.Min)
	}
	return words.Duration(d.Min) + "-" + words.Duration(d.Max)
}
