package plan

import (
	"errors"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
	"interregnum/internal/reuse"
)

// Validate returns nil if the plan can be run. Otherwise it returns a *FieldError for the first problem that is found, mostly
// in the order in which a scenario file has its fields.
func (p *Plan) Validate() error { return new(Validator).Validate(p) }

// Validator validates plans, one after the other, in the memory of the first. It serves one goroutine.
type Validator struct{ check planCheck }

// Validate returns nil if the plan can be run. Otherwise it returns a *FieldError for the first problem that is found, mostly in
// the order in which a scenario file has its fields.
func (of *Validator) Validate(p *Plan) error {
	v := &of.check
	v.reset(p)
	v.between("horizon", p.Horizon, 1)
	v.elections()
	v.candidates()
	v.delay("network.request", &p.Network.Request)
	v.delay("network.response", &p.Network.Response)
	v.service(p.Service)
	v.coordinator()
	v.faults()
	if v.err != nil {
		return v.err
	}
	return nil
}

// candidates checks the number of candidates, and each candidate until the first error.
func (v *planCheck) candidates() {
	n := len(v.plan.Candidates)
	if n == 0 {
		v.fail("candidates", "there is none; want one or more")
	}
	if n > MaxCandidates {
		v.fail("candidates", "has more than %d entries", MaxCandidates)
		return
	}
	v.shift.named = reuse.Zeroed(v.shift.named, n)
	v.in = inCandidates
	for v.item = 0; v.item < n && v.err == nil; v.item++ {
		v.candidate(int32(v.item), &v.plan.Candidates[v.item])
		v.election(v.item)
	}
	v.in = inPlan
}

// candidate checks c, entry i of Plan.Candidates, except its election. It adds the ID to v.index for later entries and for
// faults, the offset of the process's clock to v.shift, and the candidate's lock, other traffic and use of patches to what v
// knows of all candidates.
func (v *planCheck) candidate(i int32, c *Candidate) {
	v.name("id", c.ID)
	if c.ID == RoleLeader || c.ID == RoleFollower {
		v.fail("id", "%s is the name of a role; want another", c.ID)
	}
	first, taken := v.index[c.ID]
	again := taken && v.sameProcess(i, c)
	if taken && !again {
		v.fail("id", "%s is the id of candidates[%d] too; ids must differ", phrase.Quote(c.ID), v.indexInFile(int(first)))
	}
	if !taken {
		v.index[c.ID] = i
	}
	if c.Identity != "" {
		v.name("identity", c.Identity)
	}
	if _, known := machine.ProfileNamed(c.Profile.Name); !known {
		v.fail("profile", "%s is not a profile; want %s", phrase.Quote(c.Profile.Name), oneOf(machine.ProfileNames()))
	}
	v.lock(c.Lock)
	if c.Lock.Objects() != nil && !c.Lock.TakenBy(&c.Profile) {
		v.fail("lock", "is %s; want %s, the only one that is simulated with profile %s", c.Lock, Lease, c.Profile.Name)
	}
	v.timings(c)
	v.patches = v.patches || c.Profile.Patches()
	if c.RequestTimeout > 0 && !c.Profile.TimesOut() {
		v.fail("requestTimeout", "is not simulated with profile %s, whose requests have none; want 0s", c.Profile.Name)
	}
	v.between("requestTimeout", c.RequestTimeout, 0)
	v.client(c)
	v.jitter(c)
	v.between("drain", c.Drain, 0)
	v.between("returnsAfter", c.ReturnsAfter, 0)
	if c.ReturnsAfter > 0 && c.Profile.CallsBeforeRenewing() {
		v.fail("returnsAfter", "is not simulated with profile %s, whose renewals wait for the start handler; want 0s, a handler that returns at once", c.Profile.Name)
	}
	v.between("writeEvery", c.WriteEvery, 0)
	v.between("startAt", c.StartAt, 0)
	if c.Rejoin != nil {
		v.between("rejoin", *c.Rejoin, 0)
	}
	if c.SameElector && c.Rejoin == nil {
		v.fail("sameElector", "is about the next Run, and there is none; want rejoin: and a duration too, such as 1s")
	}
	v.signed("clock.offset", c.Clock.Offset)
	v.drift("clock.driftPPM", c.Clock.DriftPPM)
	v.row(c)
	v.coordinated(c)
	v.onLoss(c)
	v.livenessProbe(c.LivenessProbe)
	if !again {
		v.shift.addCandidate(i, c.Clock.Offset)
	}
}

// lock records an error if l is no known kind of lock. It records in v the objects of l and whether l expires by itself.
func (v *planCheck) lock(l Lock) {
	for _, o := range l.Objects() {
		v.locked[o] = true
	}
	v.expires = v.expires || l.Expires()
	v.lasts = v.lasts || l.Objects() != nil && !l.Expires()
	if l.Objects() == nil {
		v.fail("lock", "%s is not a kind of lock; want %s", phrase.Quote(string(l)), oneOf(LockNames()))
	}
}

// timings checks a candidate's three timings, each by itself, then against each other.
func (v *planCheck) timings(c *Candidate) {
	least := time.Duration(0) // the library's own words are better
	switch c.Profile.Client {
	case machine.OfFabric8, machine.OfJava, machine.OfCSharp, machine.OfRust:
		least = 1
	}
	v.between("leaseDuration", c.LeaseDuration, least)
	v.between("renewDeadline", c.RenewDeadline, least)
	v.between("retryPeriod", c.RetryPeriod, least)
	if err := c.Profile.Validate(c.Timings); err != nil {
		v.refuseTimings(err)
	}
}

// refuseTimings records err in v if it is a *machine.TimingError: timings that contradict each other. It is a function of
// its own since errors.As allocates memory, which candidates without such an error need not pay for.
func (v *planCheck) refuseTimings(err error) {
	var timing *machine.TimingError
	if errors.As(err, &timing) {
		v.fail("", "%s", timing.WithNumbers())
	}
}

// jitter checks Jitter and FirstJitters of c: each number must be in [0,1), and there are no first ones without Jitter.
func (v *planCheck) jitter(c *Candidate) {
	all := c.FirstJitters
	if c.Jitter != nil {
		all = append(all[:len(all):len(all)], *c.Jitter)
	} else if len(all) > 0 {
		v.fail("jitter", "has first draws and none for those after them; want one more number")
	}
	for _, j := range all {
		if !(j >= 0 && j < 1) {
			v.fail("jitter", "%v is out of range; want a fraction from 0 to less than 1", j)
		}
	}
}
