package parity

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"interregnum/plan"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"
)

// current is the world whose library is running: the library's jitter and metrics are global.
var current atomic.Pointer[world]

// world runs a plan on the library.
type world struct {
	plan  *plan.Plan
	start time.Time
	// over is closed at the horizon; ctx, from which every Run's context derives, then ends.
	over chan struct{}
	ctx  context.Context
	end  context.CancelFunc
	// mover is the candidate that a call of the lock last returned to: the one that draws jitter.
	mover mover

	mu        sync.Mutex
	service   service
	history   history
	processes []*process
	byName    map[string]*process
	targets   [][]int
	active    []bool
	wg        sync.WaitGroup
}

// process is one incarnation of a candidate.
type process struct {
	world       *world
	candidate   int
	incarnation int
	identity    string
	dead        chan struct{}
	cancel      context.CancelFunc
	// elector is the one that runs; last the last that ran.
	elector, last *leaderelection.LeaderElector
	running       bool
	left          bool
	terms         []int
	// stoppedAt is when OnStoppedLeading was last called while no term was open.
	stoppedAt int64
}

func (p *process) name() string { return fmt.Sprintf("%d/%d", p.candidate, p.incarnation) }

func (p *process) gone() bool {
	select {
	case <-p.dead:
		return true
	default:
		return false
	}
}

// runLibrary runs a plan on the library, and looks at the beliefs at the given instants.
func runLibrary(t *testing.T, p *plan.Plan, samples []time.Duration) history {
	var h history
	synctest.Test(t, func(*testing.T) {
		w := &world{
			plan: p, start: time.Now(), over: make(chan struct{}),
			processes: make([]*process, len(p.Candidates)),
			byName:    map[string]*process{},
			targets:   make([][]int, len(p.Faults)),
			active:    make([]bool, len(p.Faults)),
		}
		w.ctx, w.end = context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
		current.Store(w)
		w.fixJitter()
		w.run(samples)
		h = w.history
	})
	h.sorted()
	return h
}

func (w *world) run(samples []time.Duration) {
	for i := range w.plan.Faults {
		w.at(w.plan.Faults[i].At, func() { w.begin(i) })
		if until := w.plan.Faults[i].Until; until != nil {
			w.at(*until, func() { w.setActive(i, false) })
		}
	}
	for i := range w.plan.Candidates {
		c := &w.plan.Candidates[i]
		w.at(c.StartAt, func() { w.spawn(i, 1, identityOf(c)) })
	}
	for _, at := range samples {
		w.at(at, func() { w.sample(at) })
	}
	time.Sleep(w.plan.Horizon)
	w.mu.Lock()
	close(w.over)
	w.end()
	w.mu.Unlock()
	w.wg.Wait()
}

// at calls do at an instant before the horizon.
func (w *world) at(when time.Duration, do func()) {
	if when >= w.plan.Horizon {
		return
	}
	w.wg.Add(1)
	go func() {
		defer w.wg.Done()
		time.Sleep(when)
		do()
	}()
}

func identityOf(c *plan.Candidate) string {
	if c.Identity != "" {
		return c.Identity
	}
	return c.ID
}

func (w *world) now() int64 { return int64(time.Since(w.start)) }

// note runs f with the history, unless the world is over.
func (w *world) note(f func(h *history)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.over:
	default:
		f(&w.history)
	}
}

func (w *world) spawn(candidate, incarnation int, identity string) {
	w.mu.Lock()
	if old := w.processes[candidate]; old != nil && old.incarnation >= incarnation {
		w.mu.Unlock()
		return
	}
	p := &process{
		world: w, candidate: candidate, incarnation: incarnation, identity: identity, dead: make(chan struct{}),
		stoppedAt: none,
	}
	w.processes[candidate] = p
	w.byName[p.name()] = p
	w.mu.Unlock()
	w.wg.Add(1)
	go func() {
		defer w.wg.Done()
		p.live()
	}()
}

// live runs a process: it calls Run, and Run again if the plan says so.
func (p *process) live() {
	rejoin := p.world.plan.Candidates[p.candidate].Rejoin
	for {
		p.runOnce()
		if rejoin == nil || p.gone() {
			p.world.mu.Lock()
			p.left = true
			p.world.mu.Unlock()
			return
		}
		select {
		case <-time.After(*rejoin):
		case <-p.dead:
			return
		case <-p.world.over:
			return
		}
	}
}

func (p *process) runOnce() {
	w, c := p.world, &p.world.plan.Candidates[p.candidate]
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	if p.last == nil || !c.SameElector {
		p.last = p.newElector(c)
	}
	w.mu.Lock()
	p.cancel, p.elector, p.running = cancel, p.last, true
	w.mu.Unlock()
	p.last.Run(ctx)
	w.mu.Lock()
	p.running = false
	p.elector = nil
	w.mu.Unlock()
}

