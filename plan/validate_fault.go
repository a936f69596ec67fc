package plan

import (
	"slices"
	"strconv"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
	"interregnum/internal/reuse"
	"interregnum/simlock"
)

// faults checks the number of faults, and each fault until the first error.
func (v *planCheck) faults() {
	if len(v.plan.Faults) > MaxFaults {
		v.fail("faults", "has more than %d entries", MaxFaults)
		return
	}
	v.seen = reuse.Zeroed(v.seen, len(v.plan.Candidates)+1)
	v.in = inFaults
	for v.item = 0; v.item < len(v.plan.Faults) && v.err == nil; v.item++ {
		v.fault(int32(v.item), &v.plan.Faults[v.item])
	}
	v.in = inPlan
}

// fault checks f, entry i of Plan.Faults: its kind, its fields, its times, what it is on, and then what kinds check by
// themselves. Of an unknown kind it checks nothing else.
func (v *planCheck) fault(i int32, f *Fault) {
	kind := f.Kind.row()
	if kind.fields == nil {
		v.fail("kind", "%s is not a fault kind; want %s", phrase.Quote(string(f.Kind)), oneOf(FaultKindNames()))
		return
	}
	v.ownFields(f, kind)
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
	if kind.needy && !slices.ContainsFunc(v.fields, (*FaultField).says) {
		v.fail("", "%s needs %s", f.Kind.withArticle(), phrase.Or(kind.effects()))
	}
	switch f.Kind {
	case FaultDelay:
		v.delayFault(f)
	case FaultError:
		v.errorFault(f)
	case FaultReset:
		v.onClientGo(f, "kind")
	case FaultFrame:
		v.onClientGo(f, "kind")
		v.onClients(f)
	case FaultStall:
		v.onClients(f)
	case FaultBrownout:
		v.brownoutFault(f)
	case FaultClock:
		v.clockFault(f, anybody)
	case FaultEdit:
		v.editFault(f)
	case FaultRollout:
		v.rolloutFault(i, f)
	default:
		v.values(f)
	}
	if f.InPlainText() {
		v.ofPython(f)
	}
}

// InPlainText tells whether the body of the fault's answer is not a Status object in JSON: that of a throttle, of a brownout
// with seats, or of an error with status 429 or 502. A 429 of an API server's priority and fairness is plain text
// (k8s.io/apiserver, pkg/server/filters/priority-and-fairness.go), and a 502 comes from something before the server.
func (f *Fault) InPlainText() bool {
	return f.Kind == FaultThrottle || f.Seats > 0 || f.Kind == FaultError && (f.Status == tooManyRequests || f.Status == badGateway)
}

// ofPython records an error if the fault can be on a candidate with the client for Python. That client reads an error's body
// as JSON. Any other body is an exception that ends run and leaves the work running (leaderelection.py, try_acquire_or_renew).
func (v *planCheck) ofPython(f *Fault) {
	for i := range v.plan.Candidates {
		c := &v.plan.Candidates[i]
		if c.Profile.Client == machine.OfPython && (f.Election == "" || f.Election == c.Election) && (len(f.On) == 0 || f.NamesRole() || slices.Contains(f.On, c.ID)) {
			v.fail("kind", "such an answer is no JSON, and ends the run of %s, whose work goes on: that is not simulated with profile %s; want another status, such as 500",
				phrase.Quote(c.ID), c.Profile.Name)
		}
	}
}

// ownFields stores the fields that f has in v.fields. It records an error if there is one that faults of this kind do not
// have.
func (v *planCheck) ownFields(f *Fault, kind *faultKind) {
	v.fields = v.fields[:0]
	for i, has := range f.present() {
		if !has {
			continue
		}
		field := faultFields[i]
		v.fields = append(v.fields, field)
		if !kind.own[i] {
			v.fail(field.Name, "%s", f.Kind.Refuses(field.Name))
		}
	}
}

// on checks names, the field on of the fault with that index, and marks in v.seen the candidates that it names. anybody is true if
// the fault can affect any candidate: there are no names, or one is a role.
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

// object checks name, the kind of object that a fault affects: a candidate's lock must be on it. "" is every kind.
func (v *planCheck) object(name string) {
	o, known := objectNamed(name)
	switch {
	case name == "":
	case !known:
		v.fail("object", "%s is no kind of object; want %s, or none for all", phrase.Quote(name), oneOf(v.objects()))
	case !v.locked[o]:
		v.fail("object", "no candidate's lock is on a %s; want %s, or none for all", name, oneOf(v.objects()))
	}
}

