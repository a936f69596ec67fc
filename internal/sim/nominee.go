package sim

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/coordinator"
	"interregnum/internal/sim/service"
	"interregnum/scenarios/plan"
)

// A candidate's side of a coordinated election: LeaseCandidate of k8s.io/client-go, tools/leaderelection/leasecandidate.go.
// It creates its object, and renews it when it is pinged and every five minutes.

// renewal is how long after a success a LeaseCandidate is renewed unasked.
const renewal = 5 * time.Minute

// The delays of its retries: the first, doubled by each failure, and the most. What counts failures is never reset, in
// the library neither.
const (
	firstRetry = 5 * time.Millisecond
	lastRetry  = 1000 * time.Second
)

// nominate creates or renews the candidate's LeaseCandidate, as ensureLease of the library does.
func (w *world) nominate(n *node) {
	c, verb := service.Candidacy{}, machine.Create
	if cache := n.ballot.cache; len(cache) > 0 {
		c, verb = cache[0], machine.Update
	} else {
		c.Candidate = candidacyOf(n.plan, n.identity)
	}
	c.Renew = n.clock.Now(w.Now).Wall
	w.mail(n, post{verb: verb, object: c})
	w.waitAtMost(n, n.plan.RequestTimeout)
}

// nominated takes in the answer to a create or renewal of the LeaseCandidate, if it is still waited for.
func (w *world) nominated(n *node, p *post) {
	if !n.ballot.work.busy || p.id != n.ballot.sent {
		return
	}
	n.ballot.patience = 0
	w.settle(n, p.status == service.StatusOK)
}

// settle ends a try to create or renew the LeaseCandidate, and schedules the next one: after five minutes or, where it failed, after retryAfter.
func (w *world) settle(n *node, succeeded bool) {
	q := &n.ballot.work
	if succeeded {
		w.addAfter(n, renewal)
	} else {
		w.addAfter(n, retryAfter(q.failures))
		q.failures++
	}
	w.done(n)
}

// retryAfter returns how long to wait after a failure, given how many came before it.
func retryAfter(failures int) time.Duration {
	if failures >= 18 { // 5 ms doubled 18 times is more than 1000 s
		return lastRetry
	}
	return firstRetry << failures
}

// candidacyOf returns what the candidate says of itself in its LeaseCandidate.
func candidacyOf(c *plan.Candidate, name string) coordinator.Candidate {
	emulation, _ := coordinator.ParseVersion(c.Emulation())
	binary, _ := coordinator.ParseVersion(c.BinaryVersion)
	strategy := c.Strategy
	if strategy == "" {
		strategy = coordinator.OldestEmulationVersion
	}
	return coordinator.Candidate{
		Name: name, Emulation: emulation, Binary: binary, Strategy: strategy,
		Ping: machine.NoTime, Renew: machine.NoTime,
	}
}
