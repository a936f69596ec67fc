package elector_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"

	"interregnum/elector"
	"interregnum/simlock/fakekube"
)

// cluster is a lock service a millisecond away, and the guarded resource, in a bubble.
type cluster struct {
	t      *testing.T
	server fakekube.Server
	begin  time.Time
	ctx    context.Context

	mu sync.Mutex
	// working is who works; entries are those who began to, in order.
	working []string
	entries []entry
}

// entry is the beginning of one term's work.
type entry struct {
	id    string
	at    time.Duration
	token uint64
}

func newCluster(t *testing.T) *cluster {
	metric.set(nil)
	return &cluster{
		t: t, begin: time.Now(), ctx: klog.NewContext(context.Background(), logr.Discard()),
	}
}

func (c *cluster) leases() coordinationv1client.LeaseInterface {
	return c.server.Clientset().CoordinationV1().Leases("default")
}

func (c *cluster) lease() *coordinationv1.Lease {
	lease, err := c.leases().Get(c.ctx, "lock", metav1.GetOptions{})
	require.NoError(c.t, err)
	return lease
}

func (c *cluster) holder() string { return ptr.Deref(c.lease().Spec.HolderIdentity, "") }

// steal writes another holder into the lock.
func (c *cluster) steal(holder string) {
	lease := c.lease()
	now := metav1.NowMicro()
	lease.Spec.HolderIdentity, lease.Spec.RenewTime, lease.Spec.AcquireTime = &holder, &now, &now
	_, err := c.leases().Update(c.ctx, lease, metav1.UpdateOptions{})
	require.NoError(c.t, err)
}

// lock is client-go's own.
func (c *cluster) lock(id string) *rl.LeaseLock {
	return &rl.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: "default", Name: "lock"},
		Client:     &far{c.server.Clientset().CoordinationV1()},
		LockConfig: rl.ResourceLockConfig{Identity: id},
	}
}

// config is a strict candidate without callbacks.
func (c *cluster) config(id string) elector.LeaderElectionConfig {
	return elector.LeaderElectionConfig{
		Lock: c.lock(id), LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second,
		RetryPeriod: 2 * time.Second, Jitter: func() float64 { return 0 }, Name: id,
	}
}

// enter is the beginning of work on the guarded resource, on which nobody else may be working.
func (c *cluster) enter(ctx context.Context, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	assert.Empty(c.t, c.working, "%s at %v", id, time.Since(c.begin))
	c.working = append(c.working, id)
	token, _ := elector.FencingToken(ctx)
	c.entries = append(c.entries, entry{id, time.Since(c.begin), token})
}

func (c *cluster) leave(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	assert.Equal(c.t, []string{id}, c.working)
	c.working = nil
}

// work is work that needs drain to end.
func (c *cluster) work(id string, drain time.Duration) func(context.Context) {
	return func(ctx context.Context) {
		c.enter(ctx, id)
		defer c.leave(id)
		<-ctx.Done()
		if drain > 0 {
			time.Sleep(drain)
		}
	}
}

func (c *cluster) worked() []entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]entry(nil), c.entries...)
}

// far is a client with a millisecond to the server, and one back.
type far struct {
	coordinationv1client.LeasesGetter
}

func (f *far) Leases(namespace string) coordinationv1client.LeaseInterface {
	return &farLeases{f.LeasesGetter.Leases(namespace)}
}

type farLeases struct {
	coordinationv1client.LeaseInterface
}

func travel(request func() (*coordinationv1.Lease, error)) (*coordinationv1.Lease, error) {
	time.Sleep(time.Millisecond)
	defer time.Sleep(time.Millisecond)
	return request()
}

func (l *farLeases) Get(ctx context.Context, name string, o metav1.GetOptions) (*coordinationv1.Lease, error) {
	return travel(func() (*coordinationv1.Lease, error) { return l.LeaseInterface.Get(ctx, name, o) })
}

func (l *farLeases) Create(
	ctx context.Context, lease *coordinationv1.Lease, o metav1.CreateOptions,
) (*coordinationv1.Lease, error) {
	return travel(func() (*coordinationv1.Lease, error) { return l.LeaseInterface.Create(ctx, lease, o) })
}

func (l *farLeases) Update(
	ctx context.Context, lease *coordinationv1.Lease, o metav1.UpdateOptions,
) (*coordinationv1.Lease, error) {
	return travel(func() (*coordinationv1.Lease, error) { return l.LeaseInterface.Update(ctx, lease, o) })
}
