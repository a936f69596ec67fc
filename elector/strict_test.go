package elector_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"

	"interregnum/elector"
)

// TestStrictLateAnswer: a renewal counts from when it was sent, however late its answer is.
func TestStrictLateAnswer(t *testing.T) {
	onStrictBench(t, nil, func(b *strictBench) {
		b.lead()
		b.step(2 * time.Second)
		c := b.expect("update")
		deadline, _ := c.ctx.Deadline()
		assert.Equal(t, b.begin.Add(10*time.Second), deadline, "of the renewal before")
		b.step(7900 * time.Millisecond)
		b.answer(c, fine)
		c = b.expect("update") // RetryPeriod has long passed
		deadline, _ = c.ctx.Deadline()
		assert.Equal(t, b.begin.Add(12*time.Second), deadline, "not 19.9 s")
		b.step(2100*time.Millisecond - 1)
		b.works()
		b.step(1)
		assert.Equal(t, context.DeadlineExceeded, c.ctx.Err())
		b.answer(c, fine) // too late to go on
		b.stopsWork()
		b.finishWork()
		b.endedInOrder("stopped", "returned")
	})
}

// TestStrictDeadline: renewals that fail use the deadline up, and RetryPeriod is not on top of it.
func TestStrictDeadline(t *testing.T) {
	onStrictBench(t, releasing, func(b *strictBench) {
		mine := b.lead()
		b.step(2 * time.Second)
		b.answer(b.expect("update"), broken)
		b.answer(b.expect("get"), broken)
		for range 3 {
			b.step(2 * time.Second)
			b.answer(b.expect("get"), broken) // it may have moved the lock, which is not a LeaseLock
		}
		b.step(2*time.Second - 1)
		b.works()
		b.step(1)
		b.quiet()
		b.stopsWork()
		b.step(4 * time.Second) // the lease lasts until 15 s
		b.quiet()
		b.finishWork()
		b.answer(b.expect("get"), holding(mine))
		c := b.expect("update")
		assert.Empty(t, c.record.HolderIdentity)
		b.answer(c, fine)
		b.endedInOrder("stopped", "returned")
	})
}

// TestStrictRetryStamp: two updates of one attempt are two renewals to those who watch.
func TestStrictRetryStamp(t *testing.T) {
	onStrictBench(t, nil, func(b *strictBench) {
		b.lead()
		b.step(2 * time.Second)
		c := b.expect("update")
		first := c.record
		assert.Equal(t, b.begin.Add(2*time.Second), first.RenewTime.Time)
		b.step(3 * time.Second)
		b.answer(c, broken) // applied, and the answer is lost
		b.answer(b.expect("get"), holding(first))
		c = b.expect("update")
		assert.Equal(t, renewed(first, 3*time.Second), c.record)
		b.answer(c, fine)
		b.works()
		c = b.expect("update") // RetryPeriod after the attempt began has passed
		assert.Equal(t, renewed(first, 3*time.Second+time.Microsecond), c.record, "no two look the same")
		b.answer(c, fine)
		b.cancel()
		b.finishWork()
		b.endedInOrder("returned", "stopped")
	})
}

// TestStrictObeys: a leader that reads another holder stops at once, and leaves the lock alone.
func TestStrictObeys(t *testing.T) {
	onStrictBench(t, releasing, func(b *strictBench) {
		b.lead()
		b.step(2 * time.Second)
		b.answer(b.expect("update"), conflict)
		other := held("other", b.begin.Add(time.Second))
		b.answer(b.expect("get"), other)
		assert.Equal(t, 2*time.Second, b.at())
		b.stopsWork()
		b.quiet()
		b.finishWork()
		b.answer(b.expect("get"), other) // and no update
		b.endedInOrder("stopped", "returned")
	})
}

// TestStrictReleasesAfterTheWork: and after OnStoppedLeading.
func TestStrictReleasesAfterTheWork(t *testing.T) {
	onStrictBench(t, releasing, func(b *strictBench) {
		mine := b.lead()
		b.step(time.Second)
		b.cancel()
		b.stopsWork()
		b.step(8 * time.Second)
		b.quiet()
		b.finishWork()
		c := b.expect("get")
		assert.NoError(t, c.ctx.Err(), noContext)
		assert.Equal(t, []string{"returned", "stopped"}, b.order)
		b.answer(c, holding(mine))
		c = b.expect("update")
		assert.Empty(t, c.record.HolderIdentity)
		b.answer(c, fine)
		b.endedInOrder("returned", "stopped")
	})
}

// TestStrictReleasesItsOwn: what has become another's meanwhile is left alone, a namesake's too.
func TestStrictReleasesItsOwn(t *testing.T) {
	for _, by := range []string{"other", me, ""} {
		onStrictBench(t, releasing, func(b *strictBench) {
			b.lead()
			b.cancel()
			b.finishWork()
			b.answer(b.expect("get"), held(by, b.begin.Add(time.Second)))
			b.endedInOrder("returned", "stopped")
		})
	}
}

// TestStrictWorkOutlivesTheLease: nobody waits for ever, but such a lease is not released.
func TestStrictWorkOutlivesTheLease(t *testing.T) {
	onStrictBench(t, releasing, func(b *strictBench) {
		b.lead()
		b.cancel()
		b.step(15*time.Second - 1)
		b.stopsWork()
		assert.NoError(t, b.le.Check(time.Second))
		b.step(1)
		b.quiet()
		b.endedInOrder("stopped")
		assert.NoError(t, b.le.Check(time.Second))
		b.step(time.Second + 1)
		assert.ErrorContains(t, b.le.Check(time.Second), `lease "bench"`)
		b.finishWork()
		assert.NoError(t, b.le.Check(time.Second))
	})
}

