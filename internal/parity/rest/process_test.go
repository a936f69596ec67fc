package rest

import (
	"context"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"

	"interregnum/elector/machine"
	"interregnum/plan"
)

// process is one incarnation of a candidate, with one client for all it does.
type process struct {
	world                  *world
	candidate, incarnation int
	identity               string
	plan                   *plan.Candidate
	clients                *kubernetes.Clientset
	// call is the present call of the lock, or the last.
	call call
	// dead is closed when the process crashes. What it would do from then on waits for the end of the world.
	dead chan struct{}
	// died is when that was.
	died time.Time

	mu sync.Mutex
	// cancel ends the present Run; nil if there is none. works: OnStartedLeading has a context that has not ended.
	cancel context.CancelFunc
	works  bool
}

// live runs the process: it calls Run, and Run again if the plan says so.
func (p *process) live() {
	for i := range p.plan.Client.Other {
		since := time.Since(p.world.start)
		p.world.wg.Go(func() { p.ask(&p.plan.Client.Other[i], since) })
	}
	for {
		asked := p.runOnce()
		switch {
		case p.gone():
			return
		case p.plan.OnLoss == plan.LossExit && !asked:
			p.crash()
			p.comeBack()
			return
		case p.plan.Rejoin == nil || !p.rest():
			return
		}
	}
}

// rest waits for the next Run. It returns false if there is none, since the process has crashed or the world is over.
func (p *process) rest() bool {
	select {
	case <-time.After(*p.plan.Rejoin):
		return true
	case <-p.dead:
	case <-p.world.over:
	}
	return false
}

// comeBack begins the process after this one, which has exited by itself, if there is a Rejoin and nobody else has begun it.
func (p *process) comeBack() {
	if p.plan.Rejoin == nil {
		return
	}
	select {
	case <-time.After(*p.plan.Rejoin):
		if p.world.process(p.candidate) == p {
			p.world.restart(p, plan.SameIdentity)
		}
	case <-p.world.over:
	}
}

// runOnce calls Run. It returns true if a fault has cancelled it.
func (p *process) runOnce() (asked bool) {
	ctx, cancel := context.WithCancel(p.world.ctx)
	defer cancel()
	p.setCancel(cancel)
	p.newElector().Run(ctx)
	asked = ctx.Err() != nil
	p.setCancel(nil)
	p.note(returned)
	return asked
}

// newElector returns the elector of a Run.
func (p *process) newElector() interface{ Run(context.Context) } {
	if p.plan.Profile == machine.Strict {
		return p.newStrict()
	}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:            p.lock(),
		LeaseDuration:   p.plan.LeaseDuration,
		RenewDeadline:   p.plan.RenewDeadline,
		RetryPeriod:     p.plan.RetryPeriod,
		ReleaseOnCancel: p.plan.ReleaseOnCancel,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: p.lead, OnStoppedLeading: p.stopped, OnNewLeader: p.report,
		},
	})
	if err != nil {
		panic(err)
	}
	return elector
}

// lead, stopped and report are the callbacks.
func (p *process) lead(ctx context.Context) {
	p.work(true)
	<-ctx.Done()
	p.work(false)
}

func (p *process) stopped() { p.note(stopped) }

func (p *process) report(holder string) { p.note(reported(holder)) }

// note notes what the process does now, if it has not crashed. What it does at the instant at which it exits by itself goes before
// that, in whatever order goroutines run.
func (p *process) note(what string) {
	if !p.gone() || p.died.Equal(time.Now()) {
		p.world.note(p.candidate, what)
	}
}

// work notes that the work has begun, or that its context has ended.
func (p *process) work(works bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.works == works {
		return
	}
	p.works = works
	if works {
		p.note(started)
	} else {
		p.note(cancelled)
	}
}

func (p *process) setCancel(cancel context.CancelFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cancel = cancel
}

// stop cancels the present Run, if there is one.
func (p *process) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancel != nil {
		p.cancel()
	}
}

// gone tells whether the process has crashed.
func (p *process) gone() bool {
	select {
	case <-p.dead:
		return true
	default:
		return false
	}
}

// crash ends the process, and its work with it. Its requests that are under way go on.
func (p *process) crash() {
	if !p.gone() {
		p.work(false)
		p.died = time.Now()
		close(p.dead)
	}
}

// dwell returns at once in a process that is there. In one that has crashed it waits for the end of the world.
func (p *process) dwell() {
	if p.gone() {
		<-p.world.over
	}
}
