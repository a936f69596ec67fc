package elector_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	coordinationv1client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
	"pgregory.net/rapid"

	"interregnum/elector"
)

// named is a lock of which only the identity matters.
type named struct {
	rl.Interface
	id string
}

func (n named) Identity() string { return n.id }

func valid() elector.LeaderElectionConfig {
	return elector.LeaderElectionConfig{
		Profile:       elector.ClientGo,
		Lock:          named{id: "a"},
		LeaseDuration: 15 * time.Second,
		RenewDeadline: 10 * time.Second,
		RetryPeriod:   2 * time.Second,
		Callbacks: elector.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {},
			OnStoppedLeading: func() {},
		},
	}
}

func theirError(c elector.LeaderElectionConfig) string {
	_, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: c.Lock, LeaseDuration: c.LeaseDuration, RenewDeadline: c.RenewDeadline,
		RetryPeriod: c.RetryPeriod, Callbacks: leaderelection.LeaderCallbacks(c.Callbacks),
		ReleaseOnCancel: c.ReleaseOnCancel, Name: c.Name,
	})
	return fmt.Sprint(err)
}

func ourError(c elector.LeaderElectionConfig) string {
	_, err := elector.NewLeaderElector(c)
	return fmt.Sprint(err)
}

func TestValidation(t *testing.T) {
	metric.set(nil)
	cases := map[string]func(*elector.LeaderElectionConfig){
		"valid":             func(*elector.LeaderElectionConfig) {},
		"lease at deadline": func(c *elector.LeaderElectionConfig) { c.LeaseDuration = c.RenewDeadline },
		"deadline at retry": func(c *elector.LeaderElectionConfig) { c.RenewDeadline = 2400 * time.Millisecond },
		"just above":        func(c *elector.LeaderElectionConfig) { c.RenewDeadline = 2400*time.Millisecond + 1 },
		"no retry":          func(c *elector.LeaderElectionConfig) { c.RetryPeriod = 0 },
		"negative":          func(c *elector.LeaderElectionConfig) { c.RenewDeadline, c.RetryPeriod = -1, -2 },
		"all negative": func(c *elector.LeaderElectionConfig) {
			c.LeaseDuration, c.RenewDeadline, c.RetryPeriod = -1, -2, -3
		},
		"no start":    func(c *elector.LeaderElectionConfig) { c.Callbacks.OnStartedLeading = nil },
		"no stop":     func(c *elector.LeaderElectionConfig) { c.Callbacks.OnStoppedLeading = nil },
		"no lock":     func(c *elector.LeaderElectionConfig) { c.Lock = nil },
		"no identity": func(c *elector.LeaderElectionConfig) { c.Lock = named{} },
		"nothing": func(c *elector.LeaderElectionConfig) {
			*c = elector.LeaderElectionConfig{Profile: elector.ClientGo}
		},
	}
	for name, edit := range cases {
		t.Run(name, func(t *testing.T) {
			c := valid()
			edit(&c)
			assert.Equal(t, theirError(c), ourError(c))
		})
	}
}

func TestValidationOfAnything(t *testing.T) {
	metric.set(nil)
	rapid.Check(t, func(t *rapid.T) {
		c := valid()
		near := rapid.OneOf(
			rapid.SampledFrom([]time.Duration{-1, 0, 1, 2, time.Second, 1200 * time.Millisecond}),
			rapid.Map(rapid.Int64(), func(n int64) time.Duration { return time.Duration(n) }),
		)
		c.RetryPeriod = near.Draw(t, "retry")
		beside := rapid.SampledFrom([]time.Duration{-1, 0, 1, time.Second})
		c.RenewDeadline = time.Duration(elector.JitterFactor*float64(c.RetryPeriod)) + beside.Draw(t, "renew")
		c.LeaseDuration = c.RenewDeadline + beside.Draw(t, "lease")
		switch rapid.IntRange(0, 5).Draw(t, "missing") {
		case 0:
			c.Callbacks.OnStartedLeading = nil
		case 1:
			c.Callbacks.OnStoppedLeading = nil
		case 2:
			c.Lock = nil
		case 3:
			c.Lock = named{}
		}
		assert.Equal(t, theirError(c), ourError(c))
	})
}

func TestCoordinatedWithStrictIsRefused(t *testing.T) {
	metric.set(nil)
	c := valid()
	c.Coordinated = true
	assert.Equal(t, "<nil>", ourError(c))
	c.Profile = elector.Strict
	assert.Equal(t, `coordinated election is offered with profile "client-go" only: Coordinated must be false`,
		ourError(c))
}

// TestLeaseLocks: a LeaseLock that can send no request is refused, and a nil one is no lock.
func TestLeaseLocks(t *testing.T) {
	metric.set(nil)
	refused := func(lock *rl.LeaseLock) string {
		c := valid()
		c.Profile, c.Lock = elector.Strict, lock
		return ourError(c)
	}
	lock := func(name string, client coordinationv1client.LeasesGetter) *rl.LeaseLock {
		return &rl.LeaseLock{
			LeaseMeta: metav1.ObjectMeta{Namespace: "n", Name: name}, Client: client, LockConfig: rl.ResourceLockConfig{Identity: "a"},
		}
	}
	client := fake.NewClientset().CoordinationV1()
	assert.Equal(t, "<nil>", refused(lock("x", client)))
	assert.Equal(t, "Lock must not be nil.", refused(nil))
	assert.Contains(t, refused(lock("", client)), `the lock: want LeaseMeta.Name to be the name of a Lease, got ""`)
	assert.Contains(t, refused(lock("A_b", client)), `got "A_b"`)
	assert.Equal(t, "the lock: want Client to be that of coordination/v1, got nil", refused(lock("x", nil)))
	c := valid()
	c.Lock = (*rl.LeaseLock)(nil)
	assert.Equal(t, "Lock must not be nil.", ourError(c))
}

func TestRunOrDieDies(t *testing.T) {
	metric.set(nil)
	require.PanicsWithError(t, "Lock must not be nil.", func() {
		c := valid()
		c.Lock = nil
		elector.RunOrDie(context.Background(), c)
	})
}

// TestRunOrDie runs on a context that is over: the lock is not called.
func TestRunOrDie(t *testing.T) {
	metric.set(nil)
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	cancel()
	stopped := false
	c := valid()
	c.Lock = &gateLock{}
	c.WatchDog = elector.NewLeaderHealthzAdaptor(time.Second)
	c.Callbacks.OnStoppedLeading = func() { stopped = true }
	elector.RunOrDie(ctx, c)
	assert.True(t, stopped)
	assert.NoError(t, c.WatchDog.Check(nil))
}