// TestStrictRunAgain waits for the work that has outlived its lease.
func TestStrictRunAgain(t *testing.T) {
	onStrictBench(t, nil, func(b *strictBench) {
		b.lead()
		b.cancel()
		b.step(15 * time.Second)
		b.endedInOrder("stopped")
		quiet, cancel := context.WithCancel(b.base)
		over := make(chan struct{})
		go func() { defer close(over); b.le.Run(quiet) }()
		b.quiet()
		b.finishWork()
		b.answer(b.expect("get"), notFound)
		b.quiet() // its own lease has run out: another may have held the lock since, whose lease counts from now on
		cancel()
		<-over
	})
}

// TestStrictEarlyReturn: work that returns while its candidate leads does not end leading.
func TestStrictEarlyReturn(t *testing.T) {
	onStrictBench(t, releasing, func(b *strictBench) {
		mine := b.lead()
		b.finishWork()
		b.works()
		b.step(2 * time.Second)
		c := b.expect("update")
		mine.RenewTime = c.record.RenewTime
		b.answer(c, fine)
		b.works()
		b.cancel()
		b.answer(b.expect("get"), holding(mine)) // at once
		b.answer(b.expect("update"), fine)
		b.endedInOrder("returned", "stopped")
	})
}

// TestStrictNamesake: a process that finds its own name in the lock knows that it is not its own.
func TestStrictNamesake(t *testing.T) {
	onStrictBench(t, nil, func(b *strictBench) {
		seen := held(me, b.begin)
		for range 5 {
			b.answer(b.expect("get"), seen)
			assert.False(t, b.le.IsLeader())
			b.step(3200 * time.Millisecond)
		}
		b.answer(b.expect("get"), seen)
		c := b.expect("update")
		assert.Equal(t, 4, c.record.LeaderTransitions)
		b.answer(c, fine)
		b.works()

		// And one that has the other's in return: it is as foreign as any.
		b.step(2 * time.Second)
		b.answer(b.expect("update"), conflict)
		b.answer(b.expect("get"), held(me, b.begin.Add(17*time.Second)))
		b.stopsWork()
		b.finishWork()
		b.endedInOrder("stopped", "returned")
	})
}

// TestStrictWholeSeconds: a renewal within the second is seen, and leases are not cut short.
func TestStrictWholeSeconds(t *testing.T) {
	short := func(c *elector.LeaderElectionConfig) {
		c.LeaseDuration, c.RenewDeadline = 1900*time.Millisecond, 1200*time.Millisecond
		c.RetryPeriod, c.Jitter = 300*time.Millisecond, func() float64 { return 0 }
	}
	onStrictBench(t, short, func(b *strictBench) {
		at := metav1.NewTime(b.begin)
		record := rl.LeaderElectionRecord{
			HolderIdentity: "other", LeaseDurationSeconds: 1, AcquireTime: at, RenewTime: at,
		}
		same := gateAnswer{raw: "in whole seconds"}
		for range 3 {
			seen := record
			same.record = &seen
			b.answer(b.expect("get"), same)
			b.step(300 * time.Millisecond)
			record = renewed(record, 300*time.Millisecond)
		}
		// The last renewal was seen at 0.6 s and lasts until 1.6 s.
		for range 3 {
			b.answer(b.expect("get"), same)
			b.step(300 * time.Millisecond)
		}
		b.answer(b.expect("get"), same)
		c := b.expect("update")
		assert.Equal(t, 1800*time.Millisecond, b.at())
		assert.Equal(t, 2, c.record.LeaseDurationSeconds)
		b.answer(c, broken)
		b.cancel()
		b.endedInOrder("stopped")
	})
}

// TestStrictAcquireHangs: a request without an answer does not keep a candidate from trying again.
func TestStrictAcquireHangs(t *testing.T) {
	onStrictBench(t, nil, func(b *strictBench) {
		c := b.expect("get")
		b.step(10*time.Second - 1)
		assert.NoError(t, c.ctx.Err())
		b.step(1)
		assert.Equal(t, context.DeadlineExceeded, c.ctx.Err())
		b.answer(c, broken)
		b.step(3200 * time.Millisecond)
		c = b.expect("get")
		assert.NoError(t, c.ctx.Err())
		b.cancel()
		b.answer(c, broken)
		b.endedInOrder("stopped")
	})
}

// TestStrictMetric: the metric does not go on saying that a candidate leads (H15).
func TestStrictMetric(t *testing.T) {
	for name, end := range map[string]func(b *strictBench){
		"cancelled": func(b *strictBench) { b.cancel(); b.finishWork() },
		"cancelled in flight": func(b *strictBench) {
			b.step(2 * time.Second)
			c := b.expect("update")
			b.cancel()
			b.answer(c, broken)
			b.answer(b.expect("get"), broken)
			b.finishWork()
		},
		"foreign": func(b *strictBench) {
			b.step(2 * time.Second)
			b.answer(b.expect("update"), conflict)
			b.answer(b.expect("get"), held("other", b.begin))
			b.finishWork()
		},
	} {
		j := &journal{}
		onStrictBench(t, nil, func(b *strictBench) {
			j.start = time.Now()
			metric.set(j)
			b.lead()
			end(b)
			order := []string{"returned", "stopped"}
			if name == "foreign" { // nothing is left of the lease to wait for
				order = []string{"stopped", "returned"}
			}
			b.endedInOrder(order...)
		})
		last := j.sync[len(j.sync)-1]
		assert.Contains(t, last, "metric off", name)
	}
}
