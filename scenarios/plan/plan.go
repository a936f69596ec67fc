// Package plan is the vocabulary of scenarios: what a run is made of. A Plan has candidates, a network, clocks and faults; it is
// data, and knows how to tell whether it can be run. Package scenarios reads plans from files and runs them.
package plan

import "time"

// Plan is everything that decides a run. Scenario files (package scenarios) describe one.
type Plan struct {
	// Seed is what all randomness is drawn from; 0 is a seed like any other. Horizon is for how much true time the run
	// goes on: above 0, at most ten years (87600h), which holds for every time in a plan.
	Seed    uint64
	Horizon time.Duration
	// Elections are the names of several elections in each process, in the order in which a process begins them; nil: there
	// is but one. Candidates then has an entry for each candidate in each of its elections, those of one candidate one
	// after the other, in that order, and alike in all that is the process's: ID, Identity, StartAt, Clock, LivenessProbe.
	Elections  []string
	Candidates []Candidate
	Network    Network
	// Service is the clock of a service whose locks expire by themselves. Others have no use for one.
	Service Clock
	// Coordinator is of coordinated elections; nil: there is none.
	Coordinator *Coordinator
	Faults      []Fault
}

// CoordinatorID is what faults call the coordinator of coordinated elections.
const CoordinatorID = "coordinator"

// Coordinator is the API server's part of a coordinated election.
type Coordinator struct {
	// StartAt is when, in true time, it starts.
	StartAt time.Duration
	Clock   Clock
	// Request and Response are its way to the store and back; nil is the network's.
	Request, Response *Delay
}
