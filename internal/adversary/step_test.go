package adversary

import (
	"time"

	"interregnum/internal/fate"
)

// A candidate's life has phases: another begins whenever it has become leader, when it gives up as a leader or is cancelled,
// and with each Run after the first. Requests are counted from 1 in each phase. What is said of the requests of a phase thus
// keeps its meaning where an earlier one has changed.

// Anchor is an instant: the time After, in true time, after the candidate sends the request of the step or, if the step's number
// is 0, after the phase begins. A cancel takes effect no earlier than in the Run that it cancels.
type Anchor struct {
	Step
	After time.Duration
}

// Step is a request of a candidate, by its number in a phase. The number 0 is the beginning of the phase.
type Step struct{ Phase, Number int }

// instant returns the instant of an anchor whose step is taken at now. It is at least a nanosecond later than now.
func (a *Anchor) instant(now time.Duration) time.Duration { return now + max(1, a.After) }

// Event is an instant that depends on another candidate: the time After, in true time, after that candidate's request of the step
// arrives at the service. Of is the index of that candidate.
type Event struct {
	Of int
	Anchor
}

// Wait is a draw of jitter, in [0,1), for the wait that comes after a request. If that wait does not come, the draw has no
// effect.
type Wait struct {
	Step
	Jitter float64
}

// Freeze says that a process is frozen from the instant of the anchor on, for Length, in true time. AnswersFirst: as it wakes it handles
// answers before all else.
type Freeze struct {
	Anchor
	Length       time.Duration
	AnswersFirst bool
}

// Rate says that a clock runs faster than true time by PPM parts per million, from the instant of the anchor on.
type Rate struct {
	Anchor
	PPM int64
}

// Verbs is a set of kinds of requests.
type Verbs uint8

// The verbs of a lock service of records; AllVerbs includes those of others.
const (
	Gets Verbs = 1 << iota
	Creates
	Updates
	Others
	AllVerbs = Gets | Creates | Updates | Others
)

// String returns the name of a set with a single kind of request: get, create, update or other. It returns "other" for all other
// sets.
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

// Segment gives a fate to a candidate's requests of these verbs in one phase, with the numbers From to To, both included.
type Segment struct {
	Phase    int
	From, To int
	Verbs    Verbs
	Fate     Fate
}

// Fate is what becomes of a request.
type Fate = fate.Fate

// lost is what becomes of a message that never arrives.
var lost = fate.Way{Lost: true}

// most is a number higher than that of any request in a run.
const most = 1 << 30
