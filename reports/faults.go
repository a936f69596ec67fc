package reports

import (
	"fmt"
	"slices"
	"strings"

	"interregnum/internal/trace"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// faultLine is which faults happened, and on whom.
type faultLine struct {
	faults   []scenarios.Fault
	happened []occurrence
}

// occurrence is a fault that happened. One that is no window has from = to.
type occurrence struct {
	span
	// fault is noFault of the end of a process by itself.
	fault int32
	label string
	// everybody is what has no candidates of its own; record is what is done to the record.
	everybody, record bool
	on                []int32
}

// observe takes in that a fault begins, ends, or finds nobody; a fault that finds nobody is taken out again.
func (l *faultLine) observe(e *trace.Event) {
	of := func(o occurrence) bool { return o.fault == e.Fault }
	switch e.Kind {
	case trace.FaultBegan:
		l.happened = append(l.happened, l.begin(e))
	case trace.FaultEnded:
		if i := slices.IndexFunc(l.happened, of); i >= 0 {
			l.happened[i].to = e.At
		}
	case trace.FaultVoid:
		l.happened = slices.DeleteFunc(l.happened, of)
	}
}

const noFault = -1

// ended takes in the end of a process that no fault has ended; it is shown as a fault on that candidate.
func (l *faultLine) ended(e *trace.Event) {
	l.happened = append(l.happened, occurrence{
		span: span{e.At, e.At}, fault: noFault, label: crashedAs(e.Cause), on: []int32{e.Candidate},
	})
}

// kind returns the kind of the fault; the end of a process that no fault has ended counts as a crash.
func (l *faultLine) kind(o *occurrence) plan.FaultKind {
	if o.fault == noFault {
		return plan.FaultCrash
	}
	return l.faults[o.fault].Kind
}

// begin returns the occurrence of a fault that an event begins: its label and whom it is on. Unless the fault is a
// window, it has its end at once.
func (l *faultLine) begin(e *trace.Event) occurrence {
	o := occurrence{span: span{e.At, open}, fault: e.Fault, on: e.On}
	if int(e.Fault) >= len(l.faults) {
		o.label, o.everybody = fmt.Sprintf("fault %d", e.Fault), true
		return o
	}
	f := &l.faults[e.Fault]
	o.label = faultLabel(f)
	o.record = f.Kind == plan.FaultDelete
	o.everybody = len(f.On) == 0 && !o.record && f.Election == ""
	if !f.Kind.Window() {
		o.to = e.At
	}
	return o
}

// faultLabel describes a fault in as few words as possible: its kind, then those of its parameters that matter.
func faultLabel(f *scenarios.Fault) string {
	parts := []string{string(f.Kind)}
	add := func(format string, a ...any) { parts = append(parts, fmt.Sprintf(format, a...)) }
	switch f.Kind {
	case plan.FaultDelay:
		if f.Request != nil {
			add("request %s", delayText(*f.Request))
		}
		if f.Response != nil {
			add("response %s", delayText(*f.Response))
		}
	case plan.FaultLose:
		if f.Leg != plan.BothLegs {
			add("%s", f.Leg)
		}
		if f.Probability != nil && *f.Probability < 1 {
			add("%.4g%%", *f.Probability*100)
		}
	case plan.FaultError:
		if f.Verb != 0 {
			add("%s", trace.Verb(f.Verb))
		}
		add("%d", f.Status)
		if f.Applied {
			add("applied")
		}
	case plan.FaultRestart:
		if f.Identity == plan.NewIdentity {
			add("new id")
		}
	case plan.FaultClock:
		if f.Jump != 0 {
			add("%s", words.Signed(f.Jump > 0, words.Duration(f.Jump)))
		}
		if f.DriftPPM != nil {
			add("%s", words.Signed(*f.DriftPPM > 0, fmt.Sprintf("%dppm", *f.DriftPPM)))
		}
	}
	if f.Election != "" {
		add("in %s", f.Election)
	}
	if f.Object != "" {
		add("of the %s", f.Object)
	}
	return strings.Join(parts, " ")
}

func delayText(d scenarios.Delay) string {
	if d.Min == d.Max {
		return words.Duration(d.Min)
	}
	return words.Duration(d.Min) + "-" + words.Duration(d.Max)
}
