package elector_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	rl "k8s.io/client-go/tools/leaderelection/resourcelock"
)

// waitsOut says that the candidate, which now finds the lock gone, creates it only when that long has passed.
func (b *strictBench) waitsOut(long time.Duration) {
	b.t.Helper()
	since := b.at()
	for {
		b.answer(b.expect("get"), notFound)
		if b.at()-since >= long {
			break
		}
		b.quiet()
		b.step(3200 * time.Millisecond)
	}
	assert.Less(b.t, b.at()-since, long+3200*time.Millisecond)
	b.answer(b.expect("create"), broken)
}

// TestStrictGoneAfterABlank: whoever was faster to take a blank leads under the lock that is gone.
func TestStrictGoneAfterABlank(t *testing.T) {
	for name, long := range map[string]int{"another's lease": 20, "its own": 15, "a shorter one": 5} {
		t.Run(name, func(t *testing.T) {
			onStrictBench(t, nil, func(b *strictBench) {
				seen := held("other", b.begin)
				seen.record.LeaseDurationSeconds = long
				b.answer(b.expect("get"), seen)
				b.step(3200 * time.Millisecond)
				blank := rl.LeaderElectionRecord{LeaseDurationSeconds: 1, LeaderTransitions: 3}
				b.answer(b.expect("get"), gateAnswer{record: &blank, raw: "blank"})
				b.answer(b.expect("update"), conflict)
				b.step(3200 * time.Millisecond)
				b.waitsOut(time.Duration(max(long, 15)) * time.Second)
				b.cancel()
			})
		})
	}
}

// TestStrictGoneAfterALostRelease: a candidate that gave the lock up, and did not hear that it had, knows of a record that is
// its own and says nothing.
func TestStrictGoneAfterALostRelease(t *testing.T) {
	onStrictBench(t, releasing, func(b *strictBench) {
		mine := b.lead()
		b.cancel()
		b.finishWork()
		b.answer(b.expect("get"), holding(mine))
		b.answer(b.expect("update"), broken)
		b.endedInOrder("returned", "stopped")

		again, cancel := context.WithCancel(b.base)
		over := make(chan struct{})
		go func() { defer close(over); b.le.Run(again) }()
		b.answer(b.expect("update"), broken)
		b.answer(b.expect("get"), holding(mine)) // the release comes after this
		b.answer(b.expect("update"), conflict)
		b.step(3200 * time.Millisecond)
		b.answer(b.expect("update"), conflict)
		b.waitsOut(15 * time.Second)
		cancel()
		<-over
	})
}
