package draw

import (
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// Space is what plans are drawn from.
type Space struct {
	// Profile is the profile of all candidates.
	Profile machine.Profile
	Locking
	// Locks are the kinds of lock, one of which each candidate has. If it is nil, all have the Lock of Locking.
	Locks []plan.Lock
	// Timings are the timings of all candidates; the zero value lets each plan have its own.
	Timings machine.Timings
	// Limits are what may go wrong.
	Limits Limits
	// Candidates is the number of candidates; 0 draws from 2 to 4.
	Candidates int
	// Restless lets faults begin at any time and last to the end, freezes too, whatever MaxPause is. Otherwise the last
	// third of a plan has no faults, so that all must recover in it.
	Restless bool
}

// Locking is what candidates compete for. The zero value is one Lease.
type Locking struct {
	// Lock is the kind of lock; "" is plan.Lease.
	Lock plan.Lock `json:"lock,omitempty"`
	// Now and Precision count only with locks that run out by a wall clock. Now "" means plan.CallerNow, Precision 0 a
	// microsecond.
	Now       plan.Now      `json:"now,omitempty"`
	Precision time.Duration `json:"precision,omitempty"`
	// Elections is how many elections each process takes part in, 2 or more; 0 means one.
	Elections int `json:"elections,omitempty"`
}

// Limits bound what may go wrong in a run. A bound of 0 allows nothing of its kind; only for MaxRoundTrip it means no
// bound.
type Limits struct {
	// MaxRoundTrip bounds how long an answered request takes. 0 sets no bound: delays of any length.
	MaxRoundTrip time.Duration
	// MaxDriftPPM is how far a clock's rate may be from that of true time.
	MaxDriftPPM int64
	// MaxPause is how long a process may be frozen in all.
	MaxPause time.Duration
	// MaxDrain is how long the work may go on once its context has ended.
	MaxDrain time.Duration
	// Shared allows two candidates with one identity. Deleted allows faults that delete the lock.
	Shared, Deleted bool
	// Rollouts allows a rollout. It is apart from the other kinds of fault, since a plan has one at most.
	Rollouts bool `json:",omitempty"`
	// MaxClockOffset counts only where a lock runs out by a wall clock: see Locking.ByWallClock. With the candidates' clocks
	// it is how far apart these may be by offsets and jumps. With the database's clock it is how far that may jump in all.
	// What drift adds comes on top.
	MaxClockOffset time.Duration `json:",omitempty"`
	// Clients gives candidates clients, where their profile and lock can have one, and allows the faults that are about clients. A plan
	// in which a candidate has a client already may have these faults without it.
	Clients bool `json:",omitempty"`
	// AnswersFirst lets half of all freezes end with answers that are handled before all else.
	AnswersFirst bool `json:",omitempty"`
}

// Kinds returns the kinds of fault that the limits allow for that plan.
func (l *Limits) Kinds(p *plan.Plan) []plan.FaultKind {
	some, all := clientsOf(p)
	return l.appendKinds(nil, some, all)
}

// appendKinds returns kinds with the kinds of fault appended that the limits allow. someClients and allClients tell whether
// some candidate has a client, and whether every one has. Faults about clients need one candidate with a client, and a stall
// needs a client for each. A brownout and a stall are allowed only if the limits set no bound to a round trip.
func (l *Limits) appendKinds(kinds []plan.FaultKind, someClients, allClients bool) []plan.FaultKind {
	kinds = append(kinds, plan.FaultDelay, plan.FaultPartition, plan.FaultLose, plan.FaultOutage, plan.FaultError,
		plan.FaultCrash, plan.FaultRestart, plan.FaultCancel, plan.FaultClock)
	if l.MaxPause > 0 {
		kinds = append(kinds, plan.FaultPause)
	}
	if l.Deleted {
		kinds = append(kinds, plan.FaultDelete)
	}
	if someClients {
		kinds = append(kinds, plan.FaultThrottle, plan.FaultReset)
	}
	if someClients && l.MaxRoundTrip == 0 {
		if kinds = append(kinds, plan.FaultBrownout); allClients {
			kinds = append(kinds, plan.FaultStall)
		}
	}
	return kinds
}

// Kind returns the kind of lock: a Lease where Lock is "".
func (l *Locking) Kind() plan.Lock {
	if l.Lock == "" {
		return plan.Lease
	}
	return l.Lock
}

// CallersNow tells whether the wall clocks of candidates decide when a row expires. It is false for locks other than
// rows.
func (l *Locking) CallersNow() bool { return l.Lock.ByCaller(l.Now) }

// ByWallClock tells whether a wall clock decides when the lock expires: by the kind of lock, or by what candidates of that
// profile do.
func (l *Locking) ByWallClock(p *machine.Profile) bool {
	return l.Lock.ByWallClock() || p.ByWallClock()
}

// ByCandidates tells whether the wall clocks of candidates with that profile decide when the lock expires.
func (l *Locking) ByCandidates(p *machine.Profile) bool { return l.CallersNow() || p.ByWallClock() }

// Verbs returns the kinds of request that an error may answer if the candidates have that profile; 0 stands for all kinds. For
// locks that do not expire by themselves, the kind of request by which a leader renews is there twice. So it is drawn twice as
// often, as most requests of an election are renewals. The caller must not change the result.
func (l *Locking) Verbs(p *machine.Profile) []machine.Verb {
	switch {
	case l.Kind().Expires():
		return verbsOfExpiring
	case p.Patches():
		return verbsOfPatching
	}
	return verbsOfOthers
}

var (
	verbsOfExpiring = []machine.Verb{0, machine.Get, machine.Create, machine.Replace, machine.Refresh, machine.Resign, machine.Watch}
	verbsOfPatching = []machine.Verb{0, machine.Get, machine.Create, machine.Patch, machine.Patch}
	verbsOfOthers   = []machine.Verb{0, machine.Get, machine.Create, machine.Update, machine.Update}
)

// Decisive tells whether a fault changes a clock that decides when a lock expires, which MaxClockOffset limits: the service's
// clock, if the lock expires by the database's, or a candidate's clock, if these decide. The candidates have that profile.
func (l *Locking) Decisive(p *machine.Profile, f *plan.Fault) bool {
	service, candidates := slices.Contains(f.On, plan.ServiceName), l.ByCandidates(p)
	databaseNow := l.ByWallClock(p) && !candidates
	return f.Kind == plan.FaultClock && (databaseNow && service || candidates && (!service || len(f.On) > 1))
}

// Apart returns how far apart the clocks that decide when a lock expires can be: the spread of their offsets, and all jumps added
// up. The plan must have a candidate.
func (l *Locking) Apart(p *plan.Plan) (d time.Duration) {
	profile := &p.Candidates[0].Profile
	for i := range p.Faults {
		if l.Decisive(profile, &p.Faults[i]) {
			d += p.Faults[i].Jump.Abs()
		}
	}
	if l.ByCandidates(profile) {
		least, most := Offsets(p)
		d += most - least
	}
	return d
}

// Offsets returns the least and the largest offset of the candidates' wall clocks. There must be a candidate.
func Offsets(p *plan.Plan) (least, most time.Duration) {
	least, most = p.Candidates[0].Clock.Offset, p.Candidates[0].Clock.Offset
	for i := range p.Candidates {
		least, most = min(least, p.Candidates[i].Clock.Offset), max(most, p.Candidates[i].Clock.Offset)
	}
	return least, most
}
