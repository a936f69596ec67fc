package fakekube

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

// quiet is a context whose logger says nothing.
func quiet() context.Context { return klog.NewContext(context.Background(), logr.Discard()) }

// candidate runs client-go's elector, unmodified, until it is cancelled.
type candidate struct {
	cancel  context.CancelFunc
	over    chan struct{}
	leading atomic.Bool
}

func join(t *testing.T, client clientset.Interface, id string) *candidate {
	ctx, cancel := context.WithCancel(quiet())
	c := &candidate{cancel: cancel, over: make(chan struct{})}
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, "default", "lock",
		client.CoreV1(), client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: id})
	require.NoError(t, err)
	le, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { c.leading.Store(true) },
			OnStoppedLeading: func() { c.leading.Store(false) },
		},
	})
	require.NoError(t, err)
	go func() { defer close(c.over); le.Run(ctx) }()
	return c
}

func (c *candidate) leave() {
	c.cancel()
	<-c.over
}

func leading(candidates ...*candidate) (n int) {
	for _, c := range candidates {
		if c.leading.Load() {
			n++
		}
	}
	return n
}

// TestElection has three candidates, whose leader is cut off: an other one takes over. In both sorts of client.
func TestElection(t *testing.T) {
	for name, client := range map[string]func(*Server, string) clientset.Interface{
		"fake": func(s *Server, user string) clientset.Interface { return s.ClientsetFor(user) },
		"real": func(s *Server, user string) clientset.Interface {
			return clientset.NewForConfigOrDie(s.ConfigFor(user))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s Server
				s.Inject(Fault{Request: time.Millisecond, Response: time.Millisecond})
				var all []*candidate
				for _, id := range []string{"a", "b", "c"} {
					all = append(all, join(t, client(&s, id), id))
					time.Sleep(300 * time.Millisecond)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				require.True(t, all[0].leading.Load())
				assert.Equal(t, 1, leading(all...))

				s.Inject(Fault{User: "a", LoseRequest: true})
				for range 40 {
					time.Sleep(500 * time.Millisecond)
					synctest.Wait()
					assert.LessOrEqual(t, leading(all...), 1)
				}
				assert.False(t, all[0].leading.Load())
				assert.Equal(t, 1, leading(all...))
				for _, c := range all {
					c.leave()
				}
				// What was lost is waited for no longer.
				lease, err := s.Clientset().CoordinationV1().Leases("default").Get(ctx, "lock", getting)
				require.NoError(t, err)
				assert.Equal(t, int32(1), *lease.Spec.LeaseTransitions)
			})
		})
	}
}

// TestLeaseCandidate: client-go's own announces itself and answers a ping, in the API version that it knows.
func TestLeaseCandidate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Server
		c := s.ClientsetFor("a")
		ctx, cancel := context.WithCancel(quiet())
		lc, waiter, err := leaderelection.NewCandidate(c, "default", "candidate", "lock", "1.36.0", "1.36.0",
			coordinationv1.OldestEmulationVersion)
		require.NoError(t, err)
		over := make(chan struct{})
		go func() { defer close(over); lc.Run(ctx) }()
		waiter.WaitForCacheSync(ctx.Done())
		time.Sleep(time.Second)
		candidates := c.CoordinationV1beta1().LeaseCandidates("default")
		announced, err := candidates.Get(ctx, "candidate", getting)
		require.NoError(t, err)
		assert.Equal(t, "lock", announced.Spec.LeaseName)

		time.Sleep(time.Minute)
		ping := metav1.NewMicroTime(time.Now())
		announced.Spec.PingTime = &ping
		_, err = candidates.Update(ctx, announced, updating)
		require.NoError(t, err)
		time.Sleep(time.Second)
		synctest.Wait()
		answered, err := candidates.Get(ctx, "candidate", getting)
		require.NoError(t, err)
		assert.False(t, answered.Spec.RenewTime.Before(&ping), "the ping was seen")
		cancel()
		<-over
	})
}
