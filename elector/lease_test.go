package elector_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"

	"interregnum/elector"
	"interregnum/simlock/fakekube"
)

// farLock is client-go's own lock, a millisecond away from the server.
type farLock struct{ rl.LeaseLock }

func newFarLock(client clientset.Interface, id string) *farLock {
	return &farLock{rl.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: "default", Name: "lock"},
		Client:     client.CoordinationV1(),
		LockConfig: rl.ResourceLockConfig{Identity: id},
	}}
}

func (l *farLock) Get(ctx context.Context) (*rl.LeaderElectionRecord, []byte, error) {
	time.Sleep(time.Millisecond)
	return l.LeaseLock.Get(ctx)
}

func (l *farLock) Update(ctx context.Context, r rl.LeaderElectionRecord) error {
	time.Sleep(time.Millisecond)
	return l.LeaseLock.Update(ctx, r)
}

// member is a candidate that runs in a bubble.
type member struct {
	le     *elector.LeaderElector
	cancel context.CancelFunc
	begin  time.Time
	over   chan struct{}

	mu sync.Mutex
	// starts are the times at which it started to lead.
	starts []time.Duration
}

func join(t *testing.T, client clientset.Interface, id string, edit func(*elector.LeaderElectionConfig)) *member {
	metric.set(nil)
	m := &member{begin: time.Now(), over: make(chan struct{})}
	c := valid()
	c.Lock = newFarLock(client, id)
	c.Jitter = func() float64 { return 0 }
	c.Callbacks.OnStartedLeading = func(context.Context) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.starts = append(m.starts, time.Since(m.begin))
	}
	if edit != nil {
		edit(&c)
	}
	var err error
	m.le, err = elector.NewLeaderElector(c)
	require.NoError(t, err)
	var ctx context.Context
	ctx, m.cancel = context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	go func() {
		defer close(m.over)
		m.le.Run(ctx)
	}()
	return m
}

func (m *member) led() []time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.starts)
}

func (m *member) leave() {
	m.cancel()
	<-m.over
}

func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestTakeover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var server fakekube.Server
		a := join(t, server.Clientset(), "a", nil)
		after(time.Second)
		b := join(t, server.Clientset(), "b", nil)
		after(20 * time.Second)
		assert.Equal(t, []time.Duration{time.Millisecond}, a.led())
		assert.Equal(t, "a", b.le.GetLeader())
		assert.Empty(t, b.led())

		a.leave() // without giving the lease up: 15 s to wait
		gone := time.Since(b.begin)
		after(13 * time.Second)
		assert.Empty(t, b.led())
		after(5 * time.Second)
		require.Len(t, b.led(), 1)
		assert.Greater(t, b.led()[0], gone+12*time.Second)
		assert.Equal(t, "b", b.le.GetLeader())
		b.leave()
	})
}

func TestTakeoverAfterRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var server fakekube.Server
		release := func(c *elector.LeaderElectionConfig) { c.ReleaseOnCancel = true }
		a := join(t, server.Clientset(), "a", release)
		after(time.Second)
		b := join(t, server.Clientset(), "b", release)
		after(20 * time.Second)
		a.leave()
		assert.Empty(t, a.le.GetLeader())
		after(3 * time.Second)
		assert.Len(t, b.led(), 1)
		b.leave()
	})
}

// TestStaleUpdate: somebody has written meanwhile, so that the leader has to read before it can
// renew.
func TestStaleUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var server fakekube.Server
		client := server.Clientset()
		a := join(t, client, "a", nil)
		after(time.Second)
		leases := client.CoordinationV1().Leases("default")
		lease, err := leases.Get(context.Background(), "lock", metav1.GetOptions{})
		require.NoError(t, err)
		lease.Spec.LeaseTransitions = ptr.To(int32(41))
		written, err := leases.Update(context.Background(), lease, metav1.UpdateOptions{})
		require.NoError(t, err)
		client.ClearActions()
		after(2 * time.Second)
		var verbs []string
		for _, action := range client.Actions() {
			verbs = append(verbs, action.GetVerb())
		}
		assert.Equal(t, []string{"update", "get", "update"}, verbs)
		lease, err = leases.Get(context.Background(), "lock", metav1.GetOptions{})
		require.NoError(t, err)
		assert.Equal(t, ptr.To(int32(41)), lease.Spec.LeaseTransitions)
		assert.Greater(t, lease.ResourceVersion, written.ResourceVersion)
		assert.Len(t, a.led(), 1)
		a.leave()
	})
}

// TestOneOfTwo has two candidates find the same expired lease at the same time. On the stock fake
// both win.
func TestOneOfTwo(t *testing.T) {
	old := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "lock"},
		Spec: coordinationv1.LeaseSpec{HolderIdentity: ptr.To(""), LeaseDurationSeconds: ptr.To(int32(1)),
			LeaseTransitions: ptr.To(int32(1))},
	}
	leaders := func(t *testing.T, clients ...clientset.Interface) (n int) {
		_, err := clients[0].CoordinationV1().Leases("default").Create(
			context.Background(), old, metav1.CreateOptions{})
		require.NoError(t, err)
		a, b := join(t, clients[0], "a", nil), join(t, clients[1], "b", nil)
		after(time.Second)
		n = len(a.led()) + len(b.led())
		a.leave()
		b.leave()
		return n
	}
	synctest.Test(t, func(t *testing.T) {
		var server fakekube.Server
		assert.Equal(t, 1, leaders(t, server.Clientset(), server.Clientset()))
		stock := fake.NewSimpleClientset()
		assert.Equal(t, 2, leaders(t, stock, stock), "the stock fake takes stale updates")
	})
}
