package coordinator

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// TestHolderlessLease: a Lease that has no holderIdentity at all, as one that somebody has created by hand, or as the
// controller itself creates for a strategy that is not its own. The controller panics, which ends an API server. The
// simulation has no such Lease: there a holder that is missing is "".
func TestHolderlessLease(t *testing.T) {
	panics := 0
	handlers, crash := utilruntime.PanicHandlers, utilruntime.ReallyCrash
	defer func() { utilruntime.PanicHandlers, utilruntime.ReallyCrash = handlers, crash }()
	utilruntime.PanicHandlers = []func(context.Context, any){func(context.Context, any) { panics++ }}
	utilruntime.ReallyCrash = false
	synctest.Test(t, func(t *testing.T) {
		jitter := 0.5
		jitterRand = func() float64 { return jitter }
		still := plan.Delay{Min: time.Millisecond, Max: time.Millisecond}
		ctx, end := context.WithCancel(context.Background())
		w := &world{start: time.Now(), ctx: ctx, lives: map[string]*life{}, plan: &plan.Plan{
			Horizon: 10 * time.Second, Network: plan.Network{Request: still}, Coordinator: &plan.Coordinator{Request: &still},
			Candidates: []plan.Candidate{{
				ID: "a", Coordinated: true, BinaryVersion: "1.36", Jitter: &jitter, StartAt: time.Second,
				Timings: machine.Timings{
					LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
				},
			}},
		}}
		now := metav1.NewMicroTime(time.Now())
		_, err := w.server.Clientset().CoordinationV1().Leases(namespace).Create(ctx, &coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: lock},
			Spec:       coordinationv1.LeaseSpec{RenewTime: &now},
		}, metav1.CreateOptions{})
		require.NoError(t, err)
		w.run()
		end()
		w.wg.Wait()
		time.Sleep(time.Hour) // what the library has left running ends
	})
	require.NotZero(t, panics)
	t.Logf("%d panics in 10s", panics)
}
