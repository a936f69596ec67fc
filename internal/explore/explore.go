package explore

import (
	"context"
	"slices"
	"time"

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

// maxUnshown is how many violations are tried until one can be shown.
const maxUnshown = 100

// explorer is a search in progress.
type explorer struct {
	cfg   *Config
	canon *canon
	// gets and writes are the fates of messages.
	gets, writes []fate
	// faults is how many are left in this layer.
	faults int
	known  map[digest]struct{}
	// here are the states to go on from with the faults of this layer, next with one more.
	here, next []state
	queued     map[digest]struct{}
	result     Result
	// over: a violation was found, or a bound reached.
	over bool
}

// state is a world and its digest.
type state struct {
	world  *world
	digest digest
}

// Run searches. The configuration must be valid. A search that the context ends is not complete. The error is that of a
// scenario which cannot be run.
func Run(ctx context.Context, c *Config) (*Result, error) {
	e := &explorer{
		cfg: c, canon: newCanon(c), gets: c.fates(1), writes: c.fates(2), known: map[digest]struct{}{},
	}
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

// roots are the worlds at the start: the first candidate starts at once, each other not before the one before it.
func (e *explorer) roots() {
	c := e.cfg
	waits := c.waits()
	starts := make([]time.Duration, c.Candidates)
	chosen := make([]time.Duration, c.Candidates)
	var choose func(i int)
	choose = func(i int) {
		if i == c.Candidates {
			w := newWorld(c, starts, chosen)
			e.here = append(e.here, state{w, e.canon.digest(w)})
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

// layer goes on from all states that so many faults lead to.
func (e *explorer) layer(ctx context.Context, used int) error {
	e.here = slices.DeleteFunc(e.here, func(s state) bool { return !e.learn(s.digest) })
	for i := 0; i < len(e.here); i++ {
		w := e.here[i].world
		e.here[i].world = nil
		if i%1024 == 0 && ctx.Err() != nil || e.cfg.MaxStates > 0 && len(e.known) >= e.cfg.MaxStates {
			e.over = true
			return nil
		}
		if err := e.follow(w, used); err != nil || e.over {
			return err
		}
	}
	return nil
}

// learn tells whether a state is new, and ends the run that led to it where it is not.
func (e *explorer) learn(d digest) bool {
	if _, known := e.known[d]; known {
		e.result.Runs++
		return false
	}
	e.known[d] = struct{}{}
	return true
}

// follow goes on from a state to where there is more than one choice, or time passes, and then ways part.
func (e *explorer) follow(w *world, used int) error {
	for {
		all := e.choices(w)
		if len(all) == 0 {
			e.result.Runs++
			return e.stuck(w, used)
		}
		e.result.Events += len(all)
		if len(all) == 1 && all[0].kind != pass {
			w.take(&all[0])
			continue
		}
		for i := range all {
			if err := e.branch(w, &all[i], used); err != nil || e.over {
				return err
			}
		}
		return nil
	}
}

// forever is an overlap that nothing ends.
const forever = time.Duration(1<<63 - 1)

// stuck is a state in which nothing happens any more.
func (e *explorer) stuck(w *world, used int) error {
	if w.overlap(w.now+e.cfg.Grid) == 0 {
		return nil
	}
	return e.violation(w, used, forever)
}

// branch goes one way.
func (e *explorer) branch(w *world, c *choice, used int) error {
	if c.kind == pass || c.kind == cancel {
		if overlap := w.overlap(c.until); overlap > e.cfg.Exceeds {
			e.result.Runs++
			return e.violation(w, used, overlap)
		}
	}
	child := w.clone()
	child.take(c)
	e.queue(child, c.cost)
	return nil
}

// queue keeps a state to go on from, in this layer or the next, where that is new.
func (e *explorer) queue(w *world, cost int) {
	s := state{w, e.canon.digest(w)}
	if cost == 0 {
		if e.learn(s.digest) {
			e.here = append(e.here, s)
		}
		return
	}
	_, known := e.known[s.digest]
	_, queued := e.queued[s.digest]
	if known || queued {
		e.result.Runs++
		return
	}
	e.queued[s.digest] = struct{}{}
	e.next = append(e.next, s)
}

// violation shows what was found, if it can.
func (e *explorer) violation(w *world, used int, overlap time.Duration) error {
	s, err := e.show(w)
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
