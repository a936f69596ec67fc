package plan

import (
	"math"
	"slices"
	"strconv"
	"time"

	"interregnum/internal/phrase"
	"interregnum/simlock"
)

// edit checks what a fault of the kind edit changes in the Lease.
func (v *planCheck) edit(f *Fault) {
	if f.Edit == (Edit{}) {
		v.fail("", "an edit needs holder, preferredHolder, strategy or leaseDuration")
	}
	if !v.locked[simlock.Lease] {
		v.fail("", "an edit is of the Lease, and no candidate's lock is on one")
	}
	for _, name := range []struct {
		field string
		value *string
	}{{"holder", f.Holder}, {"preferredHolder", f.PreferredHolder}, {"strategy", f.Strategy}} {
		if s := name.value; s != nil && *s != "" {
			v.name(name.field, *s)
		}
	}
	if d := f.Edit.LeaseDuration; d != nil && (*d < time.Second || *d > MaxDuration || *d%time.Second != 0) {
		v.fail("leaseDuration", "%v is not what a Lease can say; want whole seconds, 1s to 87600h", *d)
	}
}

// planCheck keeps the first error and what faults need to know about candidates.
type planCheck struct {
	plan *Plan
	err  *FieldError
	// at is the path of the candidate or fault in hand, built only for an error.
	at    func() string
	index map[string]int32
	// seen holds, by candidate, 1 + the last fault that named it.
	seen  []int32
	shift wallShift
	// precision is that of the row, 0 where no candidate has named it.
	precision time.Duration
	// places are those of the elections, by name.
	places map[string]int
	// locked are the objects that a candidate's lock is on.
	locked [simlock.Objects]bool
	// expires and lasts tell whether there is a lock that expires by itself, and one that does not.
	expires, lasts bool
}

// wallShift bounds how far one wall clock can come to be from true time.
type wallShift struct {
	// named is, by candidate, its offset and the jumps that name it.
	named []time.Duration
	// most is the largest of named; common is of jumps that can meet anybody.
	most, common time.Duration
	// served is of the service's clock.
	served time.Duration
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
		v.fail("kind", "%s is not a fault kind; want %s", phrase.Quote(string(f.Kind)), oneOf(FaultKindNames()))
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

// ownFields refuses fields that a fault of this kind does not have.
func (v *planCheck) ownFields(f *Fault) {
	for i := range faultFields {
		field := &faultFields[i]
		if field.Name == "at" || !field.Set(f) {
			continue
		}
		if why := f.Kind.Refuses(field.Name); why != "" {
			v.fail(field.Name, "%s", why)
		}
	}
}

// on checks the names of those that a fault is on. It tells whether it may meet any candidate, since they are everybody or a role.
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
		case name == ServiceName && v.expires:
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
	if f.Request == nil && f.Response == nil && f.Limiter == 0 {
		v.fail("", "a delay needs request, response or limiter")
	}
	if f.Limiter != 0 {
		v.limiter(f)
	}
	if f.Request != nil {
		v.delay("request", f.Request)
	}
	if f.Response != nil {
		v.delay("response", f.Response)
	}
}

// limiter checks a delay in the client's rate limiter: those that it is on must have a client with one, in a form that is simulated.
func (v *planCheck) limiter(f *Fault) {
	v.between("limiter", f.Limiter, 0)
	if v.expires {
		v.fail("limiter", "keys and rows are not asked for through a client of Kubernetes; want request or response")
	}
	for i := range v.plan.Candidates {
		c := &v.plan.Candidates[i]
		if len(f.On) > 0 && !slices.Contains(f.On, c.ID) {
			continue
		}
		if c.Coordinated || !c.Profile.CarriesContext() {
			v.fail("limiter", "is not simulated for %s; want it on others", phrase.Quote(c.ID))
		}
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

// answer checks the verb and the status of a fault of the kind error.
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

// clock checks a fault of the kind clock, and that its jump takes no wall clock too far from true time. Anybody tells that it may meet any candidate.
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
