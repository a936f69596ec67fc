// Package coordinator is the API server's side of coordinated leader election, without I/O: when an election is needed,
// who is asked, who wins, and what is written to the Lease. It is the leader-election-controller of Kubernetes v1.36
// (pkg/controlplane/controller/leaderelection), step by step.
package coordinator

import (
	"time"

	"interregnum/elector/machine"
)

// These are fixed in the controller.
const (
	// Requeue is how long after a step the controller looks at the lock again.
	Requeue = 5 * time.Second
	// Election is how long a candidate may take to answer a ping, and for how long an answer counts.
	Election = 5 * time.Second
	// Validity is how long a LeaseCandidate counts after its last answer. When half of it has passed, there is an
	// election.
	Validity = 30 * time.Minute
	// Collection is how often expired LeaseCandidates are looked for and deleted.
	Collection = 30 * time.Minute
	// LeaseSeconds is the lease that an elected holder is given, until it renews with its own.
	LeaseSeconds = 5
	// OldestEmulationVersion is the only strategy that the controller elects by.
	OldestEmulationVersion = "OldestEmulationVersion"
)

// Candidate is a LeaseCandidate as the controller's cache has it. NoTime stands for a time that is not set.
type Candidate struct {
	Name              string
	Emulation, Binary Version
	Strategy          string
	// Created is by the server's clock, in whole seconds; Ping by the controller's; Renew by the candidate's own.
	Created, Ping, Renew machine.Wall
}

// awaited tells whether a ping was not answered. An answer that is older than the ping, by the candidate's clock, does
// not count.
func (c *Candidate) awaited() bool { return c.Ping != machine.NoTime && c.Renew < c.Ping }

// Ignored tells whether a change to c is no reason to look at the lock, since a ping is on its way.
func (c *Candidate) Ignored() bool { return c.awaited() }

// Expired tells whether a LeaseCandidate no longer counts: it never answered, or its last answer is more than Validity ago.
func (c *Candidate) Expired(now machine.Wall) bool {
	return c.Renew == machine.NoTime || after(c.Renew, Validity) < now
}

// LeaseExpired tells whether a lease has run out. It compares now, by the controller's clock, with the renewTime, by
// the holder's clock.
func LeaseExpired(r *machine.Record, now machine.Wall) bool {
	return r.Renew == machine.NoTime || after(r.Renew, r.Duration()) < now
}

// after returns the wall time d later.
func after(w machine.Wall, d time.Duration) machine.Wall { return w + machine.Wall(d) }

// better tells whether b is a better leader than the other one: the one with the older emulation version is, then the one with
// the older binary version, then the one that was created first. It is false if both were created in the same second, so that
// the first in the list stays.
func better(b, than *Candidate) bool {
	c := b.Emulation.Compare(than.Emulation)
	if c == 0 {
		c = b.Binary.Compare(than.Binary)
	}
	if c == 0 {
		return b.Created < than.Created
	}
	return c < 0
}

// best returns the candidate that is better than all others, or the first one of several that are equally good. There must be
// a candidate.
func best(candidates []Candidate) *Candidate {
	leader := &candidates[0]
	for i := range candidates[1:] {
		if c := &candidates[i+1]; better(c, leader) {
			leader = c
		}
	}
	return leader
}

// strategy returns the strategy that the candidates with the newest binary ask for or, if they do not agree, "" and the problem.
// It goes through the list once, as pickBestStrategy of the controller does. So two candidates of one older binary that do not
// agree are a problem too, unless one with a newer binary comes before the second of them. There must be a candidate.
func strategy(candidates []Candidate) (name, problem string) {
	newest := &candidates[0]
	for i := range candidates[1:] {
		c := &candidates[i+1]
		switch order := newest.Binary.Compare(c.Binary); {
		case order < 0:
			newest = c
		case order == 0 && c.Strategy != newest.Strategy:
			return "", "candidates of one binary version ask for different strategies"
		}
	}
	return newest.Strategy, ""
}
