package fabric8

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
)

const s = time.Second

// host drives one machine, and writes down what it asks for.
type host struct {
	m Machine
	// walls is by how much its wall clock is ahead of its monotonic clock, which counts from 1970.
	walls time.Duration
	sent  *machine.Request
}

// newHost returns a host of candidate a, with 15/10/2 s.
func newHost(release bool) *host {
	return &host{m: New(machine.Config{
		Timings:  machine.Timings{LeaseDuration: 15 * s, RenewDeadline: 10 * s, RetryPeriod: 2 * s},
		Identity: "a", ReleaseOnCancel: release, Profile: machine.Fabric8,
	})}
}

// step gives the machine an input at that time, and returns its outputs in words.
func (h *host) step(at time.Duration, in machine.Input) string {
	now := machine.Now{Mono: machine.Mono(at), Wall: machine.Wall(at + h.walls)}
	var words []string
	for _, o := range h.m.Step(now, &in, nil) {
		switch o.Kind {
		case machine.SetTimer:
			words = append(words, fmt.Sprintf("timer %v jitter=%t", time.Duration(o.At)+o.Wait, o.Jitter))
		case machine.StopTimer:
			words = append(words, "stop timer")
		case machine.Send:
			h.sent = o.Request
			text := o.Request.Verb.String()
			if r := o.Request.Record; o.Request.Verb != machine.Get {
				text += fmt.Sprintf(" %q %ds %v %v %d", r.Holder, r.DurationSeconds, time.Duration(r.Acquire), time.Duration(r.Renew), r.Transitions)
			}
			words = append(words, text)
		case machine.NewLeader:
			words = append(words, fmt.Sprintf("leader %q", o.Text))
		default:
			words = append(words, map[machine.OutputKind]string{
				machine.StartWork: "work", machine.StopWork: "end work", machine.Stopped: "stopped", machine.Return: "return",
			}[o.Kind])
		}
	}
	return strings.Join(words, ", ")
}

func (h *host) start(at time.Duration) string {
	return h.step(at, machine.Input{Kind: machine.Started})
}

func (h *host) cancel(at time.Duration) string {
	return h.step(at, machine.Input{Kind: machine.Cancelled})
}

func (h *host) fires(at time.Duration) string {
	return h.step(at, machine.Input{Kind: machine.Fired, Timer: machine.Retry})
}

func (h *host) answer(at time.Duration, outcome machine.Outcome) string {
	return h.step(at, machine.Input{Kind: machine.Responded, Response: machine.Response{ID: h.sent.ID, Outcome: outcome}})
}

// reads answers a Get by a record of that holder, renewed at that time by its own clock.
func (h *host) reads(at time.Duration, holder string, renewed time.Duration) string {
	r := &machine.Record{Holder: holder, DurationSeconds: 1, Acquire: 7, Renew: machine.Wall(renewed), Transitions: 3}
	return h.step(at, machine.Input{
		Kind: machine.Responded, Response: machine.Response{ID: h.sent.ID, Outcome: machine.Done, Record: r},
	})
}

// leads has the candidate create the lock at 0, and renew it at 1 s.
func leads(t *testing.T, release bool) *host {
	h := newHost(release)
	assert.Equal(t, "get", h.start(0))
	assert.Equal(t, `create "a" 15s 0s 0s 0`, h.answer(0, machine.NotFound))
	assert.Equal(t, `leader "a", work, get`, h.answer(s, machine.Done), "the first renewal follows at once")
	assert.Equal(t, `update "a" 15s 7ns 1s 3`, h.reads(s, "a", 0))
	assert.Equal(t, "timer 3s jitter=false", h.answer(s, machine.Done))
	return h
}

func TestLeads(t *testing.T) {
	h := leads(t, false)
	assert.True(t, h.m.IsLeader())
	assert.Equal(t, "get", h.fires(3*s))
	assert.Equal(t, "timer 5s jitter=false", h.answer(4*s, machine.Failed), "renewals keep to their grid")
	assert.Equal(t, "get", h.fires(5*s))
	assert.Equal(t, `update "a" 15s 7ns 5s 3`, h.reads(9*s, "a", 0))
	assert.Equal(t, "timer 7s jitter=false", h.answer(9*s, machine.Conflict), "late: the next is due at once; a conflict is an error")
	assert.Equal(t, "get", h.fires(11*s), "renewBy is 11 s, and not yet past")
}

