// Package stepping gives a machine its inputs, one after the other, in a world in which answers can come without time passing.
package stepping

import (
	"time"

	"interregnum/elector/machine"
)

// Machine is an algorithm: a *machine.Machine, *fabric8.Machine, *rust.Machine or *wallclock.Machine with a profile of its own, or a
// *ttl.Machine where the lock expires by itself.
type Machine interface {
	Step(machine.Now, *machine.Input, []machine.Output) []machine.Output
	Again()
	IsLeader() bool
	Healthy(now machine.Mono, tolerance time.Duration) bool
}

// Steps is what a host needs to have machines take their steps.
type Steps struct {
	// Input is the next input, an answer, if Replied is true. WorkOver: the work has ended, which is the input after that.
	Input             machine.Input
	Replied, WorkOver bool
	out               []machine.Output
}

// Take gives m an input, and returns what the host has to do about it. The result is good until the next call.
func (s *Steps) Take(m Machine, now machine.Now, in *machine.Input) []machine.Output {
	s.Replied = false
	s.out = m.Step(now, in, s.out[:0])
	return s.out
}

// Follows returns the next input if what the host has done since Take has led to one: first an answer, then the end of the work.
// Otherwise it returns nil.
func (s *Steps) Follows() *machine.Input {
	switch {
	case s.Replied:
	case s.WorkOver:
		s.Input, s.WorkOver = machine.Input{Kind: machine.WorkReturned}, false
	default:
		return nil
	}
	return &s.Input
}

// Reply makes the next input that the call of that number has ended, with that outcome.
func (s *Steps) Reply(call uint64, outcome machine.Outcome) {
	s.Input = machine.Input{Kind: machine.Responded, Response: machine.Response{ID: call, Outcome: outcome}}
	s.Replied = true
}
