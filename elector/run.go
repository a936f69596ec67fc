package elector

import (
	"context"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// RunOrDie makes an elector, ties it to lec.WatchDog if there is one, and calls its Run. It panics with the error of
// NewLeaderElector.
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

// Run takes part in the election until ctx ends, or until the candidate has led and lost the lease. Before it returns it waits
// for the lock's call in flight, and for OnStoppedLeading. With Strict it also waits for OnStartedLeading to return, at most
// until the lease runs out; with ClientGo it does not.
//
// Run can be called again after it has returned, and then remembers whom it has seen leading. It panics if it is called while it
// runs. Do not call it in OnStoppedLeading either: there it may panic, or stand for election again before the first Run has returned.
// With Strict a second Run first waits for an OnStartedLeading that has not returned yet, until ctx ends.
//
// When the lock or OnStoppedLeading panics, leading is stopped first. Then the panic leaves Run or, if utilruntime.ReallyCrash is
// false, is swallowed.
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

// enter marks the elector as running and prepares the machine for a Run. If a Run is in progress it panics.
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
