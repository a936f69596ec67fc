package witness

import (
	"math/rand/v2"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/draw"
	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/simlock"
)

// start is what the server's clock shows when a run begins.
var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// maxOffset is how far a process's clock is at most ahead of the server's, or behind it, at the start.
const maxOffset = 5 * time.Second

// Run is a simulated run, and all that happened in it. Times are since its start, by the server's clock.
type Run struct {
	Seed   uint64
	Plan   *plan.Plan
	Events []trace.Event
	// Calls are the requests, in the order in which they were made.
	Calls []*Call
}

// Call is a request.
type Call struct {
	Candidate int
	ID        uint64
	Op        simlock.Op
	// Sent is when it left, Arrived when the server carried it out or refused it; Reached tells whether it did.
	Sent, Arrived time.Duration
	Reached       bool
	// Received and Answered are what the server logs.
	Received, Answered time.Duration
	// Status is that of the answer. Version and Record are those of the object in it; the version is 0 if there is none.
	Status  int
	Version uint64
	Record  machine.Record
	// Changed tells whether it has changed the object, whatever the answer says.
	Changed bool
	// Written is the version that it has written, 0 if it has changed nothing.
	Written uint64
}

// locks are the kinds of lock that are drawn; most are Leases.
var locks = []plan.Lock{plan.Lease, plan.Lease, plan.ConfigMap, plan.Endpoints}

// Simulate draws a plan from the seed, simulates it and returns the run. Each clock is up to maxOffset ahead of the server's or
// behind it, and none is set during the run.
func Simulate(seed uint64) (*Run, error) {
	from := rand.New(rand.NewPCG(seed, 1))
	space := draw.Space{
		Profile: machine.ClientGo, Restless: true,
		Locking: draw.Locking{Lock: locks[from.IntN(len(locks))]},
		Limits:  draw.Limits{MaxDriftPPM: 200, MaxPause: 40 * time.Second, Deleted: from.IntN(8) == 0},
	}
	if from.IntN(4) == 0 {
		space.Profile = machine.Strict
	}
	p := space.Plan(from)
	p.Seed = seed
	for i := range p.Candidates {
		p.Candidates[i].Clock.Offset = time.Duration(from.Int64N(int64(2*maxOffset))) - maxOffset
	}
	p.Faults = slices.DeleteFunc(p.Faults, func(f plan.Fault) bool { return f.Jump != 0 }) // no clock is set while it is watched
	return Play(seed, p)
}

// Play simulates a plan and returns the run. What chance decides of a candidate depends on the seed and on what this candidate
// does, not on the others. So two plans that differ in one candidate can have the same logs.
func Play(seed uint64, p *plan.Plan) (*Run, error) {
	w := &world{run: &Run{Seed: seed, Plan: p}, calls: map[key]*Call{}, inForce: map[int32][]int32{}}
	for i := range p.Candidates {
		w.from = append(w.from, rand.New(rand.NewPCG(seed, 16+uint64(i))))
	}
	if _, err := sim.RunDirected(p, w, w); err != nil {
		return nil, err
	}
	return w.run, nil
}
