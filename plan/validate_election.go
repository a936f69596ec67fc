package plan

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"interregnum/internal/phrase"
)

var electionForm = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)*$`)

// elections checks the number and the names of the plan's elections, and that each has a candidate. It fills v.places and
// v.taken.
func (v *planCheck) elections() {
	if len(v.plan.Elections) > MaxElections {
		v.fail("elections", "has more than %d entries", MaxElections)
		return
	}
	if len(v.plan.Elections) == 0 {
		return
	}
	for i := range v.plan.Candidates {
		v.taken[v.plan.Candidates[i].Election] = true
	}
	for i, name := range v.plan.Elections {
		_, twice := v.places[name]
		v.places[name] = i
		switch {
		case name == "":
			v.fail(electionPath(i)+".name", "must not be empty; it is made of a-z, 0-9, - and .")
		case !electionForm.MatchString(name) || len(name) > maxNameBytes:
			v.fail(electionPath(i)+".name", "%s has other characters than a-z, 0-9, - and dots between them, or too many", phrase.Quote(name))
		case twice:
			v.fail(electionPath(i)+".name", "%s is the name of another election too; names must differ", name)
		case !v.taken[name]:
			v.fail(electionPath(i), "no candidate takes part in %s; want one or more, or no such election", name)
		}
	}
}

// electionPath returns the path of entry i of the elections for messages, such as elections[2].
func electionPath(i int) string { return "elections[" + strconv.Itoa(i) + "]" }

// election checks that entry i of the candidates names one of the plan's elections, or none if the plan has none. If the plan has
// elections, it also checks that neither the entry is coordinated nor the plan has a coordinator.
func (v *planCheck) election(i int) {
	c := &v.plan.Candidates[i]
	_, known := v.places[c.Election]
	switch {
	case len(v.plan.Elections) == 0 && c.Election != "":
		v.fail("elections", "the scenario has no election %s; want it under elections", phrase.Quote(c.Election))
	case len(v.plan.Elections) > 0 && !known:
		v.fail("elections", "%s is not an election; want %s", phrase.Quote(c.Election), oneOf(v.plan.Elections))
	case len(v.plan.Elections) > 0 && (c.Coordinated || v.plan.Coordinator != nil):
		v.fail("coordinated", "is for a scenario with one election; it cannot be had with several")
	}
}

// sameProcess tells whether entry i belongs to the same process as the entry before it. If so, it checks that both agree in
// what belongs to the process.
func (v *planCheck) sameProcess(i int32, c *Candidate) bool {
	if i == 0 || c.Election == "" {
		return false
	}
	before := &v.plan.Candidates[i-1]
	if !v.follows(before, c) {
		return false
	}
	probes := before.LivenessProbe == nil && c.LivenessProbe == nil ||
		before.LivenessProbe != nil && c.LivenessProbe != nil && *before.LivenessProbe == *c.LivenessProbe
	if before.Identity != c.Identity || before.StartAt != c.StartAt || before.Clock != c.Clock || !probes {
		v.fail("", "identity, startAt, clock and livenessProbe are the process's; they must be alike in its elections")
	}
	return true
}

// follows tells whether c can be the entry that follows the entry before in the same process: it has the same ID, and a later
// election.
func (v *planCheck) follows(before, c *Candidate) bool {
	return before.ID == c.ID && v.places[before.Election] < v.places[c.Election]
}

// indexInFile returns the index of entry i's candidate in the scenario file, where a candidate has one entry for all of
// its elections.
func (v *planCheck) indexInFile(i int) (index int) {
	for j := 1; j <= i; j++ {
		if c := v.plan.Candidates; !v.follows(&c[j-1], &c[j]) {
			index++
		}
	}
	return index
}

// entryPath returns the path of entry i for messages: candidates[2], or candidates[2][ELECTION] if there are several elections.
func (v *planCheck) entryPath(i int) string {
	path := "candidates[" + strconv.Itoa(v.indexInFile(i)) + "]"
	if name := v.plan.Candidates[i].Election; name != "" {
		path += "[" + name + "]"
	}
	return path
}

// onLoss checks that c.OnLoss is a known value, and that LossRejoin comes with a Rejoin.
func (v *planCheck) onLoss(c *Candidate) {
	switch c.OnLoss {
	case "", LossExit, LossIgnore:
	case LossRejoin:
		if c.Rejoin == nil {
			v.fail("onLoss", "rejoin needs to know when; want rejoin: and a duration too, such as 1s")
		}
	default:
		v.fail("onLoss", "%s is not known; want %s, %s or %s", phrase.Quote(string(c.OnLoss)), LossExit, LossRejoin, LossIgnore)
	}
}

// mostFailures is the highest failureThreshold.
const mostFailures = 1000

// livenessProbe checks that each field of p is in range. nil, no probe, is valid.
func (v *planCheck) livenessProbe(p *LivenessProbe) {
	if p == nil {
		return
	}
	v.between("livenessProbe.period", p.Period, 1)
	if p.Period < time.Second {
		v.fail("livenessProbe.period", "%v is too short; want 1s or more", p.Period)
	}
	if p.FailureThreshold < 1 || p.FailureThreshold > mostFailures {
		v.fail("livenessProbe.failureThreshold", "%d is out of range; want 1 to %d", p.FailureThreshold, mostFailures)
	}
	v.between("livenessProbe.tolerance", p.Tolerance, 0)
	v.between("livenessProbe.restartAfter", p.RestartAfter, 0)
}

// faultElection checks that f.Election, if it is set, names one of the plan's several elections and, if f is on whole processes,
// that f.On names a role. If it is empty and there are several elections, f must be neither on a role nor an edit.
func (v *planCheck) faultElection(f *Fault) {
	names := v.plan.Elections
	switch {
	case f.Election != "" && len(names) == 0:
		v.fail("election", "the scenario has one election without a name; want none here, or several under elections")
	case f.Election != "" && !slices.Contains(names, f.Election):
		v.fail("election", "%s is not an election; want %s", phrase.Quote(f.Election), oneOf(names))
	case f.Election == "" && len(names) > 1 && f.NamesRole():
		v.fail("election", "is required: leader and follower are roles in one election; want %s", oneOf(names))
	case f.Election == "" && len(names) > 1 && f.Kind == FaultEdit:
		v.fail("election", "is required: an edit is of one election's Lease; want %s", oneOf(names))
	case f.Election != "" && f.Kind.OfProcess() && !f.NamesRole():
		v.fail("election", "a %s is of a whole process; want an election only where on names a role in it", f.Kind)
	}
}
