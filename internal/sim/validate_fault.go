package sim

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"interregnum/internal/phrase"
	"interregnum/simlock"
)

// FaultKinds returns the kinds of fault, in a stable order.
func FaultKinds() []FaultKind {
	return []FaultKind{
		FaultDelay, FaultPartition, FaultLose, FaultOutage, FaultError, FaultPause,
		FaultCrash, FaultRestart, FaultCancel, FaultClock, FaultDelete, FaultEdit,
	}
}

// faultFields are the names, as in scenario files, of the fields that a fault of each kind may have besides kind.
var faultFields = map[FaultKind][]string{
	FaultDelay:     {"at", "until", "on", "election", "object", "request", "response"},
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
func (k FaultKind) Fields() []string { return faultFields[k] }

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

func (v *planCheck) faults() {
	if len(v.plan.Faults) > MaxFaults {
		v.fail("faults", "has more than %d entries", MaxFaults)
		return
	}
	v.seen = make([]int32, len(v.plan.Candidates)+1)
	var i int
	v.at = func() string { return "faults[" + strconv.Itoa(i) + "]" }
	for i = 0; i < len(v.plan.Faults) && v.err == nil; i++ {
		v.fault(int32(i), &v.plan.Faults[i])
	}
	v.at = nil
}

func (v *planCheck) fault(i int32, f *Fault) {
	if f.Kind.Fields() == nil {
		v.fail("kind", "%s is not a fault kind; want %s", phrase.Quote(string(f.Kind)), oneOf(kindNames()))
		return
	}
	v.ownFields(f)
	v.between("at", f.At, 0)
	if f.Until != nil {
		v.between("until", *f.Until, 0)
		if *f.Until <= f.At {
			v.fail("until", "%v is not after at, %v", *f.Until, f.At)
		}
	}
	anybody := v.on(i, f.Kind, f.On)
	v.object(f.Object)
	v.faultElection(f)
	switch f.Kind {
	case FaultDelay:
		v.delays(f)
	case FaultLose:
		v.lose(f)
	case FaultError:
		v.answer(f)
	case FaultRestart:
		if f.Identity != "" && f.Identity != SameIdentity && f.Identity != NewIdentity {
			v.fail("identity", "%s is not known; want same or new", phrase.Quote(string(f.Identity)))
		}
	case FaultClock:
		v.clock(f, anybody)
	case FaultEdit:
		v.edit(f)
	}
}

// ownFields refuses fields that faults of another kind have.
func (v *planCheck) ownFields(f *Fault) {
	for _, field := range []struct {
		name string
		set  bool
	}{
		{"until", f.Until != nil},
		{"on", len(f.On) > 0},
		{"election", f.Election != ""},
		{"object", f.Object != ""},
		{"request", f.Request != nil},
		{"response", f.Response != nil},
		{"leg", f.Leg != BothLegs},
		{"probability", f.Probability != nil},
		{"verb", f.Verb != 0},
		{"status", f.Status != 0},
		{"applied", f.Applied},
		{"identity", f.Identity != ""},
		{"jump", f.Jump != 0},
		{"driftPPM", f.DriftPPM != nil},
		{"holder", f.Holder != nil},
		{"preferredHolder", f.PreferredHolder != nil},
		{"strategy", f.Strategy != nil},
		{"leaseDuration", f.Edit.LeaseDuration != nil},
	} {
		if !field.set {
			continue
		}
		if why := f.Kind.Refuses(field.name); why != "" {
			v.fail(field.name, "%s", why)
		}
	}
}

// on checks who is named, and tells whether the fault can meet anybody.
func (v *planCheck) on(fault int32, kind FaultKind, names []string) (anybody bool) {
	var roles [2]bool
	service := false
	for j, name := range names {
		var twice bool
		switch i, known := v.index[name]; {
		case name == RoleLeader:
			twice, roles[0] = roles[0], true
		case name == RoleFollower:
			twice, roles[1] = roles[1], true
		case known:
			twice, v.seen[i] = v.seen[i] == fault+1, fault+1
			if name == CoordinatorID && v.plan.Coordinator != nil && kind == FaultCancel {
				v.fail("on["+strconv.Itoa(j)+"]", "%s has no context to be cancelled; want a candidate, or a crash", name)
			}
		case name == ServiceName && v.expires():
			twice, service = service, true
			if kind != FaultClock {
				v.fail("on["+strconv.Itoa(j)+"]", "%s is no candidate; only a clock fault can be on it", name)
			}
		default:
			v.fail("on["+strconv.Itoa(j)+"]", "%s is no candidate; want a candidate's id, %s or %s",
				phrase.Quote(name), RoleLeader, RoleFollower)
		}
		if twice {
			v.fail("on["+strconv.Itoa(j)+"]", "%s is named twice", phrase.Quote(name))
		}
	}
	return len(names) == 0 || roles[0] || roles[1]
}

// object checks the kind of object that a fault is about.
func (v *planCheck) object(name string) {
	if name == "" {
		return
	}
	var names []string
	for o, locked := range v.locked {
		if locked {
			names = append(names, simlock.Object(o).String())
		}
	}
	switch {
	case !slices.Contains(ObjectNames(), name):
		v.fail("object", "%s is no kind of object; want %s, or none for all", phrase.Quote(name), oneOf(names))
	case !slices.Contains(names, name):
		v.fail("object", "no candidate's lock is on a %s; want %s, or none for all", name, oneOf(names))
	}
}

func (v *planCheck) delays(f *Fault) {
	if f.Request == nil && f.Response == nil {
		v.fail("", "a delay needs request, response or both")
	}
	if f.Request != nil {
		v.delay("request", f.Request)
	}
	if f.Response != nil {
		v.delay("response", f.Response)
	}
}

func (v *planCheck) lose(f *Fault) {
	if f.Leg != BothLegs && f.Leg != RequestLeg && f.Leg != ResponseLeg {
		v.fail("leg", "%s is not a leg; want request or response, or none for both", phrase.Quote(string(f.Leg)))
	}
	if p := f.Probability; p != nil && (math.IsNaN(*p) || *p < 0 || *p > 1) {
		v.fail("probability", "%v is out of range; want 0 to 1", *p)
	}
}

func (v *planCheck) answer(f *Fault) {
	if verbs := v.verbs(); f.Verb != 0 && !slices.Contains(verbs, f.Verb) {
		v.fail("verb", "%s is not a verb of any candidate's lock; want %s, or none for all", f.Verb, oneOf(names(verbs)))
	}
	switch {
	case f.Status == 0:
		v.fail("", "an error needs a status, such as 504")
	case f.Status < 400 || f.Status > 599:
		v.fail("status", "%d is not the status of an error; want 400 to 599", f.Status)
	}
}

func (v *planCheck) clock(f *Fault, anybody bool) {
	if f.Jump == 0 && f.DriftPPM == nil {
		v.fail("", "a clock fault needs a jump other than 0, driftPPM, or both")
	}
	v.signed("jump", f.Jump)
	if f.DriftPPM != nil {
		v.drift("driftPPM", *f.DriftPPM)
	}
	if v.err != nil {
		return
	}
	if anybody {
		v.shift.common += f.Jump.Abs()
	} else {
		for _, name := range f.On {
			if i, known := v.index[name]; known {
				v.shift.own(i, f.Jump)
			} else {
				v.shift.service(f.Jump)
			}
		}
	}
	if v.shift.tooFar() {
		v.fail("jump", "takes a wall clock a hundred years or more from true time, "+
			"with its offset and all jumps that may meet it")
	}
}

func kindNames() []string {
	var names []string
	for _, k := range FaultKinds() {
		names = append(names, string(k))
	}
	return names
}
