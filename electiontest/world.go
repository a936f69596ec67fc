package electiontest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"interregnum/internal/trace"
	"interregnum/scenarios"
	"interregnum/simlock/fakekube"
)

// world is one run. It lives in a bubble of testing/synctest.
type world struct {
	scenario *scenarios.Scenario
	options  Options
	run      func(context.Context, *Candidate)
	header   *trace.Header
	server   *fakekube.Server
	start    time.Time
	// locks are where those of the elections are: of one where the scenario has none.
	locks []types.NamespacedName
	// over is closed at the horizon.
	over chan struct{}
	// touched asks for a look at the beliefs.
	touched chan struct{}
	bubble  *bubble

	mu sync.Mutex
	// events are those so far, each with the step that it happened in.
	events []happened
	step   int
	post   *post
	nodes  []*node
	// seats are those of all nodes, as the scenario's candidates.
	seats []*seat
	// askers are, by goroutine, whose lock it has last asked for; answered is who has last been answered.
	askers map[string]*seat
	// functions are, by goroutine, the processes whose functions they run.
	functions map[string]*process
	answered  *seat
	// targets are, by fault that names a role, whose seats it is on.
	targets [][]int
	void    []bool
	// met are the faults that something has met.
	met []bool
	// holders are, by election and object, the identities of whom the records name; aliases are who has other names.
	holders  [][trace.Objects]string
	aliases  map[string]*process
	storeOps uint64
	// problem is what makes the run worthless, "" for nothing.
	problem string
	// asked tells, by election, that somebody asked for the lock.
	asked []bool
	// tried: somebody has tried to write a lock; led: has taken and renewed one. guarded, observed and wrote: Guard,
	// Observe and Wrote were called.
	tried, led, guarded, observed, wrote bool
	// outlived are those whose functions had returned while their guarded work went on.
	outlived []outlived
	// refused is what the server does not serve.
	refused map[string]bool
	// free counts the answers that there was no lock yet.
	free int
}

// grace is how long, in virtual time, a candidate may go on once its context has ended at the horizon, and what it has left
// running after that: a bubble's time stands still once its function has returned.
const grace = 10 * time.Minute

func newWorld(s *scenarios.Scenario, o Options, run func(context.Context, *Candidate), b *bubble) *world {
	w := &world{
		scenario: s, options: o, run: run, header: s.Header(), server: o.Server, start: time.Now(),
		over: make(chan struct{}), touched: make(chan struct{}, 1), bubble: b, post: newPost(),
		aliases: map[string]*process{}, refused: map[string]bool{}, askers: map[string]*seat{}, functions: map[string]*process{},
		targets: make([][]int, len(s.Faults)), void: make([]bool, len(s.Faults)), met: make([]bool, len(s.Faults)),
	}
	if w.server == nil {
		w.server = &fakekube.Server{}
	}
	for i := range s.Candidates {
		c := &s.Candidates[i]
		if i == 0 || s.Candidates[i-1].ID != c.ID {
			w.nodes = append(w.nodes, newNode(w, c))
		}
		n, election := w.nodes[len(w.nodes)-1], max(slices.Index(s.Elections, c.Election), 0)
		n.seats = append(n.seats, newSeat(n, i, election))
		w.seats = append(w.seats, n.seats[len(n.seats)-1])
	}
	w.answered = w.seats[0]
	w.locks = make([]types.NamespacedName, max(len(s.Elections), 1))
	w.holders, w.asked = make([][trace.Objects]string, len(w.locks)), make([]bool, len(w.locks))
	for _, seat := range w.seats {
		w.locks[seat.election] = seat.key
	}
	return w
}

// action is what the run itself does at an instant.
type action struct {
	at time.Duration
	do func()
}

// actions are what the run itself does, by time: the beginnings and ends of faults, and starts. At one instant windows
// change first, then come the other faults, then starts.
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
			if first == (f.Kind.Window() && !f.NamesRole()) {
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
	slices.SortStableFunc(all, func(a, b action) int { return cmp.Compare(a.at, b.at) })
	return all
}

// live runs the scenario to its horizon, and waits for all candidates' functions to return. Of what happens at one instant
// timers of the code under test come first, then the scenario's actions, then messages; each only when all that followed
// from the one before has come to rest.
func (w *world) live() {
	w.mu.Lock()
	w.inherit()
	w.mu.Unlock()
	go w.look()
	actions := w.actions()
	for {
		synctest.Wait()
		now, next := w.now(), w.scenario.Horizon
		if now >= next {
			break
		}
		if len(actions) > 0 {
			next = min(next, actions[0].at)
		}
		w.mu.Lock()
		parcel := w.post.first()
		if parcel != nil {
			next = min(next, parcel.at)
		}
		if next <= now {
			w.step++
		}
		w.mu.Unlock()
		switch {
		case next > now:
			w.sleep(next - now)
		case len(actions) > 0 && actions[0].at <= now:
			actions[0].do()
			actions = actions[1:]
		default:
			w.mu.Lock()
			w.post.remove(parcel)
			w.mu.Unlock()
			go parcel.deliver()
		}
	}
	w.mu.Lock()
	close(w.over)
	for _, n := range w.nodes {
		if n.process != nil {
			n.process.cancel()
		}
	}
	w.mu.Unlock()
	time.Sleep(grace)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range w.nodes {
		if n.process != nil && n.process.running {
			w.fail("the function of candidate %s has not returned within %v of virtual time after its context had ended: "+
				"let it return, or let what it waits for have an end", n.plan.ID, grace)
		}
	}
}

// sleep lasts so long, or until something has been posted.
func (w *world) sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.post.more:
	}
}

// fail says what makes the run worthless; the first counts. The caller holds w.mu.
func (w *world) fail(format string, args ...any) {
	if w.problem == "" {
		w.problem = fmt.Sprintf(format, args...)
	}
}

// standsFor notes why the run was given up, beside any problem that there was before: the verdict is about that. The
// caller holds w.mu.
func (w *world) standsFor(reason string) {
	at := time.Duration(0)
	if len(w.events) > 0 {
		at = time.Duration(w.events[len(w.events)-1].At)
	}
	given := fmt.Sprintf("the run was given up after %v: %s", at, reason)
	if w.problem != "" {
		given = w.problem + "; and " + given
	}
	w.problem = given
}

// now is how much virtual time has passed since the run began.
func (w *world) now() time.Duration { return time.Since(w.start) }

// isOver tells whether the run has reached its horizon.
func (w *world) isOver() bool {
	select {
	case <-w.over:
		return true
	default:
		return w.now() >= w.scenario.Horizon
	}
}

// note adds an event that happens now, unless the run is over. The caller holds w.mu.
func (w *world) note(e trace.Event) {
	if w.isOver() {
		return
	}
	e.At = int64(w.now())
	w.events = append(w.events, happened{e, w.step})
}

// context is what a candidate's function is called with, before the candidate is added to it: loggers of klog are
// silent in it.
func (w *world) context() (context.Context, context.CancelFunc) {
	return context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
}

// touch makes look ask all electors what they believe, once everything of this instant has happened.
func (w *world) touch() {
	select {
	case w.touched <- struct{}{}:
	default:
	}
}

// look waits for touch, and then notes what the electors that were given to Observe say: a nanosecond later, when
// nothing of the instant is left to happen, and as of that instant.
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
		var all []*part
		for _, s := range w.seats {
			if s.node.runs() && s.part.runs && s.part.elector != nil {
				all = append(all, s.part)
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
