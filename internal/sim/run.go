// Package sim is the simulated world: true time, every candidate's own clocks, a network, a lock service, processes that
// pause, crash and restart. A run is a pure function of its plan.Plan.
//
// Words of this package: a node is a candidate in one election, and a group is a process with all its nodes. The queue has
// entries, each of which is due at an instant; a frozen process keeps its own until it wakes. A message is a request or its
// answer, and has a number, ref. A stray is an attempt that was left running. A rule is a fault on messages that is in force.
package sim

import (
	"fmt"
	"time"

	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// Stats counts what a run did.
type Stats struct {
	TraceHash trace.Sum
	// Events is the number of events, StoreOps the number of requests that reached the store.
	Events, StoreOps uint64
}

// StandstillError says that a run made no progress in time.
type StandstillError struct {
	// At is the instant, in true time since the start. Candidate is the one whose event came last, "" if that was
	// nobody's.
	At        time.Duration
	Candidate string
}

// Error returns a sentence that says when the run stands still and, if it is known, whose event came last.
func (e *StandstillError) Error() string {
	whose := ""
	if e.Candidate != "" {
		whose = fmt.Sprintf(", the last of them of candidate %s", e.Candidate)
	}
	return fmt.Sprintf("the run stands still at %v: %d events at one instant%s; "+
		"a delay of 0 lets a candidate retry for ever without time passing", e.At, standstill, whose)
}

// standstill is how many events at one instant count as a run without progress.
const standstill = 1_000_000

// Run simulates a plan to its horizon. Each sink gets the events that it wants, in order. The error is a *plan.FieldError if
// the plan is not valid, or a *StandstillError.
func Run(p *plan.Plan, sinks ...trace.Sink) (Stats, error) { return new(Runner).Run(p, sinks...) }

// RunDirected simulates a plan as Run does, with the same errors, but d decides what becomes of each request, what the draws of
// jitter are, and when another Run of an elector follows.
func RunDirected(p *plan.Plan, d Director, sinks ...trace.Sink) (Stats, error) {
	return new(Runner).run(p, d, sinks)
}

// Runner runs plans, one after the other, in the memory of the first: once it has run some, another takes no new memory.
// What a run does is the same in any Runner. A Runner serves one goroutine.
type Runner struct {
	validator plan.Validator
	world     world
	// NoHash leaves Stats.TraceHash that of no events, which saves time.
	NoHash bool
	// Valid tells that all plans are valid: Run does not validate them, which saves time.
	Valid bool
	// NoShortcut has each request and each answer wait in the queue, whatever happens meanwhile. The run is the same, and
	// takes longer.
	NoShortcut bool
}

// Run simulates a plan to its horizon, as the function Run does, in the memory of this Runner. Sinks must not keep Event.On: the
// next run uses its memory.
func (r *Runner) Run(p *plan.Plan, sinks ...trace.Sink) (Stats, error) { return r.run(p, nil, sinks) }

// RunDirected simulates a plan under the director d, as the function RunDirected does, in the memory of this Runner. Sinks must
// not keep Event.On: the next run uses its memory.
func (r *Runner) RunDirected(p *plan.Plan, d Director, sinks ...trace.Sink) (Stats, error) {
	return r.run(p, d, sinks)
}

// run simulates a plan to its horizon, or until an attendant ends the run; d is its director, nil for none. Each sink gets the
// events that it wants, in order. The error is a *plan.FieldError if the plan is not valid, or a *StandstillError.
func (r *Runner) run(p *plan.Plan, d Director, sinks []trace.Sink) (Stats, error) {
	if !r.Valid {
		if err := r.validator.Validate(p); err != nil {
			return Stats{}, err
		}
	}
	w := &r.world
	w.reset(p, sinks)
	w.NoHash, w.director = r.NoHash, d
	w.attendant, _ = d.(Attendant)
	w.between = w.between || w.attendant != nil
	w.noShortcut = r.NoShortcut || d != nil || p.Coordinator != nil
	last, sameTime := clock.Instant(-1), 0 // of the entry before; an exchange moves w.Now beyond it
	for !w.Empty() {
		e := w.Next()
		switch sameTime++; {
		case e.At != last:
			last, sameTime = e.At, 0
		case sameTime == standstill:
			return Stats{}, w.standstill()
		}
		w.dispatch(&e)
		if w.between && w.turn() {
			break
		}
	}
	return Stats{TraceHash: w.Hash(), Events: w.Count, StoreOps: w.service.Requests}, nil
}

// turn lets rollouts make and end pods, and then asks the attendant, after an entry of the queue was handled. It does either only
// where there is one. It returns true if the attendant ends the run.
func (w *world) turn() (over bool) {
	if w.rolls() {
		w.roll()
	}
	return w.attendant != nil && w.attend()
}

// attend asks the attendant about the step just taken, and schedules the faults that it adds. It returns true if the attendant
// ends the run.
func (w *world) attend() (over bool) {
	faults, over := w.attendant.Attend(time.Duration(w.Now))
	for i := range faults {
		w.addFault(&faults[i])
	}
	return over
}

// dispatch handles an entry that is due, as its kind says. A kind that is not of this package goes to the coordinated election.
func (w *world) dispatch(e *queue.Entry) {
	switch e.Kind {
	case timerDue:
		w.timerUp(e)
	case requestDue:
		w.arrive(e.Ref)
	case responseDue:
		w.receive(e)
	case startDue:
		w.startUp(e)
	case drainDue:
		w.drainUp(e)
	case strayDue:
		w.strayUp(e)
	case expiryDue:
		w.expiryUp(e)
	case probeDue:
		w.probeUp(e)
	case killDue:
		w.killUp(e)
	case faultBegins:
		w.beginFault(e.Ref)
	case faultEnds:
		w.endFault(e.Ref)
	default:
		w.coordinate(e)
	}
}

// coordinate handles an entry of a coordinated election. An entry for a frozen process waits until the process wakes.
func (w *world) coordinate(e *queue.Entry) {
	if seat, processes := w.coordinated.For(e); !processes || !w.nodes[seat].parks(e) {
		w.coordinated.Do(e)
	}
}

// standstill returns the error of a run that makes no progress at the present instant.
func (w *world) standstill() error {
	e := &StandstillError{At: time.Duration(w.Now)}
	if w.Last.Candidate >= 0 {
		e.Candidate = w.nodes[w.Last.Candidate].Plan.ID
	}
	return e
}