// objects returns the names of the kinds of object that a candidate's lock is on.
func (v *planCheck) objects() (names []string) {
	for o, locked := range v.locked {
		if locked {
			names = append(names, simlock.Object(o).String())
		}
	}
	return names
}

// delayFault checks the values of f, a fault of the kind delay.
func (v *planCheck) delayFault(f *Fault) {
	if f.Limiter != 0 {
		v.between("limiter", f.Limiter, 0)
		v.onClientGo(f, "limiter")
	}
	v.values(f)
}

// onClientGo checks that f, or the given field of it, is only on candidates whose client is client-go and whose waits are
// simulated. It records an error if f can be on a candidate of another sort: one that f.On names, or any if f.On is empty or
// names a role. It also records one if some candidate's lock expires by itself.
func (v *planCheck) onClientGo(f *Fault, field string) {
	if v.expires {
		v.fail(field, "keys and rows are not asked for through a client of Kubernetes; want a delay, or another lock")
	}
	for i := range v.plan.Candidates {
		c := &v.plan.Candidates[i]
		if !c.Coordinated && c.Profile.CarriesContext() && !c.Profile.OtherClient() {
			continue
		}
		switch {
		case len(f.On) == 0 || slices.Contains(f.On, c.ID):
			v.fail(field, "is not simulated for %s; want it on others", phrase.Quote(c.ID))
		case f.NamesRole():
			v.fail(field, "is not simulated for %s, which a role may stand for; want it on candidates by name", phrase.Quote(c.ID))
		}
	}
}

// onClients records an error if f, a stall or a frame, can be on a candidate without a client, in the elections that f is on: one that
// f.On names, or any if f.On is empty or names a role.
func (v *planCheck) onClients(f *Fault) {
	for i := range v.plan.Candidates {
		c := &v.plan.Candidates[i]
		named := len(f.On) == 0 || f.NamesRole() || slices.Contains(f.On, c.ID)
		if c.Client == nil && named && (f.Election == "" || f.Election == c.Election) {
			v.fail("kind", "%s is of the connection of a client, and %s has none; want client: client-go%s", f.Kind.withArticle(), phrase.Quote(c.ID),
				map[FaultKind]string{FaultStall: ", or a partition"}[f.Kind])
		}
	}
}

// brownoutFault checks the values of f, a brownout: that seats come with takes, that takes, queue and every come with seats, and
// that every does not make too many requests. It adds its requests of other programs to v.traffics.
func (v *planCheck) brownoutFault(f *Fault) {
	v.values(f)
	others := f.Others(v.plan.Horizon)
	switch {
	case f.Seats == 0 && (f.Takes != 0 || f.Queue != 0 || f.Every != 0):
		v.fail("seats", "is required with takes, queue and every; it is how many requests are carried out at a time, such as 2")
	case f.Seats > 0 && f.Takes == 0:
		v.fail("takes", "is required with seats; it is how long a request has its seat, such as 500ms")
	case others > maxTraffic+1:
		v.fail("every", "%v makes more than %d requests until the end", f.Every, maxTraffic)
	default:
		v.others("every", others)
	}
}

// errorFault checks the values of f, a fault of the kind error, and that its status is from 400 to 599.
func (v *planCheck) errorFault(f *Fault) {
	v.values(f)
	switch {
	case f.Status == 0:
		v.fail("", "an error needs a status, such as 504")
	case f.Status < 400 || f.Status > 599:
		v.fail("status", "%d is not the status of an error; want 400 to 599", f.Status)
	}
}

// clockFault checks the values of f, a fault of the kind clock. Unless there is an error, it adds the jump to v.shift, and
// refuses it if a wall clock could get a hundred years or more from true time. anybody is true if the fault can affect any
// candidate.
func (v *planCheck) clockFault(f *Fault, anybody bool) {
	if f.Jump == 0 && f.DriftPPM == nil {
		v.fail("", "a clock fault needs a jump other than 0, driftPPM, or both")
	}
	v.values(f)
	if v.err != nil {
		return
	}
	if anybody {
		v.shift.common += f.Jump.Abs()
	} else {
		for _, name := range f.On {
			if i, known := v.index[name]; known {
				v.shift.addCandidate(i, f.Jump)
			} else {
				v.shift.addService(f.Jump)
			}
		}
	}
	if v.shift.tooFar() {
		v.fail("jump", "takes a wall clock a hundred years or more from true time, "+
			"with its offset and all jumps that may meet it")
	}
}

// editFault checks the values of f, a fault of the kind edit, and that a candidate's lock is on a Lease.
func (v *planCheck) editFault(f *Fault) {
	if !v.locked[simlock.Lease] {
		v.fail("", "an edit is of the Lease, and no candidate's lock is on one")
	}
	v.values(f)
}