func (p *process) newElector(c *plan.Candidate) *leaderelection.LeaderElector {
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Name:            p.name(),
		Lock:            p.lock(),
		LeaseDuration:   c.LeaseDuration,
		RenewDeadline:   c.RenewDeadline,
		RetryPeriod:     c.RetryPeriod,
		ReleaseOnCancel: c.ReleaseOnCancel,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: p.work,
			OnStoppedLeading: p.stopped,
			OnNewLeader:      func(identity string) { p.observe("leader", identity) },
		},
	})
	if err != nil {
		panic(err)
	}
	setClock(elector, c.Clock.Offset)
	return elector
}

// work is OnStartedLeading. It returns when its work is over, or earlier if the plan says so.
func (p *process) work(ctx context.Context) {
	after := p.world.plan.Candidates[p.candidate].ReturnsAfter
	if after == 0 {
		p.guarded(ctx)
		return
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		p.guarded(ctx)
	}()
	select {
	case <-over:
	case <-time.After(after):
	case <-p.dead:
	}
}

// guarded is what OnStartedLeading does or begins.
func (p *process) guarded(ctx context.Context) {
	w := p.world
	index := -1
	w.note(func(h *history) {
		if !p.gone() {
			index = len(h.terms)
			p.terms = append(p.terms, index)
			t := term{
				candidate: p.candidate, incarnation: p.incarnation, started: w.now(),
				cancelled: none, ended: none, stopped: none,
			}
			if p.stoppedAt == t.started {
				t.stopped = t.started // this call came aside, and Run returned at the same instant
			}
			h.terms = append(h.terms, t)
		}
	})
	if index < 0 {
		return
	}
	select {
	case <-ctx.Done():
	case <-p.dead:
		return
	}
	p.set(func(t *term) { t.cancelled = w.now() }, index)
	select {
	case <-time.After(w.plan.Candidates[p.candidate].Drain):
	case <-p.dead:
		return
	case <-w.over:
		return
	}
	p.set(func(t *term) { t.ended = w.now() }, index)
}

func (p *process) set(f func(*term), index int) {
	p.world.note(func(h *history) {
		if !p.gone() {
			f(&h.terms[index])
		}
	})
}

// stopped is OnStoppedLeading. The term it ends is the last one that has no such end yet.
func (p *process) stopped() {
	p.world.note(func(h *history) {
		if p.gone() {
			return
		}
		now := p.world.now()
		if len(p.terms) == 0 || h.terms[p.terms[len(p.terms)-1]].stopped != none {
			p.stoppedAt = now
			return
		}
		h.terms[p.terms[len(p.terms)-1]].stopped = now
	})
}

func (p *process) observe(what, text string) {
	p.world.note(func(h *history) {
		if !p.gone() {
			h.observations = append(h.observations, observation{p.world.now(), p.candidate, what, text})
		}
	})
}

// Eventf is the lock's event recorder.
func (p *process) Eventf(_ runtime.Object, _, _, format string, args ...any) {
	p.observe("event", fmt.Sprintf(format, args...)[len(p.identity)+1:])
}

func noteMetric(name, what string) {
	w := current.Load()
	w.mu.Lock()
	p := w.byName[name]
	w.mu.Unlock()
	p.observe("metric", what)
}

func (w *world) sample(at time.Duration) {
	w.note(func(h *history) {
		var who []int
		for i, p := range w.processes {
			if p != nil && !p.gone() && p.elector != nil && p.elector.IsLeader() {
				who = append(who, i)
			}
		}
		h.beliefs = append(h.beliefs, belief{int64(at), fmt.Sprint(who)})
	})
}

// transmit carries a request to the service and its answer back.
func (w *world) transmit(p *process, verb string, in payload, replies chan reply) {
	lost := true // where the world is over
	var delay time.Duration
	w.note(func(h *history) {
		h.requests = append(h.requests, request{w.now(), p.candidate, verb, objectOf(in)})
		lost, delay = w.leg(p.candidate, objectOf(in), plan.RequestLeg)
	})
	if lost {
		return
	}
	w.wg.Add(1)
	go func() {
		defer w.wg.Done()
		time.Sleep(delay)
		r, lost, delay := w.serve(p, verb, in)
		if lost {
			return
		}
		time.Sleep(delay)
		replies <- r
	}()
}

// serve handles a request's arrival.
func (w *world) serve(p *process, verb string, in payload) (r reply, lost bool, delay time.Duration) {
	lost = true // where the world is over
	w.note(func(h *history) {
		status, applied := w.refusal(p.candidate, objectOf(in), verb)
		if status == 0 || applied {
			var changed bool
			r, changed = w.service.reply(verb, in)
			if changed {
				h.writes = append(h.writes, write{
					at: w.now(), candidate: p.candidate, verb: verb, holder: r.holder(),
					version: w.service.version, transitions: r.transitions(),
				})
			}
		}
		if status != 0 {
			r = reply{status: status}
		}
		lost, delay = w.leg(p.candidate, objectOf(in), plan.ResponseLeg)
	})
	return r, lost, delay
}

func (w *world) matching(candidate int, object string) []*plan.Fault {
	var out []*plan.Fault
	for i := range w.plan.Faults {
		f := &w.plan.Faults[i]
		if w.active[i] && (len(f.On) == 0 || slices.Contains(w.targets[i], candidate)) &&
			(f.Object == "" || f.Object == object) {
			out = append(out, f)
		}
	}
	return out
}
