package sim

import (
	"interregnum/elector/machine"
	"interregnum/plan"
	"interregnum/simlock"
)

// client is the lock of one candidate's process: it turns each call of the machine into requests, one after the other.
type client interface {
	// Prepare turns a call into its first request. If it returns false, nothing is sent and the call fails.
	Prepare(verb machine.Verb, record *machine.Record, op *simlock.Op) bool
	// Answered takes the answer to the last request, which had that verb. It returns the outcome of the call, or 0 if
	// the call goes on with Next.
	Answered(verb machine.Verb, r *simlock.Result) machine.Outcome
	// Next fills op with the call's next request.
	Next(op *simlock.Op)
	// Failed tells the lock that a call has ended because its last request, which had that verb, has no answer or was not
	// sent.
	Failed(verb machine.Verb)
	// Found returns what a successful Get has found, given the last answer.
	Found(r *simlock.Result) (record *machine.Record, raw []byte)
	// Life returns, right after an answer, a number that tells the lock object from one made later under the same name.
	// It is 0 if the lock does not tell.
	Life() uint64
	// Version returns, right after a write, the fencing token.
	Version() uint64
}

var _, _, _ client = (*simlock.Single)(nil), (*simlock.Pair)(nil), (*simlock.Expiring)(nil)

// newClient returns a lock of the node's kind that has called nothing yet. Each object is named by its kind, followed by
// / and the election if there are several.
func (w *world) newClient(n *node) client {
	objects := n.Plan.Lock.Objects()
	if n.expires {
		key := w.service.NameOf(objects[0], n.election)
		return w.memory.entries.Put(*simlock.NewExpiring(objects[0], key, n.Identity, n.Plan.LeaseDuration, &w.marks))
	}
	forgets := forgetting(n.Plan)
	single := func(o simlock.Object) *simlock.Single {
		return w.memory.singles.Put(simlock.Single{Object: o, Key: w.service.NameOf(o, n.election), Forgets: forgets})
	}
	if len(objects) == 2 {
		pair := w.memory.pairs.Next()
		pair.Reset(single(objects[0]), single(objects[1]), n.Identity)
		return pair
	}
	return single(objects[0])
}

// apart returns a lock for a call that goes on by itself while the process makes others: a copy of c if c is on two
// objects, otherwise c itself.
func apart(c client) client {
	if p, two := c.(*simlock.Pair); two {
		return p.Apart()
	}
	return c
}

// forgetting returns which failed calls leave a lock without an object, as in the version of the library that the profile
// describes. Locks on other objects than a Lease existed until v0.24. For a Lease, what versions before v0.37 forgot is in
// their profiles.
func forgetting(c *plan.Candidate) simlock.Forgetting {
	switch {
	case !c.Lock.Forgets():
		return simlock.ForgetsByCreate
	case c.Profile.Object == machine.ObjectLostByAny:
		return simlock.ForgetsByAny
	}
	return simlock.ForgetsByRead
}

// configOf returns the configuration of a candidate's machine, with that identity. Its profile is the plan's, except in two
// fields: Electing in a coordinated election, and Object for a lock that forgets its object. Unit and FailedGetMoves are those of
// the lock.
func configOf(c *plan.Candidate, identity string) machine.Config {
	cfg := machine.Config{
		Timings:         c.Timings,
		Identity:        identity,
		ReleaseOnCancel: c.ReleaseOnCancel,
		Profile:         c.Profile,
	}
	if c.Coordinated {
		cfg.Profile.ByCoordinator = true
	}
	cfg.Unit, cfg.FailedGetMoves = c.Lock.Unit(), c.Lock != plan.Lease
	if c.Lock.Forgets() {
		cfg.Profile.Object = machine.ObjectOfLock
	}
	return cfg
}
