// Package seat is what all parts of the simulated world know of a candidate in its election, or of the coordinator.
package seat

import (
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/network"
	"interregnum/plan"
)

// Seat is a process's part in one of its elections, through all its incarnations.
type Seat struct {
	Index int32
	// Incarnation counts the processes that the seat has had, from 1.
	Incarnation int32
	Life        Life
	Plan        *plan.Candidate
	Clock       clock.Clock
	Identity    string
	Line        network.Line
}

// Life is what the process is doing.
type Life uint8

const (
	Unborn Life = iota
	Running
	// Resting is between two Runs of one process.
	Resting
	// Serving is the coordinator's process, which has no Run.
	Serving
	// Left: Run has returned for good.
	Left
	Crashed
)

// Alive tells whether the process is in a Run, or between two Runs, or is that of the coordinator.
func (s *Seat) Alive() bool { return s.Life >= Running && s.Life <= Serving }
