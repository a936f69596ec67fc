package coordinator

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/api/coordination/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	_ "k8s.io/apimachinery/pkg/util/wait" // holds jitterRand
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	controllers "k8s.io/kubernetes/pkg/controlplane/controller/leaderelection"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"

	"interregnum/plan"
	"interregnum/simlock/fakekube"
)

const (
	namespace = "ns"
	lock      = "lock"
)

// jitterRand is the library's source of the jitter of leader election.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64

// world runs a plan on the real controller, the real LeaseCandidates and the real electors.
type world struct {
	plan   *plan.Plan
	server fakekube.Server
	start  time.Time
	ctx    context.Context
	wg     sync.WaitGroup

	mu     sync.Mutex
	writes []write
	lives  map[string]*life
}

// life is a process, or Run after Run of one.
type life struct {
	user string
	end  context.CancelFunc
}

func runReal(t *testing.T, plan *plan.Plan) (writes []write) {
	synctest.Test(t, func(*testing.T) {
		jitterRand = func() float64 { return *plan.Candidates[0].Jitter }
		ctx, end := context.WithCancel(context.Background())
		w := &world{plan: plan, start: time.Now(), ctx: ctx, lives: map[string]*life{}}
		w.run()
		end()
		w.wg.Wait()
		time.Sleep(time.Hour) // what the library has left running ends
		writes = w.writes
	})
	return writes
}

func (w *world) run() {
	w.server.CoordinatedLeaderElection = true
	w.watch()
	for i := range w.plan.Candidates {
		c := &w.plan.Candidates[i]
		w.at(c.StartAt, func() { w.spawn(c) })
	}
	if c := w.plan.Coordinator; c != nil {
		w.at(c.StartAt, func() { w.coordinate() })
	}
	for i := range w.plan.Faults {
		f := &w.plan.Faults[i]
		if f.Kind != plan.FaultError {
			w.at(f.At, func() { w.begin(f) })
		}
	}
	time.Sleep(w.plan.Horizon)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.lives {
		l.end()
	}
}

func (w *world) at(when time.Duration, do func()) {
	if when >= w.plan.Horizon {
		return
	}
	w.wg.Go(func() {
		time.Sleep(when)
		do()
	})
}

// watch notes every write.
func (w *world) watch() {
	client := w.server.Clientset()
	leases, err := client.CoordinationV1().Leases(namespace).Watch(w.ctx, metav1.ListOptions{})
	if err != nil {
		panic(err)
	}
	candidates, err := client.CoordinationV1beta1().LeaseCandidates(namespace).Watch(w.ctx, metav1.ListOptions{})
	if err != nil {
		panic(err)
	}
	for _, stream := range []watch.Interface{leases, candidates} {
		w.wg.Go(func() {
			defer stream.Stop()
			for {
				select {
				case e := <-stream.ResultChan():
					w.note(e)
				case <-w.ctx.Done():
					return
				}
			}
		})
	}
}

func (w *world) note(e watch.Event) {
	at := time.Since(w.start)
	if at >= w.plan.Horizon {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch o := e.Object.(type) {
	case *coordinationv1.Lease:
		w.writes = append(w.writes, write{at, "lease", ptr.Deref(o.Spec.HolderIdentity, ""), int64(ptr.Deref(o.Spec.LeaseDurationSeconds, 0))})
	case *v1beta1.LeaseCandidate:
		w.writes = append(w.writes, write{at, "candidate", o.Name, 0})
	}
}

// user is a client's name, whose requests take their time.
func (w *world) user(name string, way plan.Network) (kubernetes.Interface, *life) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := &life{user: fmt.Sprintf("%s-%d", name, len(w.lives))}
	for w.lives[l.user] != nil {
		l.user += "x"
	}
	w.lives[l.user], w.lives[name] = l, l
	w.server.Inject(fakekube.Fault{User: l.user, Request: way.Request.Min, Response: way.Response.Min})
	w.fail(l, name, way)
	return kubernetes.NewForConfigOrDie(w.server.ConfigFor(l.user)), l
}

