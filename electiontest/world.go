package electiontest

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"interregnum/internal/sim"
	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/simlock/fakekube"
)

// world is one run. It lives in a bubble of testing/synctest.
type world struct {
	scenario *scenarios.Scenario
	options  Options
	run      func(context.Context, *Candidate)
	server   *fakekube.Server
	start    time.Time
	// over is closed at the horizon.
	over chan struct{}
	// serving is held while a request is executed: of those that arrive at one instant, the events are in the order in
	// which they took effect. It is a channel since a mutex would stop the bubble's time.
	serving chan struct{}
	// touched asks for a look at the beliefs.
	touched chan struct{}

	mu     sync.Mutex
	events []trace.Event
	nodes  []*node
	// targets are, by fault that names a role, whom it is on.
	targets [][]int
	void    []bool
	// holder is the identity of whom the record names; aliases are the identities of other names.
	holder   string
	aliases  map[string]string
	storeOps uint64
	// stuck says who has made no progress, "" for nobody.
	stuck string
	// asked: somebody asked for the lock; led: somebody has taken and renewed it. guarded, observed and wrote: Guard,
	// Observe and Wrote were called.
	asked, led, guarded, observed, wrote bool

	processes sync.WaitGroup
}

// grace is how long, in virtual time, a candidate may go on once its context has ended at the horizon, and what it has left
// running after that: a bubble's time stands still once its function has returned.
const grace = 10 * time.Minute

func newWorld(s *scenarios.Scenario, o Options, run func(context.Context, *Candidate)) *world {
	w := &world{
		scenario: s, options: o, run: run, server: o.Server, start: time.Now(),
		over: make(chan struct{}), serving: make(chan struct{}, 1), touched: make(chan struct{}, 1),
		aliases: map[string]string{},
		targets: make([][]int, len(s.Faults)), void: make([]bool, len(s.Faults)),
	}
	if w.server == nil {
		w.server = &fakekube.Server{}
	}
	for i := range s.Candidates {
		w.nodes = append(w.nodes, newNode(w, i))
	}
	return w
}

// action is what the run itself does at an instant.
type action struct {
	at time.Duration
	do func()
}

// actions are in order: at one instant windows change first, then come the other faults, then starts.
func (w *world) actions() []action {
	var all []action
	add := func(at time.Duration, do func()) {
		if at < w.scenario.Horizon {
			all = append(all, action{at, do})
		}
	}
	for _, first := range []bool{true, false} {
		for i := range w.scenario.Faults {
			f := &w.scenario.Faults[i]
			if first == (f.Kind.Window() && !namesRole(f)) {
				add(f.At, func() { w.begin(i) })
			}
			if f.Until != nil && first {
				add(*f.Until, func() { w.end(i) })
			}
		}
	}
	for i := range w.nodes {
		n := w.nodes[i]
		add(n.plan.StartAt, n.startFirst)
	}
	slices.SortStableFunc(all, func(a, b action) int { return int(a.at - b.at) })
	return all
}

// live runs the scenario to its horizon, and waits for all candidates' functions to return.
func (w *world) live() {
	go w.look()
	for _, a := range w.actions() {
		time.Sleep(a.at - w.now())
		a.do()
	}
	time.Sleep(w.scenario.Horizon - w.now())
	w.mu.Lock()
	close(w.over)
	for _, n := range w.nodes {
		if n.process != nil {
			n.process.cancel()
		}
	}
	w.mu.Unlock()
	gone := make(chan struct{})
	go func() {
		w.processes.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		time.Sleep(grace)
	case <-time.After(grace):
		fmt.Fprintf(os.Stderr, "electiontest: scenario %s: %s did not return within %v of virtual time after the context "+
			"had ended; a test can only end once it has: let it return, or let what it waits for have an end\n",
			w.scenario.Name, w.lingering(), grace)
	}
}

func (w *world) lingering() (who string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range w.nodes {
		if n.process != nil && n.process.running {
			who += "candidate " + n.plan.ID + ", "
		}
	}
	return who[:max(len(who)-2, 0)]
}

func (w *world) now() time.Duration { return time.Since(w.start) }

func (w *world) isOver() bool {
	select {
	case <-w.over:
		return true
	default:
		return w.now() >= w.scenario.Horizon
	}
}

// note adds an event. The caller holds w.mu.
func (w *world) note(e trace.Event) {
	if w.isOver() {
		return
	}
	e.At = int64(w.now())
	w.events = append(w.events, e)
}

// context is what a Run gets.
func (w *world) context() (context.Context, context.CancelFunc) {
	return context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
}

// touch has the beliefs looked at once everything of this instant has happened.
func (w *world) touch() {
	select {
	case w.touched <- struct{}{}:
	default:
	}
}

// look notes what the electors that were given to Observe say: a nanosecond later, when nothing of the instant is left to
// happen, and as of that instant.
func (w *world) look() {
	for {
		select {
		case <-w.over:
			return
		case <-w.touched:
		}
		at := int64(w.now())
		time.Sleep(time.Nanosecond)
		w.mu.Lock()
		over := w.isOver()
		var all []*process
		for _, n := range w.nodes {
			if p := n.process; p != nil && p.running && !p.gone() && p.elector != nil {
				all = append(all, p)
			}
		}
		w.mu.Unlock()
		if over {
			return
		}
		for _, p := range all {
			p.believe(at, p.elector.IsLeader())
		}
	}
}

func namesRole(f *scenarios.Fault) bool {
	return slices.Contains(f.On, sim.RoleLeader) || slices.Contains(f.On, sim.RoleFollower)
}
