package elector_test

import (
	"context"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/klog/v2"

	"interregnum/elector"
)

func TestProfileNames(t *testing.T) {
	metric.set(nil)
	c := valid()
	for _, p := range []elector.Profile{"", elector.Strict, elector.ClientGo} {
		c.Profile = p
		assert.Equal(t, "<nil>", ourError(c))
	}
	c.Profile = "Strict"
	assert.Equal(t, `unknown profile "Strict": expected "strict" or "client-go"`, ourError(c))
}

// TestStrictValidation names everything that is wrong.
func TestStrictValidation(t *testing.T) {
	metric.set(nil)
	c := elector.LeaderElectionConfig{
		LeaseDuration: 10 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 9 * time.Second,
		Lock: named{}, Coordinated: true,
	}
	assert.Equal(t, "leaseDuration must be greater than renewDeadline, is 10s, not more than 10s\n"+
		"renewDeadline must be greater than retryPeriod*JitterFactor, is 10s, not more than 9s*1.2\n"+
		"OnStartedLeading callback must not be nil\n"+
		"OnStoppedLeading callback must not be nil\n"+
		"Lock identity is empty\n"+
		`coordinated election is offered with profile "client-go" only: Coordinated must be false`, ourError(c))
}

// TestNarrowWindow is told of, and not refused.
func TestNarrowWindow(t *testing.T) {
	metric.set(nil)
	for _, c := range []struct {
		profile elector.Profile
		window  time.Duration
		warned  bool
	}{
		{"", time.Second, false}, {"", time.Second - 1, true}, {elector.Strict, 1, true}, {elector.ClientGo, 1, false},
	} {
		var logged string
		logger := funcr.New(func(_, args string) { logged += args }, funcr.Options{})
		ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logger))
		cancel()
		config := valid()
		config.Profile, config.Lock = c.profile, &gateLock{}
		config.LeaseDuration = config.RenewDeadline + c.window
		le, err := elector.NewLeaderElector(config)
		require.NoError(t, err)
		le.Run(ctx)
		if c.warned {
			assert.Contains(t, logged, "less than 1s")
		} else {
			assert.NotContains(t, logged, "Warning")
		}
	}
}
