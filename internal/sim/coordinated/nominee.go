package coordinated

import (
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/coordinator"
	"interregnum/internal/sim/service"
	"interregnum/plan"
)

// nominee is a candidate's side of a coordinated election: LeaseCandidate of k8s.io/client-go,
// tools/leaderelection/leasecandidate.go. It creates its object, and renews it when it is pinged and every five minutes.
type nominee struct{ *member }

// renewal is how long after a success a LeaseCandidate is renewed without a ping.
const renewal = 5 * time.Minute

// A try that failed is repeated after firstRetry, doubled by each earlier failure, and at most after lastRetry. The
// count of failures is never reset, as in the library.
const (
	firstRetry = 5 * time.Millisecond
	lastRetry  = 1000 * time.Second
)

// begins returns true: a candidate always has its own LeaseCandidate to create or renew.
func (n nominee) begins() bool { return true }

// wants tells whether c was in the cache before and has a ping that is yet to be answered.
func (n nominee) wants(c *service.Candidacy, changed bool) bool { return changed && c.Ignored() }

// period returns how often the cached objects are handed out once more: every five minutes.
func (n nominee) period() time.Duration { return 5 * time.Minute }

// work sends a request that creates the candidate's LeaseCandidate if none is cached, and otherwise renews it, with the time of
// the candidate's wall clock (ensureLease of the library). It waits for the answer at most RequestTimeout, without end if that is
// 0.
func (n nominee) work() {
	c, verb := service.Candidacy{}, machine.Create
	if len(n.cache) > 0 {
		c, verb = n.cache[0], machine.Update
	} else {
		c.Candidate = candidacyOf(n.Plan, n.Identity)
	}
	c.Renew = n.Clock.Now(n.Now).Wall
	n.mail(post{verb: verb, object: c})
	n.waitAtMost(n.Plan.RequestTimeout)
}

// answered ends the try to create or renew the LeaseCandidate, with the answer p, if that answer is still waited for.
func (n nominee) answered(p *post) {
	if !n.key.busy || p.id != n.sent {
		return
	}
	n.patience = 0
	n.settle(p.status == service.StatusOK)
}

// gaveUp ends a try to create or renew the LeaseCandidate as failed.
func (n nominee) gaveUp() { n.settle(false) }

// settle ends a try to create or renew the LeaseCandidate, and schedules the next one: after five minutes or, if it
// failed, after a time that grows with each failure.
func (n nominee) settle(succeeded bool) {
	if succeeded {
		n.addAfter(renewal)
	} else {
		n.addAfter(retryAfter(n.key.failures))
		n.key.failures++
	}
	n.done()
}

// retryAfter returns how long to wait after a failed try, given how many failed before it: firstRetry doubled once for each of
// them, at most lastRetry.
func retryAfter(failures int) time.Duration {
	if failures >= 18 { // 5 ms doubled 18 times is more than 1000 s
		return lastRetry
	}
	return firstRetry << failures
}

// candidacyOf returns the LeaseCandidate of c, under the given name and without times. The strategy is
// coordinator.OldestEmulationVersion if c gives none.
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
