package elector_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"interregnum/elector"
)

// TestCheckOfAnyTolerance: whoever tolerates everything, and gives the longest time that there is, is not told that anything is wrong.
func TestCheckOfAnyTolerance(t *testing.T) {
	onStrictBench(t, releasing, func(b *strictBench) {
		b.lead()
		assert.NoError(t, b.le.Check(math.MaxInt64), "it leads")
		b.step(2 * time.Second)
		c := b.expect("update")
		assert.NoError(t, b.le.Check(math.MaxInt64), "it renews")
		b.cancel()
		b.answer(c, fine)
		b.step(time.Hour)
		assert.NoError(t, b.le.Check(math.MaxInt64), "the work does not return")
		b.finishWork()
		require.True(t, b.ended())
	})
}

// TestCheckOverManyRuns: work that has outlived its term fails Check, however many Runs wait for it since, each for a short time.
func TestCheckOverManyRuns(t *testing.T) {
	onStrictBench(t, nil, func(b *strictBench) {
		b.lead()
		b.cancel()
		b.quiet()
		b.step(15 * time.Second)
		b.endedInOrder("stopped")
		for range 5 {
			assert.NoError(t, b.le.Check(20*time.Second))
			ctx, cancel := context.WithCancel(b.base)
			over := make(chan struct{})
			go func() { defer close(over); b.le.Run(ctx) }()
			b.step(5 * time.Second)
			cancel()
			<-over
		}
		assert.Error(t, b.le.Check(20*time.Second))
		b.finishWork()
		assert.NoError(t, b.le.Check(20*time.Second))
	})
}

// TestMostTransitions: a Lease whose number of transitions is as high as it can be is taken all the same, and the number stays. The
// next one would not fit into a Lease.
func TestMostTransitions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		first := c.join(strict, true)
		after(time.Minute)
		first.leave()
		lease := c.lease()
		lease.Spec.LeaseTransitions = ptr.To[int32](math.MaxInt32)
		_, err := c.leases().Update(c.ctx, lease, metav1.UpdateOptions{})
		require.NoError(t, err)
		second := c.join(strict, true)
		after(time.Minute)
		assert.Len(t, c.worked(), 2)
		assert.Equal(t, string(strict), c.holder())
		assert.EqualValues(t, math.MaxInt32, *c.lease().Spec.LeaseTransitions)
		second.leave()
	})
}

// TestUntilRestsAfterNoWork: a term in which no work has begun, since the process stood still until it was over, counts as a short
// one: RunUntil rests before the next.
func TestUntilRestsAfterNoWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t)
		leap := &leapClock{from: 4, leap: 11 * time.Second}
		var told time.Time
		s := c.runUntil("a", func(config *elector.LeaderElectionConfig) {
			config.Lock, config.Clock = &leapLock{config.Lock, leap}, leap
			config.Callbacks.OnStoppedLeading = func() { told = time.Now() }
		}, untilDone)
		time.Sleep(time.Minute)
		worked := c.worked()
		require.Len(t, worked, 1)
		assert.GreaterOrEqual(t, c.begin.Add(worked[0].at).Sub(told), s.config.RetryPeriod)
		require.NoError(t, s.leave())
	})
}
