package sim

import (
	"time"

	"interregnum/scenarios/plan"
	"interregnum/simlock"
)

// Director decides, as a run goes, what else a plan would say: what becomes of each request, in place of the plan's network
// and of its faults on messages, what each draw of jitter is, and when a Run is followed by another. Candidates are indices
// into Plan.Candidates, times are true time since the start. A run is then a pure function of plan and director.
type Director interface {
	// Called is asked when a candidate's client is called for its request of that number. It tells how long that waits in
	// the client's limiter, on the candidate's clock, and which faults happen besides, from now on. None is on messages.
	Called(candidate int, request uint64, op *simlock.Op, at time.Duration) (hold time.Duration, faults []plan.Fault)
	// Sent is asked when the request leaves.
	Sent(candidate int, request uint64, at time.Duration) WayOut
	// Arrived is asked when the request reaches the service.
	Arrived(candidate int, request uint64, at time.Duration) Arrival
	// Answered is asked when the service answers.
	Answered(candidate int, request uint64, at time.Duration) WayBack
	// Jitter is a draw in [0,1).
	Jitter(candidate int) float64
	// Returned is asked when a Run has returned, and tells how much later the candidate runs again, if it does. A candidate
	// without Plan.Candidates.Rejoin never does.
	Returned(candidate int) (later time.Duration, again bool)
}

// WayOut is a request's way to the service.
type WayOut struct {
	Delay time.Duration
	Lost  bool
}

// Arrival is what the service does about a request: Status is the error that it answers, 0 for none, and Applied that it does
// what was asked for all that.
type Arrival struct {
	Status  int
	Applied bool
	// Starts are candidates that have not started yet, and do so for that.
	Starts []Start
}

// Start is that a candidate starts so much later, whatever its Candidate.StartAt says.
type Start struct {
	Candidate int
	Later     time.Duration
}

// WayBack is an answer's way.
type WayBack struct {
	Delay time.Duration
	Lost  bool
}
