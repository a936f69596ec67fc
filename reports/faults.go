package reports

import (
	"fmt"
	"slices"
	"strings"

	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// faultLine is which faults happened, and on whom.
type faultLine struct {
	faults []scenarios.Fault
	header *trace.Header
	// byID has the first entry of each candidate.
	byID     map[string]int32
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

func (l *faultLine) init(h *trace.Header, faults []scenarios.Fault) {
	l.faults, l.header = faults, h
	l.byID = make(map[string]int32, len(h.Candidates))
	for i := range h.Candidates {
		if _, known := l.byID[h.Candidates[i].ID]; !known {
			l.byID[h.Candidates[i].ID] = int32(i)
		}
	}
}

func (l *faultLine) observe(e *trace.Event, t *Timeline) {
	of := func(o occurrence) bool { return o.fault == e.Fault }
	switch e.Kind {
	case trace.FaultBegan:
		l.happened = append(l.happened, l.begin(e, t))
	case trace.FaultEnded:
		if i := slices.IndexFunc(l.happened, of); i >= 0 {
			l.happened[i].to = e.At
		}
	case trace.FaultVoid:
		l.happened = slices.DeleteFunc(l.happened, of)
	}
}

const noFault = -1

// ended shows the end of a process that no fault ended as if one had.
func (l *faultLine) ended(e *trace.Event) {
	l.happened = append(l.happened, occurrence{
		span: span{e.At, e.At}, fault: noFault, label: crashedAs(e.Cause), on: []int32{e.Candidate},
	})
}

// kind is that of the fault, a crash where there is none.
func (l *faultLine) kind(o *occurrence) sim.FaultKind {
	if o.fault == noFault {
		return sim.FaultCrash
	}
	return l.faults[o.fault].Kind
}

// begin finds out on whom a fault is, now that it begins: roles are as of this instant.
func (l *faultLine) begin(e *trace.Event, t *Timeline) occurrence {
	o := occurrence{span: span{e.At, open}, fault: e.Fault}
	if int(e.Fault) >= len(l.faults) {
		o.label, o.everybody = fmt.Sprintf("fault %d", e.Fault), true
		return o
	}
	f := &l.faults[e.Fault]
	o.label = faultLabel(f)
	o.record = f.Kind == sim.FaultDelete
	o.everybody = len(f.On) == 0 && !o.record && f.Election == ""
	if !f.Kind.Window() {
		o.to = e.At
	}
	for _, name := range f.On {
		switch name {
		case sim.RoleLeader, sim.RoleFollower:
			o.on = append(o.on, t.running(name == sim.RoleLeader, f.Election)...)
		default:
			o.on = append(o.on, l.entries(name)...)
		}
	}
	if f.Election != "" && !o.record {
		o.on = l.narrow(f, o.on)
	}
	slices.Sort(o.on)
	o.on = slices.Compact(o.on)
	return o
}

// entries are all of the candidate of that id, one for each of its elections.
func (l *faultLine) entries(id string) []int32 {
	all := []int32{l.byID[id]}
	for i := int(all[0]) + 1; i < len(l.header.Candidates) && l.header.Candidates[i].ID == id; i++ {
		all = append(all, int32(i))
	}
	return all
}

// narrow is whom a fault is on that names an election: whole processes where it is on those, else that election's entries.
func (l *faultLine) narrow(f *scenarios.Fault, on []int32) (kept []int32) {
	for i := range l.header.Candidates {
		c := &l.header.Candidates[i]
		named := slices.ContainsFunc(on, func(j int32) bool { return l.header.Candidates[j].ID == c.ID })
		if f.Kind.OfProcess() && named || !f.Kind.OfProcess() && c.Election == f.Election && (named || len(f.On) == 0) {
			kept = append(kept, int32(i))
		}
	}
	return kept
}

// running are the candidates in a Run of an election that are, or are not, whom the record of any of its objects names.
func (t *Timeline) running(leader bool, election string) []int32 {
	holds := func(identity string) bool {
		return slices.ContainsFunc(t.records, func(r recordLine) bool {
			return (election == "" || r.election == election) && r.holder() == identity
		})
	}
	var found []int32
	for i := range t.candidates {
		c := &t.candidates[i]
		own := election == "" || t.header.Candidates[i].Election == election
		if c.running && own && holds(c.identity) == leader {
			found = append(found, int32(i))
		}
	}
	return found
}

// faultLabel is the fault's kind, and what there is to know besides in as few words as will do.
func faultLabel(f *scenarios.Fault) string {
	words := []string{string(f.Kind)}
	add := func(format string, a ...any) { words = append(words, fmt.Sprintf(format, a...)) }
	switch f.Kind {
	case sim.FaultDelay:
		if f.Request != nil {
			add("request %s", delayText(*f.Request))
		}
		if f.Response != nil {
			add("response %s", delayText(*f.Response))
		}
	case sim.FaultLose:
		if f.Leg != sim.BothLegs {
			add("%s", f.Leg)
		}
		if f.Probability != nil && *f.Probability < 1 {
			add("%.4g%%", *f.Probability*100)
		}
	case sim.FaultError:
		if f.Verb != 0 {
			add("%s", trace.Verb(f.Verb))
		}
		add("%d", f.Status)
		if f.Applied {
			add("applied")
		}
	case sim.FaultRestart:
		if f.Identity == sim.NewIdentity {
			add("new id")
		}
	case sim.FaultClock:
		if f.Jump != 0 {
			add("%s", signed(f.Jump > 0, human(int64(f.Jump))))
		}
		if f.DriftPPM != nil {
			add("%s", signed(*f.DriftPPM > 0, fmt.Sprintf("%dppm", *f.DriftPPM)))
		}
	}
	if f.Election != "" {
		add("in %s", f.Election)
	}
	if f.Object != "" {
		add("of the %s", f.Object)
	}
	return strings.Join(words, " ")
}

func delayText(d scenarios.Delay) string {
	if d.Min == d.Max {
		return human(int64(d.Min))
	}
	return human(int64(d.Min)) + "-" + human(int64(d.Max))
}

func signed(positive bool, s string) string {
	if positive {
		return "+" + s
	}
	return s
}
