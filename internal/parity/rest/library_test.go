package rest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"interregnum/plan"
)

// world runs a plan on the library.
type world struct {
	plan  *plan.Plan
	start time.Time
	// over is closed at the horizon; ctx then ends.
	over chan struct{}
	ctx  context.Context
	end  context.CancelFunc
	// mover is the candidate to which a call of the lock last returned: the one that draws jitter.
	mover    atomic.Int32
	listener *pipes
	wg       sync.WaitGroup

	mu     sync.Mutex
	marks  []mark
	active []bool
	store  store
	// seen counts what happens, for TestPinned.
	seen map[string]int
	// processes has the present process of each candidate.
	processes []*process
}

// runLibrary runs a plan on the library, and counts in seen what happens.
func runLibrary(t *testing.T, p *plan.Plan, seen map[string]int) (marks []mark) {
	synctest.Test(t, func(*testing.T) {
		w := &world{plan: p, start: time.Now(), over: make(chan struct{}), active: make([]bool, len(p.Faults)), seen: seen}
		w.ctx, w.end = context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
		w.listener = &pipes{make(chan net.Conn), w.over}
		jitterRand = func() float64 { return *p.Candidates[w.mover.Load()].Jitter }
		w.run()
		marks = w.marks
	})
	return sorted(marks)
}

func (w *world) run() {
	server := &http.Server{Handler: w}
	w.wg.Go(func() { _ = server.Serve(w.listener) })
	for i := range w.plan.Candidates {
		w.processes = append(w.processes, w.newProcess(i, w.plan.Candidates[i].ID, 1))
	}
	for i := range w.plan.Faults {
		f := &w.plan.Faults[i]
		w.at(f.At, func() { w.begin(i) })
		if f.Until != nil {
			w.at(*f.Until, func() { w.setActive(i, false) })
		}
	}
	for i, p := range w.processes {
		w.at(w.plan.Candidates[i].StartAt, p.live)
	}
	time.Sleep(w.plan.Horizon)
	w.mu.Lock()
	close(w.over)
	w.mu.Unlock()
	w.end()
	_ = server.Close()
	w.wg.Wait()
}

// at calls do at an instant before the horizon.
func (w *world) at(when time.Duration, do func()) {
	w.wg.Go(func() {
		if w.sleepUntil(when) {
			do()
		}
	})
}

// sleepUntil waits for an instant. It returns false if the world ends before.
func (w *world) sleepUntil(when time.Duration) bool {
	if when >= w.plan.Horizon {
		return false
	}
	time.Sleep(when - time.Since(w.start))
	return true
}

// note notes what happens to a candidate now, unless the world is over.
func (w *world) note(candidate int, what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.noteLocked(candidate, what)
}

func (w *world) noteLocked(candidate int, what string) {
	select {
	case <-w.over:
	default:
		w.marks = append(w.marks, mark{int64(time.Since(w.start)), candidate, what})
	}
}
