package rest

import (
	"context"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	typed "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/utils/clock"

	"interregnum/elector"
	"interregnum/elector/machine"
	"interregnum/internal/few"
)

// TestStrict compares the elector of this module, with the library's client, in the plans of TestPinned. Its calls have contexts
// with a deadline of their own, by which the limiter refuses requests.
func TestStrict(t *testing.T) { compareSeeds(t, 1, few.Of(*pinned), machine.Strict) }

// TestFreshStrict does so in the first fifth of the fresh plans.
func TestFreshStrict(t *testing.T) { compareSeeds(t, *first, *fresh/5, machine.Strict) }

// newStrict returns the elector of this module. It takes a LeaseLock apart, so that its calls are observed below that.
func (p *process) newStrict() *elector.LeaderElector {
	e, err := elector.NewLeaderElector(elector.LeaderElectionConfig{
		Lock:            p.leaseLock(&getter{p}),
		LeaseDuration:   p.plan.LeaseDuration,
		RenewDeadline:   p.plan.RenewDeadline,
		RetryPeriod:     p.plan.RetryPeriod,
		ReleaseOnCancel: p.plan.ReleaseOnCancel,
		Callbacks: elector.LeaderCallbacks{
			OnStartedLeading: p.lead, OnStoppedLeading: p.stopped, OnNewLeader: p.report,
		},
		Clock:  virtual{},
		Jitter: func() float64 { return *p.plan.Jitter },
	})
	if err != nil {
		panic(err)
	}
	return e
}

// virtual is the clock of the bubble, and not that of the host, which may have slept.
type virtual struct{ clock.RealClock }

// getter is a process's client of Leases.
type getter struct{ process *process }

// Leases returns the client of a namespace.
func (g *getter) Leases(namespace string) typed.LeaseInterface {
	return &leases{g.process.clients.CoordinationV1().Leases(namespace), g.process}
}

// leases notes which calls end without a request.
type leases struct {
	typed.LeaseInterface
	process *process
}

// Get reads a Lease.
func (l *leases) Get(ctx context.Context, name string, o metav1.GetOptions) (*coordinationv1.Lease, error) {
	l.process.beginCall()
	lease, err := l.LeaseInterface.Get(ctx, name, o)
	l.process.endCall("get", err)
	return lease, err
}

// Create makes a Lease.
func (l *leases) Create(ctx context.Context, in *coordinationv1.Lease, o metav1.CreateOptions) (*coordinationv1.Lease, error) {
	l.process.beginCall()
	lease, err := l.LeaseInterface.Create(ctx, in, o)
	l.process.endCall("create", err)
	return lease, err
}

// Update writes a Lease.
func (l *leases) Update(ctx context.Context, in *coordinationv1.Lease, o metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	l.process.beginCall()
	lease, err := l.LeaseInterface.Update(ctx, in, o)
	l.process.endCall("update", err)
	return lease, err
}
