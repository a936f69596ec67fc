package plan

import (
	"strconv"

	"interregnum/internal/phrase"
	"interregnum/internal/reuse"
)

// rollouts is what the check of a rollout needs to know of those before it in the file.
type rollouts struct {
	// replacedBy and startedBy hold, by candidate, 1 + the rollout that replaces it and the one that starts it, 0 for none.
	replacedBy, startedBy []int32
	some                  bool
}

// rolloutFault checks f, a rollout, which is entry fault of Plan.Faults: its values, that On and To are of the same length and
// not empty, that Surge or MaxUnavailable is more than 0, and that each candidate in On can be replaced and each in To started.
// Its On has been checked as that of any fault.
func (v *planCheck) rolloutFault(fault int32, f *Fault) {
	if !v.rollouts.some {
		n := len(v.plan.Candidates) + 1
		v.rollouts = rollouts{reuse.Zeroed(v.rollouts.replacedBy, n), reuse.Zeroed(v.rollouts.startedBy, n), true}
	}
	v.values(f)
	switch {
	case len(f.On) == 0:
		v.fail("on", "is required; want the candidates that are replaced")
	case len(f.To) == 0:
		v.fail("to", "is required; want the candidates that replace them, which do not start by themselves")
	case len(f.To) != len(f.On):
		v.fail("to", "has %d for the %d in on; want a successor for each", len(f.To), len(f.On))
	case f.Surge == 0 && f.MaxUnavailable == 0:
		v.fail("", "a rollout with neither surge nor maxUnavailable can do nothing; want 1 or more for one of them")
	}
	for j, name := range f.On {
		v.replaced("on["+strconv.Itoa(j)+"]", fault, f, name)
	}
	for j, name := range f.To {
		v.successor("to["+strconv.Itoa(j)+"]", fault, f, name)
	}
}

// replaced checks that f, a rollout with the index fault, can replace the candidate with that name. It records in v.rollouts that
// it does. After an error it does nothing.
func (v *planCheck) replaced(field string, fault int32, f *Fault, name string) {
	i, known := v.index[name]
	if v.err != nil {
		return
	}
	if !known || name == CoordinatorID && v.plan.Coordinator != nil {
		v.fail(field, "%s is no candidate's name; a rollout replaces candidates by name", name)
		return
	}
	if before := v.rollouts.replacedBy[i]; before > 0 {
		v.fail(field, "%s is replaced by faults[%d] already; want each candidate in one", phrase.Quote(name), before-1)
	}
	if before := v.rollouts.startedBy[i]; before > 0 && v.plan.Faults[before-1].At >= f.At {
		v.fail(field, "%s is started by faults[%d], which does not begin before this one", phrase.Quote(name), before-1)
	}
	v.rollouts.replacedBy[i] = fault + 1
}

// successor checks that f, a rollout with the index fault, can start the candidate with that name. It records in v.rollouts that
// it does, and marks the candidate in v.seen. After an error it does nothing.
func (v *planCheck) successor(field string, fault int32, f *Fault, name string) {
	i, known := v.index[name]
	if v.err != nil {
		return
	}
	if !known || name == CoordinatorID && v.plan.Coordinator != nil {
		v.fail(field, "%s is no candidate; want a candidate's id", phrase.Quote(name))
		return
	}
	if v.seen[i] == fault+1 {
		v.fail(field, "%s is named twice", phrase.Quote(name))
	}
	if v.plan.Candidates[i].StartAt != 0 {
		v.fail(field, "%s starts by itself, at %v; want no startAt of a candidate that a rollout starts",
			phrase.Quote(name), v.plan.Candidates[i].StartAt)
	}
	if before := v.rollouts.startedBy[i]; before > 0 {
		v.fail(field, "%s is started by faults[%d] already; want each candidate in one", phrase.Quote(name), before-1)
	}
	if other := v.rollouts.replacedBy[i]; other > 0 && v.plan.Faults[other-1].At <= f.At {
		v.fail(field, "%s is replaced by faults[%d], which does not begin after this one", phrase.Quote(name), other-1)
	}
	v.seen[i], v.rollouts.startedBy[i] = fault+1, fault+1
}
