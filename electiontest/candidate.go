package electiontest

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/clock"

	"interregnum/elector"
	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// Candidate is one candidate of a scenario in one of its runs: what its function needs to be one.
type Candidate struct {
	// ID is the scenario's, Identity the name that it holds the lock under: another one after a restart with a new
	// identity. Incarnation counts its processes from 1.
	ID, Identity string
	Incarnation  int
	// Settings is all that the scenario says of it. Drain and WriteEvery are of simulated work: nobody but its function
	// does anything about them.
	Settings scenarios.Candidate
	// LockKey is where the Lease is whose holder leads.
	LockKey types.NamespacedName

	process *process
}

// Believer is what says whether it leads: leaderelection.LeaderElector and elector.LeaderElector do.
type Believer interface{ IsLeader() bool }

func newCandidate(p *process) *Candidate {
	n := p.node
	return &Candidate{
		ID: n.plan.ID, Identity: p.identity, Incarnation: int(p.incarnation), Settings: *n.plan,
		LockKey: n.world.options.lock(), process: p,
	}
}

// RESTConfig is for any real client of the API server: HTTP without a socket, through the scenario's network and
// faults. Its Timeout is the scenario's requestTimeout.
func (c *Candidate) RESTConfig() *rest.Config {
	config := c.process.node.world.server.ConfigFor(c.ID)
	config.Transport = &transport{process: c.process, server: config.Transport}
	config.Timeout = c.Settings.RequestTimeout
	return config
}

// Clientset is a real clientset over RESTConfig.
func (c *Candidate) Clientset() kubernetes.Interface {
	return kubernetes.NewForConfigOrDie(c.RESTConfig())
}

// Lock is a LeaseLock on the Lease at LockKey, over RESTConfig. Its events go into the trace.
func (c *Candidate) Lock() resourcelock.Interface {
	return &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: c.LockKey.Namespace, Name: c.LockKey.Name},
		Client:     c.Clientset().CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{Identity: c.Identity, EventRecorder: recorder{c.process}},
	}
}

// Config is client-go's own, with the scenario's timings and Lock. It guards the work of OnStartedLeading, and notes the
// calls of the others.
func (c *Candidate) Config(callbacks leaderelection.LeaderCallbacks) leaderelection.LeaderElectionConfig {
	s := &c.Settings
	return leaderelection.LeaderElectionConfig{
		Lock: c.Lock(), LeaseDuration: s.LeaseDuration, RenewDeadline: s.RenewDeadline, RetryPeriod: s.RetryPeriod,
		ReleaseOnCancel: s.ReleaseOnCancel, Callbacks: c.noting(callbacks),
	}
}

// ElectorConfig is that of interregnum/elector, with the scenario's timings, Lock, Clock and Jitter; the zero profile is
// Strict. It guards the work as Config does.
func (c *Candidate) ElectorConfig(callbacks elector.LeaderCallbacks) elector.LeaderElectionConfig {
	s := &c.Settings
	return elector.LeaderElectionConfig{
		Lock: c.Lock(), LeaseDuration: s.LeaseDuration, RenewDeadline: s.RenewDeadline, RetryPeriod: s.RetryPeriod,
		ReleaseOnCancel: s.ReleaseOnCancel, Clock: c.Clock(), Jitter: c.Jitter,
		Callbacks: elector.LeaderCallbacks(c.noting(leaderelection.LeaderCallbacks(callbacks))),
	}
}

// Jitter draws from [0,1) what the scenario says: a constant, or from its seed. The unmodified library draws so by itself.
func (c *Candidate) Jitter() float64 {
	w := c.process.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	return c.process.node.draw()
}

func (c *Candidate) noting(callbacks leaderelection.LeaderCallbacks) leaderelection.LeaderCallbacks {
	out := callbacks
	if callbacks.OnStartedLeading != nil {
		out.OnStartedLeading = func(ctx context.Context) {
			ctx, done := c.guard(ctx)
			defer done()
			callbacks.OnStartedLeading(ctx)
		}
	}
	if callbacks.OnStoppedLeading != nil {
		out.OnStoppedLeading = func() {
			c.process.stoppedLeading()
			callbacks.OnStoppedLeading()
		}
	}
	out.OnNewLeader = func(identity string) {
		c.process.tell(trace.Event{Kind: trace.LeaderReported, Holder: identity})
		if callbacks.OnNewLeader != nil {
			callbacks.OnNewLeader(identity)
		}
	}
	return out
}

// Observe has single-belief judged by what the elector says, after each answer to a request, and when guarded work
// begins, is cancelled and ends. Without it for every candidate that property is inconclusive.
func (c *Candidate) Observe(elector Believer) {
	w := c.process.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	w.observed, c.process.elector = true, elector
	w.touch()
}

// Exit stands for os.Exit, log.Fatal and the end of main, which would end all candidates here: from now on the process is
// gone, as by a crash, whatever its goroutines still do. Where the scenario has a rejoin a new process begins that much
// later. The caller should return.
func (c *Candidate) Exit() { c.process.exit() }

// Clock is the candidate's own, with the scenario's offset and drift, for code that takes its time from one. See
// Options.Clock.
func (c *Candidate) Clock() clock.WithTicker {
	return &skewedClock{start: c.process.node.world.start, Clock: c.Settings.Clock}
}

// tell adds an event.
func (p *process) tell(e trace.Event) {
	w := p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	p.note(e)
}

// recorder is a lock's event recorder.
type recorder struct{ process *process }

func (r recorder) Eventf(_ runtime.Object, _, _, format string, args ...any) {
	r.process.tell(trace.Event{Kind: trace.EventRecorded, Holder: fmt.Sprintf(format, args...)})
}
