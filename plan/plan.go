// Package plan has the types that describe a run: candidates, network, clocks and faults. A Plan is data, and Validate tells
// whether it can be run. Package scenarios reads plans from files and runs them.
package plan

import "time"

// Plan is everything that decides a run. Scenario files (package scenarios) describe one.
type Plan struct {
	// Seed starts the run's random numbers; 0 is a seed like any other. Horizon is how much true time the run covers, more
	// than 0. No time in a plan may exceed ten years (87600h).
	Seed    uint64
	Horizon time.Duration
	// Elections names the elections, in the order in which a process starts them; nil if there is one, without a name. If it
	// is not nil, Candidates has an entry for each candidate in each of its elections. The entries of one candidate follow
	// each other, in the order of Elections, and agree in what belongs to the process: ID, Identity, StartAt, Clock,
	// LivenessProbe.
	Elections  []string
	Candidates []Candidate
	Network    Network
	// Service is the clock of the lock service. It matters only to locks that expire by themselves.
	Service Clock
	// Coordinator is nil if no election is coordinated.
	Coordinator *Coordinator
	Faults      []Fault
}

// CoordinatorID is the name by which faults refer to the coordinator.
const CoordinatorID = "coordinator"

// Coordinator is the controller of the API server that decides coordinated elections.
type Coordinator struct {
	// StartAt is when it starts, in true time.
	StartAt time.Duration
	Clock   Clock
	// Request and Response are the delays of its own requests to the store; nil: those of the network.
	Request, Response *Delay
}
