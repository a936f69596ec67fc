package sim

import (
	"time"

	"interregnum/internal/fate"
	"interregnum/plan"
	"interregnum/simlock"
)

// Director decides, as a run goes, what a plan would say otherwise: what becomes of each request, in place of the
// plan's network and of its faults on messages, what each draw of jitter is, and when another Run follows. Candidates
// are indices into Plan.Candidates, times are true time since the start. A run is then a pure function of plan and
// director.
type Director interface {
	// Called is asked when a candidate's client is called for its request of that number. hold is how long the request
	// waits in the client's limiter, on the candidate's clock. faults are added to the run, from now on; none is on
	// messages.
	Called(candidate int, request uint64, op *simlock.Op, at time.Duration) (hold time.Duration, faults []plan.Fault)
	// Sent is asked when the request leaves.
	Sent(candidate int, request uint64, at time.Duration) fate.Way
	// Arrived is asked when the request reaches the service. starts are candidates that start because of this arrival. They
	// have not started before.
	Arrived(candidate int, request uint64, at time.Duration) (refused fate.Refusal, starts []Start)
	// Answered is asked when the service answers.
	Answered(candidate int, request uint64, at time.Duration) fate.Way
	// Jitter returns a draw in [0,1).
	Jitter(candidate int) float64
	// Returned is asked when a Run has returned. It tells whether the candidate runs again, and how much later. A
	// candidate without Plan.Candidates.Rejoin never runs again.
	Returned(candidate int) (later time.Duration, again bool)
}

// Start says that a candidate starts, and how much later, whatever its Candidate.StartAt says.
type Start struct {
	Candidate int
	Later     time.Duration
}

// Ranker is a Director that says which pods go first in a rollout.
type Ranker interface {
	Director
	// Rank is asked about each old pod when a rollout begins. Of pods that are alike in being ready or not, those with a lower
	// rank are told to end first, and of equal ones the last in Fault.On. Without a Ranker all have the same rank.
	Rank(candidate int, at time.Duration) float64
}

// Attendant is a Director that follows the run between its events.
type Attendant interface {
	Director
	// Attend is asked after each step of the run, at its true time. faults are added to the run, from now on; none is on messages.
	// over ends the run before its horizon.
	Attend(at time.Duration) (faults []plan.Fault, over bool)
}