// TestTakesByWallClock: a follower takes the lock when its own LeaseDuration has passed since renewTime, by its own wall
// clock, whatever it saw before and whatever the record says.
func TestTakesByWallClock(t *testing.T) {
	for _, c := range []struct {
		walls, renewed time.Duration
		takes          bool
	}{{0, 0, false}, {15*s - 1, 0, false}, {15 * s, 0, true}, {15 * s, 1, false}, {0, -15 * s, true}} {
		h := newHost(false)
		h.walls = c.walls
		h.start(0)
		want := `leader "b", timer 2s jitter=true`
		if c.takes {
			want = fmt.Sprintf(`leader "b", update "a" 15s %[1]v %[1]v 4`, c.walls)
		}
		assert.Equal(t, want, h.reads(0, "b", c.renewed), "%+v", c)
	}
	h := newHost(false)
	h.start(0)
	assert.Equal(t, `leader "", update "a" 15s 0s 0s 4`, h.reads(0, "", s), "released")
}

// TestWorksBeforeItHasTheLock: a candidate that reads its own name works at once, and in the loop that acquires nothing ends
// that but another holder.
func TestWorksBeforeItHasTheLock(t *testing.T) {
	h := newHost(false)
	h.start(0)
	h.answer(0, machine.NotFound)
	assert.Equal(t, "timer 2s jitter=true", h.answer(s, machine.Failed))
	h.fires(3 * s)
	assert.Equal(t, `leader "a", work, update "a" 15s 7ns 3s 3`, h.reads(4*s, "a", 0))
	for at := 5 * s; at < 100*s; at += 4 * s {
		h.answer(at, machine.Failed)
		assert.Equal(t, "get", h.fires(at+3*s))
		assert.True(t, h.m.IsLeader())
	}
	assert.Equal(t, `leader "b", end work, stopped, timer 1m42s jitter=true`, h.reads(100*s, "b", 100*s), "it goes on to acquire")
}

func TestStops(t *testing.T) {
	t.Run("at another holder", func(t *testing.T) {
		h := leads(t, true)
		h.fires(3 * s)
		assert.Equal(t, `leader "b", end work, stopped, return`, h.reads(3*s, "b", 3*s))
	})
	t.Run("after the deadline", func(t *testing.T) {
		h := leads(t, true)
		assert.Equal(t, "get", h.fires(11*s+time.Millisecond-1), "in whole milliseconds")
		assert.Equal(t, "timer 5s jitter=false", h.answer(20*s, machine.Failed))
		assert.Equal(t, "get", h.fires(20*s), "and reads once more")
		assert.True(t, h.m.IsLeader())
		assert.Equal(t, "end work, stopped, return", h.answer(30*s, machine.Failed))
	})
	t.Run("cancelled, and releases first", func(t *testing.T) {
		h := leads(t, true)
		assert.Equal(t, "stop timer, get", h.cancel(2*s))
		assert.Equal(t, `update "" 1s 4s 4s 3`, h.reads(4*s, "a", 0))
		assert.True(t, h.m.IsLeader())
		assert.Equal(t, `leader "", end work, stopped, return`, h.answer(9*s, machine.Done), "its own release is news to it")
		assert.Empty(t, h.cancel(10*s))
	})
	t.Run("cancelled, and cannot release", func(t *testing.T) {
		h := leads(t, true)
		h.cancel(2 * s)
		h.reads(4*s, "a", 0)
		assert.Equal(t, "end work, stopped, return", h.answer(9*s, machine.Conflict))
		h = leads(t, true)
		h.cancel(2 * s)
		assert.Equal(t, "end work, stopped, return", h.reads(4*s, "b", 0), "without a word of the new leader")
	})
	t.Run("without a release, and asks nothing more", func(t *testing.T) {
		h := leads(t, false)
		assert.Equal(t, "stop timer, end work, stopped, return", h.cancel(2*s))
		h = leads(t, false)
		assert.Equal(t, "end work, stopped, return", h.fires(11*s+time.Millisecond), "after the deadline")
	})
	t.Run("cancelled during an attempt", func(t *testing.T) {
		h := leads(t, false)
		h.fires(3 * s)
		assert.Empty(t, h.cancel(3*s))
		assert.Equal(t, `update "a" 15s 7ns 3s 3`, h.reads(4*s, "a", 0), "which goes on")
		assert.Equal(t, "end work, stopped, return", h.answer(5*s, machine.Done))
	})
	t.Run("cancelled while it does not lead", func(t *testing.T) {
		h := newHost(true)
		h.start(0)
		h.reads(0, "b", 0)
		assert.Equal(t, "stop timer, return", h.cancel(s))
		h.m.Again()
		h.cancel(2 * s)
		assert.Equal(t, "return", h.start(2*s), "cancelled before")
	})
}
