package kubelock_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/leaderelection"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"interregnum/elector"
	"interregnum/elector/kubelock"
	"interregnum/simlock/fakekube"
)

// kinds are all of them.
var kinds = []string{
	kubelock.LeasesResourceLock, kubelock.EndpointsResourceLock, kubelock.ConfigMapsResourceLock,
	kubelock.EndpointsLeasesResourceLock, kubelock.ConfigMapsLeasesResourceLock,
}

// The candidates that share a lock: the profiles of package elector, and the library's own.
var electors = []string{"strict", "client-go", "library"}

// cluster is an API server, and what the candidates' work is done on.
type cluster struct {
	t      *testing.T
	server fakekube.Server
	ctx    context.Context

	mu sync.Mutex
	// working is who works now; most is how many at once that were at most.
	working map[string]bool
	most    int
	terms   []term
}

type term struct {
	id    string
	token uint64
}

func newCluster(t *testing.T) *cluster {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	t.Cleanup(cancel)
	return &cluster{t: t, ctx: ctx, working: map[string]bool{}}
}

func (c *cluster) lock(kind, id string) rl.Interface {
	client := c.server.ClientsetFor(id)
	lock, err := kubelock.New(kind, "default", "lock", client.CoreV1(), client.CoordinationV1(),
		rl.ResourceLockConfig{Identity: id})
	require.NoError(c.t, err)
	return lock
}

// join has a candidate take part until the function returned is called, which waits for its end.
func (c *cluster) join(kind, by, id string, release bool) (leave func()) {
	config := elector.LeaderElectionConfig{
		Lock: c.lock(kind, id), LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		ReleaseOnCancel: release, Name: id,
		Callbacks: elector.LeaderCallbacks{OnStartedLeading: c.work(id), OnStoppedLeading: func() {}},
	}
	var run interface{ Run(context.Context) }
	var err error
	if by == "library" {
		run, err = leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: config.Lock, LeaseDuration: config.LeaseDuration, RenewDeadline: config.RenewDeadline,
			RetryPeriod: config.RetryPeriod, Callbacks: leaderelection.LeaderCallbacks(config.Callbacks),
			ReleaseOnCancel: release, Name: id,
		})
	} else {
		config.Profile = elector.Profile(by)
		run, err = elector.NewLeaderElector(config)
	}
	require.NoError(c.t, err)
	ctx, cancel := context.WithCancel(c.ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		run.Run(ctx)
	}()
	return func() {
		cancel()
		<-over
		synctest.Wait()
	}
}

func (c *cluster) work(id string) func(context.Context) {
	return func(ctx context.Context) {
		token, _ := elector.FencingToken(ctx)
		c.mu.Lock()
		c.working[id] = true
		c.most = max(c.most, len(c.working))
		c.terms = append(c.terms, term{id, token})
		c.mu.Unlock()
		<-ctx.Done()
		c.mu.Lock()
		delete(c.working, id)
		c.mu.Unlock()
	}
}

// ids are who has led, in order.
func (c *cluster) ids() (ids []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.terms {
		ids = append(ids, t.id)
	}
	return ids
}

// tokensGrow looks at the terms of those who have tokens: the library's have none.
func (c *cluster) tokensGrow() {
	last := uint64(0)
	for _, t := range c.terms {
		if t.id == "library" {
			continue
		}
		assert.Greater(c.t, t.token, last, "%v", c.terms)
		last = t.token
	}
}

func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// TestTurns: on a lock of each kind strict, client-go and the library lead in turn, never two at once.
func TestTurns(t *testing.T) {
	for _, kind := range kinds {
		for _, release := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t)
				leave := c.join(kind, electors[0], electors[0], release)
				after(time.Second)
				want := []string{electors[0]}
				for turn := 1; turn < 7; turn++ {
					id := electors[turn%len(electors)]
					next := c.join(kind, id, id, release)
					after(30 * time.Second)
					require.Equal(t, want, c.ids(), "%s: others wait while the leader renews", kind)
					leave()
					after(30 * time.Second)
					leave, want = next, append(want, id)
					require.Equal(t, want, c.ids(), kind)
				}
				leave()
				assert.Equal(t, 1, c.most)
				c.tokensGrow()
			})
		}
	}
}

