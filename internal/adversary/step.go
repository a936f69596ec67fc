package adversary

import (
	"time"

	"interregnum/internal/fate"
)

// A candidate's life has phases: another begins whenever it has become leader, when it gives up as a leader or is cancelled,
// and with each Run after the first. Requests are counted from 1 in each phase. What is said of the requests of a phase thus
// keeps its meaning where an earlier one has changed.

// Anchor is an instant: so long after the candidate's request of that number in that phase was sent, 0 being when the phase
// began. For a cancel it is no earlier than the Run that it is of.
type Anchor struct {
	Step
	After time.Duration
}

// Step is a request of a candidate: its number in a phase, or 0 for the phase's beginning.
type Step struct{ Phase, Number int }

// instant returns when an anchor is, if its step is taken now: a nanosecond later at least.
func (a *Anchor) instant(now time.Duration) time.Duration { return now + max(1, a.After) }

// Event is an instant by what another candidate does: so long after that request of its arrived at the service.
type Event struct {
	Of int
	Anchor
}

// Wait is a draw of jitter for the wait that comes after a request. One that is drawn for nothing thus changes no other.
type Wait struct {
	Step
	Jitter float64
}

// Freeze is that a process runs nothing for a while of true time.
type Freeze struct {
	Anchor
	Length time.Duration
}

// Rate is that a clock runs by so many parts per million faster than true time from then on.
type Rate struct {
	Anchor
	PPM int64
}

// Verbs says of which requests a segment is.
type Verbs uint8

// The verbs of a lock service of records; AllVerbs includes those of others.
const (
	Gets Verbs = 1 << iota
	Creates
	Updates
	Others
	AllVerbs = Gets | Creates | Updates | Others
)

// String is a verb's name.
func (v Verbs) String() string {
	switch v {
	case Gets:
		return "get"
	case Creates:
		return "create"
	case Updates:
		return "update"
	}
	return "other"
}

// Segment is the fate of a candidate's requests of these verbs in a phase, with the numbers From to To, both included.
type Segment struct {
	Phase    int
	From, To int
	Verbs    Verbs
	Fate     Fate
}

// Fate is what becomes of a request.
type Fate = fate.Fate

// most is a number of a request that no run reaches.
const most = 1 << 30
