package adversary

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/go-logr/logr"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	_ "k8s.io/apimachinery/pkg/util/wait" // holds jitterRand
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// jitterRand is the library's only source of random numbers.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64

// libraryWorld runs genomes on the unmodified library. One at a time: the library's jitter is global.
type libraryWorld struct{ t *testing.T }

// bubble is one run.
type bubble struct {
	c     *Case
	g     *Genome
	out   *Outcome
	start time.Time
	over  chan struct{}
	lease *coordinationv1.Lease
	// version is the lease's, as a number.
	version int
	mover   int
	closed  bool
	// mu is of all above but mover, and of the clients.
	mu sync.Mutex
	// alive is how many candidates may yet do something, and left is told when none is.
	alive int
	left  chan struct{}
}

func (w libraryWorld) run(c *Case, g *Genome) *Outcome {
	out := newOutcome(g)
	synctest.Test(w.t, func(*testing.T) {
		b := &bubble{
			c: c, g: g, out: out, start: time.Now(), over: make(chan struct{}), alive: len(g.Parts),
			left: make(chan struct{}, len(g.Parts)),
		}
		jitterRand = func() float64 {
			at := clients[name(b.mover)].step
			out.Drew[b.mover] = append(out.Drew[b.mover], at)
			return g.Parts[b.mover].jitter(at)
		}
		b.run()
	})
	return out
}

func (b *bubble) run() {
	ctx, end := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	clients = map[string]*client{}
	for i := range b.g.Parts {
		clients[name(i)] = &client{b: b, i: i, p: &b.g.Parts[i], starts: make(chan struct{})}
	}
	for i := range b.g.Parts {
		go b.live(ctx, clients[name(i)])
	}
	horizon := time.After(b.g.Horizon)
	for over := false; !over; {
		select {
		case <-horizon:
			over = true
		case <-b.left:
			b.alive--
			over = b.alive == 0
		}
	}
	b.mu.Lock()
	now := b.now()
	for i := range b.out.Works {
		if w := &b.out.Works[i]; w.End == never {
			w.End = now
		}
	}
	b.closed = true
	close(b.over)
	b.mu.Unlock()
	end()
	synctest.Wait()
}

func (b *bubble) now() time.Duration { return time.Since(b.start) }

// live is a candidate's life: its Runs, on one elector.
func (b *bubble) live(ctx context.Context, l *client) {
	i, p := l.i, l.p
	defer func() { b.left <- struct{}{} }()
	if !b.started(l) {
		return
	}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: "ns", Name: "lock"},
			Client:     l,
			LockConfig: resourcelock.ResourceLockConfig{Identity: name(i), EventRecorder: l},
		},
		LeaseDuration:   b.c.Config.LeaseDuration,
		RenewDeadline:   b.c.Config.RenewDeadline,
		RetryPeriod:     b.c.Config.RetryPeriod,
		ReleaseOnCancel: b.c.Config.ReleaseOnCancel,
		Name:            name(i),
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: l.work, OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		panic(err)
	}
	field := reflect.ValueOf(elector).Elem().FieldByName("clock")
	*(*clock.Clock)(unsafe.Pointer(field.UnsafeAddr())) = aheadClock{ahead: p.Offset}
	for run := 0; ; run++ {
		runCtx, cancel := context.WithCancel(ctx)
		l.begin(run, cancel)
		elector.Run(runCtx)
		l.end()
		cancel()
		if !b.c.Env.Reruns || run >= len(p.Reruns) || !b.sleep(p.Reruns[run]) {
			break
		}
	}
	// The last work may drain yet.
	b.sleep(b.c.Env.Drain)
}

// started waits for a candidate's start, and tells whether the world still goes on.
func (b *bubble) started(l *client) bool {
	if b.g.follows(l.i) == nil {
		return b.sleep(l.p.Start)
	}
	select {
	case <-l.starts:
		return true
	case <-b.over:
		return false
	}
}

// sleep tells whether the world still goes on.
func (b *bubble) sleep(d time.Duration) bool {
	select {
	case <-b.over:
		return false
	default:
	}
	if d <= 0 {
		return true
	}
	t := time.NewTimer(d)
	select {
	case <-t.C:
		return true
	case <-b.over:
		t.Stop()
		return false
	}
}

type aheadClock struct {
	clock.RealClock
	ahead time.Duration
}

func (c aheadClock) Now() time.Time                  { return time.Now().Add(c.ahead) }
func (c aheadClock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// onLibrary shows a plan on the library. Where the two worlds differ, since two events come at one instant, it looks for a
// plan hardly different that shows as much there.
func onLibrary(t *testing.T, c *Case, f *found) *found {
	k := &climber{c: c, w: libraryWorld{t}, d: newDraw(1, 4), limit: 1 << 30, enough: f.score - time.Microsecond}
	at := &island{at: k.try(f.g), of: overlap, cold: true}
	for n := 0; n < 300 && k.left(1); n++ {
		g := f.g.clone()
		all := k.d.genes(c, g, f.o)
		for range 1 + k.d.IntN(4) {
			x := all[k.d.IntN(len(all))]
			if before := g.clone(); !x.move(c, g, time.Duration(k.d.IntN(9)-4)) {
				g = before
			}
		}
		at.take(k.try(g))
	}
	return at.at
}