func (w *world) coordinate() {
	way := w.plan.Network
	way.Request = *w.plan.Coordinator.Request
	client, l := w.user(plan.CoordinatorID, way)
	ctx, end := context.WithCancel(w.ctx)
	l.end = end
	factory := informers.NewSharedInformerFactory(client, 10*time.Minute)
	leases, candidates := factory.Coordination().V1().Leases(), factory.Coordination().V1beta1().LeaseCandidates()
	c, err := controllers.NewController(leases, candidates, client.CoordinationV1(), client.CoordinationV1beta1())
	if err != nil {
		panic(err)
	}
	setClock(c, w.plan.Coordinator.Clock.Offset)
	collector := controllers.NewLeaseCandidateGC(client, 30*time.Minute, candidates)
	factory.Start(ctx.Done())
	w.wg.Go(func() { c.Run(ctx, 1) })
	w.wg.Go(func() { collector.Run(ctx) })
}

// fail has the requests of a process fail. A fault of the server meets them when they are sent, one of the plan when they
// arrive.
func (w *world) fail(l *life, name string, way plan.Network) {
	now := time.Since(w.start)
	for i := range w.plan.Faults {
		f := &w.plan.Faults[i]
		if f.Kind != plan.FaultError || f.On[0] != name || *f.Until-way.Request.Min <= now {
			continue
		}
		w.wg.Go(func() {
			time.Sleep(f.At - way.Request.Min - now)
			remove := w.server.Inject(fakekube.Fault{
				User: l.user, Verb: f.Verb.String(), Status: f.Status,
				Request: way.Request.Min, Response: way.Response.Min,
			})
			time.Sleep(*f.Until - way.Request.Min - time.Since(w.start))
			remove()
		})
	}
}

func (w *world) spawn(c *plan.Candidate) {
	client, l := w.user(c.ID, w.plan.Network)
	ctx, end := context.WithCancel(w.ctx)
	l.end = end
	candidate, _, err := leaderelection.NewCandidate(
		client, namespace, c.ID, lock, c.BinaryVersion+".0", cmp.Or(c.EmulationVersion, c.BinaryVersion)+".0",
		coordinationv1.OldestEmulationVersion)
	if err != nil {
		panic(err)
	}
	setClock(candidate, c.Clock.Offset)
	w.wg.Go(func() { candidate.Run(ctx) })
	w.wg.Go(func() {
		for ctx.Err() == nil {
			w.elect(ctx, client, c)
			if c.Rejoin == nil {
				end()
				return
			}
			select {
			case <-time.After(*c.Rejoin):
			case <-ctx.Done():
			}
		}
	})
}

func (w *world) elect(ctx context.Context, client kubernetes.Interface, c *plan.Candidate) {
	e, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: namespace, Name: lock},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: c.ID},
		},
		LeaseDuration: c.LeaseDuration, RenewDeadline: c.RenewDeadline, RetryPeriod: c.RetryPeriod,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {},
		},
		Coordinated: true,
	})
	if err != nil {
		panic(err)
	}
	setClock(e, c.Clock.Offset)
	e.Run(ctx)
}

// begin is the beginning of a fault. A process that crashes is one that nobody hears from again.
func (w *world) begin(f *plan.Fault) {
	name := f.On[0]
	w.mu.Lock()
	l := w.lives[name]
	w.mu.Unlock()
	switch f.Kind {
	case plan.FaultCrash, plan.FaultRestart:
		if l != nil {
			w.server.Inject(fakekube.Fault{User: l.user, LoseRequest: true})
			l.end()
		}
		if f.Kind == plan.FaultCrash {
			return
		}
		if name == plan.CoordinatorID {
			w.coordinate()
			return
		}
		i := slices.IndexFunc(w.plan.Candidates, func(c plan.Candidate) bool { return c.ID == name })
		w.spawn(&w.plan.Candidates[i])
	}
}

// setClock gives an elector, or a LeaseCandidate, a wall clock that is ahead. The library's tests set the same field.
func setClock(of any, ahead time.Duration) {
	field := reflect.ValueOf(of).Elem().FieldByName("clock")
	*(*clock.Clock)(unsafe.Pointer(field.UnsafeAddr())) = aheadClock{ahead: ahead}
}

type aheadClock struct {
	clock.RealClock
	ahead time.Duration
}

func (c aheadClock) Now() time.Time                  { return time.Now().Add(c.ahead) }
func (c aheadClock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }
