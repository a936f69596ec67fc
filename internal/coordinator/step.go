package coordinator

import (
	"interregnum/elector/machine"
)

// Verdict is what the controller does after a step.
type Verdict uint8

// These are the verdicts. After each but Idle the controller looks at the lock again by itself, unless a request about
// the Lease fails.
const (
	// Idle: nothing to do, nothing to come back for.
	Idle Verdict = iota
	// Again: look again after Requeue.
	Again
	// Ping: ask Decision.Pings, then look again after Requeue, whatever the answers are.
	Ping
	// Elect: create Decision.Lease, or change an existing Lease as Amend says.
	Elect
)

// Decision is the result of a step.
type Decision struct {
	Verdict Verdict
	// Pings are the indices of the candidates to be pinged.
	Pings []int
	// Lease is the Lease of the elected candidate.
	Lease machine.Record
}

// Step decides about a lock from what the controller's caches hold: the Lease, nil if there is none, and all, the lock's
// candidates, in the order in which the cache happens to list them. Candidates that have expired do not count; without any other,
// the verdict is Idle. now is by the controller's clock.
func Step(lease *machine.Record, all []Candidate, now machine.Wall) Decision {
	var candidates []Candidate
	var index []int
	for i := range all {
		if !all[i].Expired(now) {
			candidates, index = append(candidates, all[i]), append(index, i)
		}
	}
	switch {
	case len(candidates) == 0:
		return Decision{}
	case !needed(lease, candidates, now):
		return Decision{Verdict: Again}
	}
	waiting := false
	var pings []int
	for i := range candidates {
		c := &candidates[i]
		recent := c.Ping != machine.NoTime && after(c.Ping, Election) > now
		switch {
		case c.awaited() && recent:
			waiting = true
		case after(c.Renew, Election) > now:
		case c.Ping == machine.NoTime, after(c.Ping, Election) < now && !c.awaited():
			pings = append(pings, index[i])
		}
	}
	switch {
	case len(pings) > 0:
		return Decision{Verdict: Ping, Pings: pings}
	case waiting:
		return Decision{Verdict: Again}
	}
	return elect(candidates, now)
}

// needed tells whether there must be an election: there is no valid Lease with a holder, a candidate has not renewed
// for half of Validity, or the strategy is OldestEmulationVersion and another candidate than the holder is the best.
func needed(lease *machine.Record, candidates []Candidate, now machine.Wall) bool {
	if lease == nil || LeaseExpired(lease, now) || lease.Holder == "" {
		return true
	}
	for i := range candidates {
		if after(candidates[i].Renew, Validity/2) < now {
			return true
		}
	}
	name, problem := strategy(candidates)
	return problem == "" && name == OldestEmulationVersion && best(candidates).Name != lease.Holder
}

// elect chooses among the candidates that have answered within Election. If there are none, or they do not agree on a strategy,
// the verdict is Idle, so that nothing calls the controller back: its source returns no interval with these errors. With a
// strategy other than OldestEmulationVersion, the Lease names that strategy and no holder. now is by the controller's clock.
func elect(candidates []Candidate, now machine.Wall) Decision {
	var acked []Candidate
	for _, c := range candidates {
		if after(c.Renew, Election) > now {
			acked = append(acked, c)
		}
	}
	if len(acked) == 0 {
		return Decision{}
	}
	name, problem := strategy(acked)
	if problem != "" {
		return Decision{}
	}
	d := Decision{Verdict: Elect, Lease: machine.Record{
		DurationSeconds: LeaseSeconds, Renew: now, Acquire: machine.NoTime,
		Coordination: &machine.Coordination{Strategy: name},
	}}
	if name == OldestEmulationVersion {
		d.Lease.Holder = best(acked).Name
	}
	return d
}

// Amend returns what becomes of an existing Lease when a candidate was elected, and whether that changes anything. elected is the
// Lease of a Decision. A healthy holder stays, and is only told that its term ends: the elected candidate becomes the preferred
// holder. If the elected candidate is the holder already, only the strategy can change. now is by the controller's clock.
func Amend(existing, elected *machine.Record, now machine.Wall) (out machine.Record, changed bool) {
	out.Set(existing)
	var c machine.Coordination
	if existing.Coordination != nil {
		c = *existing.Coordination
	}
	before := c
	c.Strategy = elected.Coordination.Strategy
	other := elected.Holder != "" && elected.Holder != existing.Holder
	switch {
	case other && (existing.Holder == "" || LeaseExpired(existing, now)):
		c.PreferredHolder = ""
		out.Holder, out.Renew, out.DurationSeconds, out.Acquire = elected.Holder, now, LeaseSeconds, machine.NoTime
		changed = true
	case other:
		c.PreferredHolder = elected.Holder
	}
	if c != before {
		changed = true
	}
	out.Coordination = &c
	return out, changed
}
