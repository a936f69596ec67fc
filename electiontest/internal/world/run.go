// Package world runs a scenario on code that is not simulated: its candidates are processes of that code on virtual time, with an
// API server in memory behind the scenario's network and faults.
//
// The run is a world. It has a node for each candidate of the scenario, and the node a seat for each election that the candidate
// takes part in. A process is one incarnation of a node; a Part is what a process does in one election. A term is one stretch of
// guarded work. A seat's index is that of the candidate in the trace. A fault is void if it finds nobody, or nothing to do. The kit
// is electiontest itself, as opposed to the code under test.
package world

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"interregnum/electiontest/internal/bubble"
	"interregnum/electiontest/internal/order"
)

// turn is held during a run, so that one program has one run at a time: runs share the library's source of random numbers.
var turn sync.Mutex

// Run runs a scenario on virtual time, and returns what it left to be judged. refusal.Of must have accepted the scenario. A run
// that is stuck is given up, which Evidence.Stuck and Blind tell. Runs of one program wait for each other.
func Run(t *testing.T, setup *Setup) *Evidence {
	turn.Lock()
	defer turn.Unlock()
	listen()
	_ = t.Context().Done() // a channel made in the bubble could not be closed outside of it
	var w *world
	b := bubble.New(setup.Scenario.Name, setup.Patience)
	b.Run(t, func() {
		w = newWorld(setup, b)
		current.Store(w)
		defer current.Store(nil)
		w.play()
	})
	if b.Stuck != "" {
		w.mu.Lock() // what is left of the run rests, but is there
		defer w.mu.Unlock()
		w.noteGivenUp(b.Stuck)
	}
	whole := make([]bool, len(w.header.Candidates))
	for _, s := range w.seats {
		whole[s.index] = s.whole
	}
	blind, hindered := w.blind()
	left := &Evidence{
		Whole: whole, Released: w.released, Doubted: w.doubted,
		Header: w.header, Events: order.Of(w.events), StoreOps: w.storeOps, Blind: blind, Met: w.met, Observed: w.observed && !w.unseen,
		Wrote: w.wrote, Outlived: w.outlived, Forgotten: w.forgotten, Unserved: w.refusals(), Left: b.Left, Stuck: b.Stuck != "",
	}
	if hindered {
		left.Blind, left.Hindered = "", blind
	}
	return left
}

// noteGivenUp adds to w.problem why the run was given up, after any problem that there was before. The caller holds w.mu.
func (w *world) noteGivenUp(reason string) {
	at := time.Duration(0)
	if len(w.events) > 0 {
		at = time.Duration(w.events[len(w.events)-1].At)
	}
	given := fmt.Sprintf("the run was given up after %v: %s", at, reason)
	if refusals := w.refusals(); refusals != "" {
		given = refusals + ", which is perhaps why " + given
	}
	if w.problem != "" {
		given = w.problem + "; and " + given
	}
	w.problem = given
}
