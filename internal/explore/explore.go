package explore

import (
	"context"
	"runtime"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios"
)

// Result is what a search has covered, and found.
type Result struct {
	// Layers are the states for each number of faults, from 0.
	Layers []int
	// States are distinct, Events what happened between them, and Runs the schedules that were followed until they
	// ended or came to a state that was known.
	States, Events, Runs int
	// Complete: every schedule within the bounds was followed, as far as there was no violation.
	Complete bool
	// Unshown are violations of which no scenario was found.
	Unshown int
	// Found is a violation with the fewest faults, of those that can be shown; nil where there is none.
	Found *Found
}

// Found is a violation.
type Found struct {
	// Faults is how many it took.
	Faults int
	// Overlap is for how long the work of two candidates had run at once when it was noticed.
	Overlap time.Duration
	// Scenario shows it.
	Scenario *scenarios.Scenario
}

// wide is from how many states on that wait to be gone on from the last is next, and no longer the first.
const wide = 1 << 16

// maxUnshown is how many violations are tried until one can be shown.
const maxUnshown = 100

// explorer is a search in progress.
type explorer struct {
	common
	workers []*worker
	// here are the states to go on from with the faults of this layer, next with one more.
	here, next []state
	result     Result
	// over: a violation was found, or a bound reached.
	over bool
}

// Run searches. The configuration must be valid. A search that the context ends is not complete. The error is that of a
// scenario which cannot be run.
func Run(ctx context.Context, c *Config) (*Result, error) {
	e := newExplorer(c)
	e.roots()
	for used := 0; used <= c.Faults && !e.over; used++ {
		e.faults = c.Faults - used
		e.queued = map[digest]struct{}{}
		before := len(e.known)
		if err := e.layer(ctx, used); err != nil {
			return nil, err
		}
		e.result.Layers = append(e.result.Layers, len(e.known)-before)
		e.here, e.next = e.next, nil
	}
	e.result.States = len(e.known)
	e.result.Complete = !e.over
	return &e.result, nil
}

func newExplorer(c *Config) *explorer {
	e := &explorer{common: common{
		cfg: c, gets: c.fates(machine.Get), writes: c.fates(machine.Update), known: map[digest]struct{}{},
	}}
	for range runtime.GOMAXPROCS(0) {
		e.workers = append(e.workers, &worker{chooser: chooser{common: &e.common}, canon: newCanon(c)})
	}
	return e
}

// roots makes the worlds at the start, one for each choice of starts and waits. The first candidate starts at 0, and no other before the one before
// it.
func (e *explorer) roots() {
	c := e.cfg
	waits := c.waits()
	starts := make([]time.Duration, c.Candidates)
	chosen := make([]time.Duration, c.Candidates)
	var choose func(i int)
	choose = func(i int) {
		if i == c.Candidates {
			w := newWorld(c, starts, chosen)
			e.here = append(e.here, state{w, e.workers[0].canon.digest(w)})
			return
		}
		earliest, latest := time.Duration(0), time.Duration(0)
		if i > 0 {
			earliest, latest = starts[i-1], waits[len(waits)-1]
		}
		for starts[i] = earliest; starts[i] <= latest; starts[i] += c.Grid {
			for _, chosen[i] = range waits {
				choose(i + 1)
			}
		}
	}
	choose(0)
}

// layer explores all states that can be reached with the number of faults used so far, and queues those with one fault more. The result does not
// depend on the number of workers.
func (e *explorer) layer(ctx context.Context, used int) error {
	e.here = slices.DeleteFunc(e.here, func(s state) bool { return !e.learn(s.digest) })
	for len(e.here) > 0 {
		if ctx.Err() != nil {
			e.over = true
			return nil
		}
		for _, x := range expand(e.workers, e.some()) {
			if err := e.add(&x, used); err != nil || e.over {
				return err
			}
		}
		if e.cfg.Progress != nil {
			e.cfg.Progress(Progress{Faults: used, States: len(e.known), Frontier: len(e.here), Next: len(e.next)})
		}
	}
	return nil
}

// some takes the next states to go on from: the oldest first, so that short runs are found, and the newest where there are too many to keep.
func (e *explorer) some() []state {
	n := min(chunk, len(e.here))
	from := 0
	if len(e.here) > wide {
		from = len(e.here) - n
	}
	some := slices.Clone(e.here[from : from+n])
	e.here = slices.Delete(e.here, from, from+n)
	return some
}

// add takes in what a state leads to: it queues new states, and ends the search at a violation.
func (e *explorer) add(x *expansion, used int) error {
	if e.cfg.MaxStates > 0 && len(e.known) >= e.cfg.MaxStates {
		e.over = true
		return nil
	}
	e.result.Events += x.events
	e.result.Runs += x.runs
	for i := range x.ways {
		if way := &x.ways[i]; way.overlap == 0 {
			e.queue(way)
		} else if err := e.violation(way.world, used, way.overlap); err != nil || e.over {
			return err
		}
	}
	return nil
}

// learn notes a state as met, and tells whether it is new. A run that leads to a known state is over, and counted.
func (e *explorer) learn(d digest) bool {
	if _, known := e.known[d]; known {
		e.result.Runs++
		return false
	}
	e.known[d] = struct{}{}
	return true
}

// queue keeps a new state for this layer or, where it took a fault, for the next one. A run that leads to a known state is counted.
func (e *explorer) queue(way *way) {
	switch {
	case way.cost == 0:
		if e.learn(way.digest) {
			e.here = append(e.here, way.state)
		}
	case e.isNew(way.digest, way.cost):
		e.queued[way.digest] = struct{}{}
		e.next = append(e.next, way.state)
	default:
		e.result.Runs++
	}
}

// violation reports an overlap with a scenario that shows it, and ends the search. Where there is no such scenario it counts that, and ends the
// search after too many.
func (e *explorer) violation(w *world, used int, overlap time.Duration) error {
	s, err := show(e.cfg, w)
	if err != nil {
		return err
	}
	if s == nil {
		e.result.Unshown++
		e.over = e.result.Unshown >= maxUnshown
		return nil
	}
	e.result.Found = &Found{Faults: used, Overlap: overlap, Scenario: s}
	e.over = true
	return nil
}
