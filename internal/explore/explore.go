package explore

import (
	"context"
	"runtime"
	"slices"
	"time"

	"interregnum/elector/machine"
	"interregnum/scenarios"
)

// Result is what a search has covered and found.
type Result struct {
	// Layers has, for each number of faults from 0 on, how many states need that many. It ends where no state needs more.
	Layers []int
	// States is how many distinct states there are, and Events how many steps lead from one to another. Runs is how many
	// schedules were followed until they ended or came to a known state.
	States, Events, Runs int
	// Complete: every schedule within the bounds was followed, and there was no violation but those of Unshown.
	Complete bool
	// Unshown is how many violations were found of which no scenario could be made.
	Unshown int
	// Found is a violation with the fewest faults, of those that a scenario shows; nil where there is none.
	Found *Found
}

// Found is a violation.
type Found struct {
	// Faults is how many faults it needs.
	Faults int
	// Overlap is for how long two candidates had worked at once when the search noticed it.
	Overlap time.Duration
	// Scenario shows it.
	Scenario *scenarios.Scenario
}

// wide is the number of waiting states from which on the newest of them are explored first, and no longer the oldest.
const wide = 1 << 16

// maxUnshown is after how many violations that no scenario shows the search ends.
const maxUnshown = 100

// explorer is a search in progress.
type explorer struct {
	common
	workers []*worker
	// here are the states of this layer that wait to be explored, next those of the next layer.
	here, next []state
	result     Result
	// over: the search ends here. A violation was found that a scenario shows, a limit was reached, or the context has ended.
	over bool
}

// Run explores all schedules of a configuration, which must be valid, by their number of faults, until it finds a
// violation that a scenario shows, or reaches a limit. A search that ctx ends is not complete, which is no error. The
// error is that of a scenario which cannot be run.
func Run(ctx context.Context, c *Config) (*Result, error) {
	e := newExplorer(c)
	e.roots()
	for used := 0; used <= c.Faults && !e.over && len(e.here) > 0; used++ {
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

// newExplorer returns a search that has not begun, with one worker for each core.
func newExplorer(c *Config) *explorer {
	e := &explorer{common: common{
		cfg: c, gets: c.fates(machine.Get), writes: c.fates(machine.Update), known: map[digest]struct{}{},
	}}
	for range runtime.GOMAXPROCS(0) {
		e.workers = append(e.workers, &worker{chooser: chooser{common: &e.common}, canon: newCanon(c)})
	}
	return e
}

// roots queues the states at the start in e.here, one for each choice of starts and waits. The first candidate starts
// at 0; each other starts no earlier than the one before it.
func (e *explorer) roots() {
	c := e.cfg
	waits := c.waits()
	var s start
	var choose func(i int)
	choose = func(i int) {
		if i == c.Candidates {
			e.begin(s)
			return
		}
		earliest, latest := time.Duration(0), time.Duration(0)
		if i > 0 {
			earliest, latest = s.at[i-1], waits[len(waits)-1]
		}
		for s.at[i] = earliest; s.at[i] <= latest; s.at[i] += c.Grid {
			for _, s.waits[i] = range waits {
				choose(i + 1)
			}
		}
	}
	choose(0)
}

// begin adds the state that s describes to e.here, and s to e.starts.
func (e *explorer) begin(s start) {
	w := newWorld(e.cfg, &s)
	e.here = append(e.here, state{w, e.workers[0].canon.digest(w), e.paths.add(origin{choice: uint32(len(e.starts))})})
	e.starts = append(e.starts, s)
}

// layer explores all states that can be reached with used faults, and queues those that need one more in e.next. It ends before
// that, with e.over set and no error, at a violation that a scenario shows, at a limit, or if ctx ends. The result does not depend
// on the number of workers. The error is that of a scenario which cannot be run.
func (e *explorer) layer(ctx context.Context, used int) error {
	e.here = slices.DeleteFunc(e.here, func(s state) bool { return !e.learn(s.digest) })
	for len(e.here) > 0 {
		if ctx.Err() != nil {
			e.over = true
			return nil
		}
		some := e.takeChunk()
		for i, x := range expand(e.workers, some) {
			if err := e.add(some[i].number, &x, used); err != nil || e.over {
				return err
			}
		}
		if e.cfg.Progress != nil {
			e.cfg.Progress(Progress{Faults: used, States: len(e.known), Frontier: len(e.here), Next: len(e.next)})
		}
	}
	return nil
}

// takeChunk removes the next states to explore from e.here, and returns them: the oldest, so that short runs are found first,
// or the newest where too many wait.
func (e *explorer) takeChunk() []state {
	n := min(chunk, len(e.here))
	from := 0
	if len(e.here) > wide {
		from = len(e.here) - n
	}
	some := slices.Clone(e.here[from : from+n])
	e.here = slices.Delete(e.here, from, from+n)
	return some
}

// add queues the new states in x, to which the state from leads with used faults, and counts the events and runs of x. It sets
// e.over at a violation that a scenario shows, or at a limit. The error is that of a scenario which cannot be run.
func (e *explorer) add(from number, x *expansion, used int) error {
	e.result.Events += x.events
	e.result.Runs += x.runs
	for i := range x.ways {
		if way := &x.ways[i]; way.overlap > 0 {
			if err := e.violation(way.world, used, way.overlap); err != nil || e.over {
				return err
			}
			continue
		}
		if e.cfg.MaxStates > 0 && len(e.known) >= e.cfg.MaxStates || e.paths.last >= manyNumbers {
			e.over = true
			return nil
		}
		e.queue(from, &x.ways[i])
	}
	return nil
}

// learn adds a state to the known ones, and returns true if it is new. Otherwise it counts a run, since a run that
// leads to a known state is over.
func (e *explorer) learn(d digest) bool {
	if _, known := e.known[d]; known {
		e.result.Runs++
		return false
	}
	e.known[d] = struct{}{}
	return true
}

// queue adds the state of way, to which the state from leads, if it is new: to e.next if the choice was a fault, otherwise to
// e.here. If it is not new, queue counts a run, which is over. States in e.next lose their worlds, since there are so many of
// them.
func (e *explorer) queue(from number, way *way) {
	switch {
	case way.cost == 0:
		if e.learn(way.digest) {
			e.here = append(e.here, e.numbered(from, way))
		}
	case e.isNew(way.digest, way.cost):
		e.queued[way.digest] = struct{}{}
		way.world = nil
		e.next = append(e.next, e.numbered(from, way))
	default:
		e.result.Runs++
	}
}

// numbered gives the state of way a number, and returns that state. Under the number it keeps in e.paths how to get there: from
// which state, whose number is from, and by which choice. In the last layer it gives no number, since nothing there loses its
// world.
func (e *explorer) numbered(from number, way *way) state {
	if e.faults > 0 {
		way.number = e.paths.add(origin{from, uint32(way.choice)})
	}
	return way.state
}

// violation looks for a scenario that shows the overlap in the world w. If it finds one, it stores it in e.result and sets
// e.over. Otherwise it counts the overlap, and sets e.over after too many of them. used is the number of faults. The error is
// that of a scenario which cannot be run.
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
