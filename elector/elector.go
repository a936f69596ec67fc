package elector

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/utils/clock"

	"interregnum/elector/machine"
)

// LeaderElector is one candidate. All methods but Run may be called from any goroutine at any time.
type LeaderElector struct {
	config  LeaderElectionConfig
	metrics LeaderMetric
	// start is the origin of the machine's monotonic time.
	start time.Time

	// mu guards what is below.
	mu      sync.Mutex
	machine machine.Machine
	running bool
}

// NewLeaderElector returns a candidate that has not started, or an error about the first rule of
// LeaderElectionConfig that the configuration breaks.
func NewLeaderElector(lec LeaderElectionConfig) (*LeaderElector, error) {
	if err := lec.validate(); err != nil {
		return nil, err
	}
	if lec.Clock == nil {
		lec.Clock = clock.RealClock{}
	}
	if lec.Jitter == nil {
		lec.Jitter = rand.Float64
	}
	le := &LeaderElector{
		config:  lec,
		metrics: newLeaderMetric(),
		start:   lec.Clock.Now(),
		machine: machine.New(lec.machine()),
	}
	le.metrics.Off(lec.Name)
	return le, nil
}

// RunOrDie is Run of a new elector, tied to lec.WatchDog if there is one. It panics with the error
// of NewLeaderElector.
func RunOrDie(ctx context.Context, lec LeaderElectionConfig) {
	le, err := NewLeaderElector(lec)
	if err != nil {
		panic(err)
	}
	if lec.WatchDog != nil {
		lec.WatchDog.SetLeaderElection(le)
	}
	le.Run(ctx)
}

// Run takes part in the election until ctx ends or the candidate has led and lost the lease. It
// waits for the lock's call in flight, and for OnStoppedLeading, but not for OnStartedLeading to
// return.
//
// It may be called again afterwards, and then remembers whom it has seen leading, but not while it
// runs.
//
// A panic of the lock or of OnStoppedLeading leaves Run once leading has been stopped, or is
// swallowed, as utilruntime.ReallyCrash says.
func (le *LeaderElector) Run(ctx context.Context) {
	defer utilruntime.HandleCrashWithContext(ctx)
	le.enter()
	h := newHost(ctx, le)
	// In this order, also when a panic passes: what the machine has not come to ask for, these do.
	defer h.stopped()
	defer h.stopWork()
	defer h.unwind()
	h.run()
}

// enter prepares the machine for a Run.
func (le *LeaderElector) enter() {
	le.mu.Lock()
	defer le.mu.Unlock()
	if le.running {
		panic("elector: Run called while an earlier Run of the same LeaderElector is in progress")
	}
	le.running = true
	le.machine.Again()
}

// IsLeader tells whether the holder last seen in the lock is this candidate. It does not tell
// whether the lease still counts.
func (le *LeaderElector) IsLeader() bool {
	le.mu.Lock()
	defer le.mu.Unlock()
	return le.machine.IsLeader()
}

// GetLeader is the identity of the holder last seen in the lock, "" where there was none. It is
// meant for people to read.
func (le *LeaderElector) GetLeader() string {
	le.mu.Lock()
	defer le.mu.Unlock()
	return le.machine.Leader()
}

// Check returns an error where this candidate leads but has not renewed for longer than
// LeaseDuration plus maxTolerableExpiredLease: it should have stopped long ago.
func (le *LeaderElector) Check(maxTolerableExpiredLease time.Duration) error {
	le.mu.Lock()
	defer le.mu.Unlock()
	if le.machine.Healthy(le.now().Mono, maxTolerableExpiredLease) {
		return nil
	}
	return fmt.Errorf("lease %q: this candidate leads, but has not renewed for longer than %v plus %v",
		le.config.Name, le.config.LeaseDuration, maxTolerableExpiredLease)
}

func (le *LeaderElector) now() machine.Now {
	t := le.config.Clock.Now()
	return machine.Now{Wall: machine.WallOf(t), Mono: le.mono(t)}
}

func (le *LeaderElector) mono(t time.Time) machine.Mono { return machine.Mono(t.Sub(le.start)) }
