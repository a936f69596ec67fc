package elector

import (
	"context"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

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
// waits for the lock's call in flight, and for OnStoppedLeading. With Strict it waits for
// OnStartedLeading to return before that, at most until the lease runs out; with ClientGo it does
// not.
//
// It may be called again afterwards, and then remembers whom it has seen leading, but not while it
// runs. With Strict that first waits for an OnStartedLeading that has not returned yet, until ctx
// ends.
//
// A panic of the lock or of OnStoppedLeading leaves Run once leading has been stopped, or is
// swallowed, as utilruntime.ReallyCrash says.
func (le *LeaderElector) Run(ctx context.Context) {
	defer utilruntime.HandleCrashWithContext(ctx)
	le.enter()
	le.awaitWork(ctx)
	h := newHost(ctx, le)
	defer le.flush()
	// In this order, also when a panic passes: what the machine has not come to ask for, these do.
	defer h.stopped()
	defer h.stopWork()
	defer h.unwind()
	h.run()
}

// enter marks the elector as running and prepares the machine for a Run. It panics where a Run is in progress.
func (le *LeaderElector) enter() {
	le.mu.Lock()
	defer le.mu.Unlock()
	if le.running {
		panic("elector: Run called while an earlier Run of the same LeaderElector is in progress")
	}
	le.running = true
	le.machine.Again()
}

// awaitWork waits, with Strict, until the work of an earlier Run has returned or ctx has ended: a candidate that has
// lost the lease must not have two of them at once either.
func (le *LeaderElector) awaitWork(ctx context.Context) {
	work := le.lastWork()
	if work == nil || le.config.Profile != Strict {
		return
	}
	select {
	case <-work:
	case <-ctx.Done():
	}
}
