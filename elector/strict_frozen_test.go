package elector_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clocktesting "k8s.io/utils/clock/testing"

	"interregnum/elector"
)

// TestFrozenWhileWaiting: a process wakes up after its deadline, or after its lease, before it was
// to renew again.
func TestFrozenWhileWaiting(t *testing.T) {
	t.Run("past the deadline", func(t *testing.T) {
		onStrictBench(t, releasing, func(b *strictBench) {
			mine := b.lead()
			b.step(12 * time.Second)
			b.quiet()
			b.stopsWork()
			b.finishWork()
			b.answer(b.expect("get"), holding(mine))
			b.answer(b.expect("update"), fine)
			b.endedInOrder("stopped", "returned")
		})
	})
	t.Run("past the lease", func(t *testing.T) {
		onStrictBench(t, releasing, func(b *strictBench) {
			b.lead()
			b.step(time.Minute)
			b.quiet()
			assert.Error(t, b.work.Err())
			b.endedInOrder("stopped")
		})
	})
}

// TestFrozenInFlight: the machine knows that the deadline has passed before its timer is looked at,
// and the request's context ends all the same, as does that of each one after it.
func TestFrozenInFlight(t *testing.T) {
	for _, jump := range []time.Duration{10 * time.Second, time.Minute} {
		onStrictBench(t, nil, func(b *strictBench) {
			b.lead()
			b.step(2 * time.Second)
			c := b.expect("update")
			b.step(jump)
			assert.Equal(t, context.DeadlineExceeded, c.ctx.Err())
			b.stopsWork()
			b.answer(c, gateAnswer{err: c.ctx.Err()})
			c = b.expect("get")
			assert.Equal(t, context.DeadlineExceeded, c.ctx.Err())
			select {
			case <-c.ctx.Done():
			default:
				assert.Fail(t, "not done")
			}
			b.answer(c, gateAnswer{err: c.ctx.Err()})
			b.finishWork()
			b.ended()
			assert.Contains(t, b.order, "stopped")
		})
	}
}

// TestFrozenAndAnswered: the answer was there before the process woke up. It says that the lease
// was renewed, and for how long that was.
func TestFrozenAndAnswered(t *testing.T) {
	onStrictBench(t, nil, func(b *strictBench) {
		b.lead()
		b.step(2 * time.Second)
		c := b.expect("update")
		b.clock.Step(11 * time.Second)
		c.answer <- fine
		b.stopsWork()
		b.quiet()
		b.finishWork()
		b.endedInOrder("stopped", "returned")
	})
}

// TestFrozenAndPanics: crash handlers get a context even where the machine has done away with it.
func TestFrozenAndPanics(t *testing.T) {
	defer func(really bool, handlers []func(context.Context, any)) {
		utilruntime.ReallyCrash, utilruntime.PanicHandlers = really, handlers
	}(utilruntime.ReallyCrash, utilruntime.PanicHandlers)
	var seen []error
	utilruntime.ReallyCrash = false
	utilruntime.PanicHandlers = []func(context.Context, any){
		func(ctx context.Context, _ any) { seen = append(seen, ctx.Err()) },
	}
	onStrictBench(t, nil, func(b *strictBench) {
		b.lead()
		b.step(2 * time.Second)
		c := b.expect("update")
		b.step(time.Minute)
		b.answer(c, gateAnswer{panics: errors.New("planned")})
		b.ended()
		b.endedInOrder("stopped")
	})
	assert.Equal(t, []error{context.DeadlineExceeded}, seen)
}

// leapingClock stands still until a reading that leaps is asked for.
type leapingClock struct {
	*clocktesting.FakeClock
	// leapAt counts down the readings until it leaps; 0 is never.
	leapAt int
}

func (c *leapingClock) Now() time.Time {
	if c.leapAt > 0 {
		if c.leapAt--; c.leapAt == 0 {
			c.Step(11 * time.Second)
		}
	}
	return c.FakeClock.Now()
}

// TestFrozenInside: the process stands still between looking at its timers and telling the machine
// something else, here that the work has returned. The machine finds out by itself, and stops the
// timer before it has fired.
func TestFrozenInside(t *testing.T) {
	clock := &leapingClock{}
	onStrictBench(t, func(c *elector.LeaderElectionConfig) {
		clock.FakeClock = c.Clock.(*clocktesting.FakeClock)
		c.Clock = clock
	}, func(b *strictBench) {
		b.lead()
		b.step(2 * time.Second)
		c := b.expect("update")
		assert.NoError(t, c.ctx.Err())
		clock.leapAt = 2
		b.finishWork()
		assert.Error(t, b.work.Err())
		assert.False(t, b.le.IsLeader())
		assert.Equal(t, context.DeadlineExceeded, c.ctx.Err())
		b.answer(c, gateAnswer{err: c.ctx.Err()})
		c = b.expect("get")
		assert.Equal(t, context.DeadlineExceeded, c.ctx.Err())
		b.answer(c, gateAnswer{err: c.ctx.Err()})
		b.endedInOrder("returned", "stopped")
	})
}