// TestMigration: replicas move from one kind to the next one by one, over both objects to the Lease.
func TestMigration(t *testing.T) {
	for _, by := range electors {
		for _, old := range []string{kubelock.EndpointsResourceLock, kubelock.ConfigMapsResourceLock} {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t)
				leave := map[string]func(){}
				for _, kind := range []string{old, old + "leases", kubelock.LeasesResourceLock} {
					for _, id := range []string{"x", "y", "z"} {
						if leave[id] != nil {
							leave[id]()
						}
						leave[id] = c.join(kind, by, id, false)
						after(time.Minute)
					}
				}
				for _, id := range []string{"x", "y", "z"} {
					leave[id]()
				}
				assert.Equal(t, 1, c.most, "%s %s", by, old)
				assert.GreaterOrEqual(t, len(c.terms), 3, "whoever leads leaves once in each step")
				if by != "library" {
					c.tokensGrow()
				}
			})
		}
	}
}

// TestMigrationInOneStep is what must not be done: hazard H11.
func TestMigrationInOneStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		old := c.join(kubelock.EndpointsResourceLock, "strict", "old", false)
		after(time.Minute)
		fresh := c.join(kubelock.LeasesResourceLock, "strict", "new", false)
		after(time.Minute)
		assert.Equal(t, 2, c.most)
		old()
		fresh()
	})
}

// TestSecondaryIsObserved: a leader that renews the Lease alone is seen by those who watch both objects, although the
// primary does not change.
func TestSecondaryIsObserved(t *testing.T) {
	for _, by := range electors {
		synctest.Test(t, func(t *testing.T) {
			c := newCluster(t)
			both := c.join(kubelock.EndpointsLeasesResourceLock, by, "both", false)
			after(time.Minute)
			lease := c.join(kubelock.LeasesResourceLock, by, "lease", false)
			both()
			after(time.Minute)
			require.Equal(t, []string{"both", "lease"}, c.ids())
			both = c.join(kubelock.EndpointsLeasesResourceLock, by, "back", false)
			after(5 * time.Minute)
			assert.Equal(t, []string{"both", "lease"}, c.ids(), by)
			both()
			lease()
		})
	}
}

// TestStrictRenewsWithinASecond: an annotation has whole seconds, and a renewal that carries the second of the one before
// is an update that changes nothing, which followers cannot see.
func TestStrictRenewsWithinASecond(t *testing.T) {
	for _, kind := range kinds {
		synctest.Test(t, func(t *testing.T) {
			c := newCluster(t)
			lock := c.lock(kind, "a")
			e, err := elector.NewLeaderElector(elector.LeaderElectionConfig{
				Lock: lock, LeaseDuration: 2 * time.Second, RenewDeadline: 1500 * time.Millisecond,
				RetryPeriod: 100 * time.Millisecond, Name: "a",
				Callbacks: elector.LeaderCallbacks{OnStartedLeading: c.work("a"), OnStoppedLeading: func() {}},
			})
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(c.ctx)
			defer cancel()
			go e.Run(ctx)
			seen, changes := []byte(nil), 0
			for range 20 {
				time.Sleep(100*time.Millisecond + 1)
				_, raw, err := c.lock(kind, "b").Get(c.ctx)
				require.NoError(t, err)
				if string(raw) != string(seen) {
					seen, changes = raw, changes+1
				}
			}
			if kind == kubelock.LeasesResourceLock {
				return // its raw record has whole seconds, and strict looks at the exact one
			}
			assert.GreaterOrEqual(t, changes, 19, kind)
		})
	}
}
