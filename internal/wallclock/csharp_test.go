package wallclock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
)

const s = time.Second

// csharpHost drives one machine of C# with 15/10/2 s.
type csharpHost struct {
	m Machine
	// asked are the numbers of its requests, in their order.
	asked []uint64
}

func (h *csharpHost) step(at time.Duration, in machine.Input) (did []machine.OutputKind) {
	for _, o := range h.m.Step(machine.Now{Mono: machine.Mono(at), Wall: machine.Wall(at)}, &in, nil) {
		if o.Kind == machine.Send {
			h.asked = append(h.asked, o.Request.ID)
		}
		if o.Kind != machine.SetTimer && o.Kind != machine.StopTimer {
			did = append(did, o.Kind)
		}
	}
	return did
}

func (h *csharpHost) fires(at time.Duration, t machine.Timer) []machine.OutputKind {
	return h.step(at, machine.Input{Kind: machine.Fired, Timer: t})
}

// answer answers the request of that number, counted from 0.
func (h *csharpHost) answer(at time.Duration, n int, o machine.Outcome, r *machine.Record) []machine.OutputKind {
	return h.step(at, machine.Input{
		Kind: machine.Responded, Response: machine.Response{ID: h.asked[n], Outcome: o, Record: r},
	})
}

func newCSharp() *csharpHost {
	h := &csharpHost{m: New(machine.Config{
		Timings:  machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s},
		Identity: "a", Profile: machine.CSharp,
	})}
	h.step(0, machine.Input{Kind: machine.Started})
	return h
}

// TestLeftRunning: an attempt to acquire that is not over in time goes on, and may take the lock. The next attempt finds it.
func TestLeftRunning(t *testing.T) {
	h := newCSharp()
	assert.Equal(t, []machine.OutputKind{machine.Detach, machine.Send}, h.fires(3*s, machine.Deadline))
	assert.Equal(t, []machine.OutputKind{machine.Send}, h.answer(3*s, 0, machine.NotFound, nil), "the first goes on")
	assert.Empty(t, h.answer(3*s, 2, machine.Done, nil), "and has the lock, but nobody is told")
	assert.True(t, h.m.IsLeader(), "it has seen its own name")
	own := h.m.observed
	assert.Equal(t, []machine.OutputKind{machine.Send}, h.answer(4*s, 1, machine.Done, &own))
	assert.Equal(t, []machine.OutputKind{machine.NewLeader, machine.StartWork, machine.Send}, h.answer(4*s, 3, machine.Done, nil))

	assert.Equal(t, []machine.OutputKind{machine.Detach, machine.StopWork, machine.Stopped, machine.Return},
		h.fires(14*s, machine.Deadline))
	own = h.m.observed
	assert.Equal(t, []machine.OutputKind{machine.Send}, h.answer(15*s, 4, machine.Done, &own), "the renewal goes on")
}

// TestAskedWhenRead: whether a lease has run out is asked when the record was read, to 100 ns.
func TestAskedWhenRead(t *testing.T) {
	for late, takes := range map[time.Duration]bool{0: true, -100: false, 5 * s: true} {
		h := newCSharp()
		b := &machine.Record{Holder: "b", Acquire: 1, Renew: 1}
		assert.Empty(t, h.answer(s, 0, machine.Done, b))
		assert.Equal(t, []machine.OutputKind{machine.NewLeader, machine.Send}, h.fires(3*s, machine.Retry), "the program is told after the wait")
		again := *b
		again.Transitions, again.DurationSeconds = 7, 3 // which do not count
		if did := h.answer(16*s+late, 1, machine.Done, &again); takes {
			assert.Equal(t, []machine.OutputKind{machine.Send}, did)
			assert.EqualValues(t, 8, h.m.request.Record.Transitions)
		} else {
			assert.Empty(t, did)
		}
	}
}

// TestBlank: a record without a holder is taken at once, and one without times is created, in vain.
func TestBlank(t *testing.T) {
	h := newCSharp()
	h.answer(s, 0, machine.Done, &machine.Record{Acquire: 1, Renew: 1})
	assert.Equal(t, machine.Update, h.m.request.Verb)
	h = newCSharp()
	h.answer(s, 0, machine.Done, &machine.Record{Acquire: machine.NoTime, Renew: machine.NoTime})
	assert.Equal(t, machine.Create, h.m.request.Verb)
}

// TestCancelledCSharp: a cancellation ends what was left running, too.
func TestCancelledCSharp(t *testing.T) {
	h := newCSharp()
	h.fires(3*s, machine.Deadline)
	assert.Equal(t, []machine.OutputKind{machine.Return}, h.step(4*s, machine.Input{Kind: machine.Cancelled}))
	assert.Empty(t, h.answer(5*s, 0, machine.NotFound, nil))
	assert.Empty(t, h.answer(5*s, 1, machine.NotFound, nil))
}
