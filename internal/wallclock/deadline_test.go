package wallclock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
)

// TestDeadlineReached: a leader in Python goes on while the time is before its deadline (renew_loop), and so stops at that very millisecond.
func TestDeadlineReached(t *testing.T) {
	const s = time.Second
	m := New(machine.Config{Identity: "a", Profile: machine.Python, Timings: machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s}})
	var id uint64
	step := func(at time.Duration, in machine.Input) (ends bool) {
		for _, o := range m.Step(machine.Now{Wall: machine.Wall(at), Mono: machine.Mono(at)}, &in, nil) {
			if o.Kind == machine.Send {
				id = o.Request.ID
			}
			ends = ends || o.Kind == machine.StopWork
		}
		return ends
	}
	answer := func(at time.Duration, o machine.Outcome) {
		assert.False(t, step(at, machine.Input{Kind: machine.Responded, Response: machine.Response{ID: id, Outcome: o}}))
	}
	step(0, machine.Input{Kind: machine.Started})
	answer(0, machine.NotFound)
	answer(0, machine.Done) // it leads
	for at := 2 * s; at < 10*s; at += 2 * s {
		answer(at-2*s, machine.Failed)
		assert.False(t, step(at, machine.Input{Kind: machine.Fired, Timer: machine.Retry}), at)
	}
	answer(8*s, machine.Failed)
	assert.True(t, step(10*s, machine.Input{Kind: machine.Fired, Timer: machine.Retry}))
}
