package electiontest

import (
	"context"

	"k8s.io/client-go/rest"

	"interregnum/electiontest/internal/managed"
	"interregnum/elector/machine"
	"interregnum/plan"
)

// Manager makes manager.Options of controller-runtime, which options points to, fit for the run, and returns the rest.Config for
// NewManager:
//
//	config := c.Manager(ctx, &options)
//	m, err := ctrl.NewManager(config, options)
//
// The context is that of the candidate's function. These fields are set:
//
//   - BaseContext, so that Guard knows whose the runnables are. A base context of the options' own keeps its values.
//   - LeaderElectionID and LeaderElectionNamespace to the scenario's lock; LeaderElectionConfig, where there is one, to the
//     candidate's. Where the scenario's lock is no Lease, LeaderElectionResourceLockInterface to Candidate.Lock.
//   - LeaseDuration, RenewDeadline and RetryPeriod to the scenario's, where the options leave them nil.
//   - The addresses of metrics, probes and pprof to 0, which is off: a run cannot listen.
//   - Controller.SkipNameValidation, since several managers are in one process; and Logger, where there is none, to a silent one.
//
// All else is the program's own, LeaderElectionReleaseOnCancel too. Options that elect nobody fail the test, and so does a value
// that is no pointer to such options; any version of controller-runtime from v0.20 on has them.
func (c *Candidate) Manager(ctx context.Context, options any) *rest.Config {
	s := &c.Settings
	as := &managed.Candidacy{
		Timings: machine.Timings{LeaseDuration: s.LeaseDuration, RenewDeadline: s.RenewDeadline, RetryPeriod: s.RetryPeriod},
		Key:     c.LockKey, Config: c.RESTConfig,
		Base: func(own func() context.Context) context.Context {
			if own == nil {
				return context.WithoutCancel(ctx)
			}
			return c.part.Context(own())
		},
	}
	if s.Lock != plan.Lease {
		as.Lock = c.Lock
	}
	if err := managed.Fit(options, as); err != nil {
		c.part.Fail("Candidate.Manager of candidate %s: %v", c.ID, err)
	}
	return c.RESTConfig()
}
