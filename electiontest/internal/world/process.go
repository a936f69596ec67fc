package world

import (
	"context"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"interregnum/electiontest/internal/goroutines"
	"interregnum/internal/trace"
)

// restartPause is the time at least between two starts of a process that has asked for no lock in between, as a kubelet lets it wait.
// A program that ends at once, since it reaches no server, would otherwise be started thousands of times.
const restartPause = 10 * time.Second

// pause returns how long after the end of a call of the candidate's function the next one comes. The scenario must have a rejoin.
func (p *process) pause() time.Duration {
	w := p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	rejoin := *p.node.plan.Rejoin
	if p.asks {
		return rejoin
	}
	return max(rejoin, p.began+restartPause-w.now())
}

// live calls the candidate's function. If the scenario has a rejoin, it calls the function again that much after each return (see pause),
// until the process has crashed or exited, or the run is over. Without a rejoin it calls it once. It sets p.left after the return
// of a call that no other one is to follow.
func (p *process) live() {
	w, rejoin := p.node.world, p.node.plan.Rejoin
	for {
		p.runOnce()
		if rejoin == nil || p.gone() {
			w.mu.Lock()
			p.left = true
			w.mu.Unlock()
			return
		}
		select {
		case <-time.After(p.pause()):
		case <-p.dead:
			return
		case <-w.over:
			return
		}
	}
}

// runOnce calls the candidate's function once, and adds the beginning and the end of its Run to the trace. Until the function has
// returned, it sets p.running. The function's context is p.ctx: it does not end when the function returns, since goroutines may go
// on then. If it has ended, as by a fault, the function is given a new one. If the process has crashed or exited, or the run is over,
// runOnce does nothing.
func (p *process) runOnce() {
	w := p.node.world
	w.mu.Lock()
	if p.gone() || w.isOver() {
		w.mu.Unlock()
		return
	}
	if p.ctx.Err() != nil {
		p.renewContext()
	}
	ctx := p.ctx
	p.running, p.asks, p.began = true, false, w.now()
	for _, part := range p.parts {
		part.join()
	}
	id, _ := goroutines.Current()
	w.functions[id] = p
	w.mu.Unlock()
	defer p.returned(ctx) // also where a test's FailNow ends the goroutine
	defer p.recover("its function")
	w.run(ctx, p.parts[0])
}

// returned ends the Runs of the process in all elections and sets p.running to false, now that the candidate's function has
// returned. ctx is the function's own context. The run fails if the function has returned too early (see early). Guarded work
// that goes on is added to w.outlived.
func (p *process) returned(ctx context.Context) {
	w := p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	p.early(ctx, "returned")
	p.outlives()
	p.running = false
	for _, part := range p.parts {
		part.leave()
	}
}

// recover must be deferred. It turns a panic into the end of the process, and fails the run with a message that has the stack
// and the text where, which says what code panicked. Without a panic it does nothing.
func (p *process) recover(where string) {
	value := recover()
	if value == nil {
		return
	}
	w := p.node.world
	w.mu.Lock()
	defer w.mu.Unlock()
	_, stack, _ := strings.Cut(string(debug.Stack()), "\npanic(")
	if lines := strings.SplitN(stack, "\n", 3); len(lines) == 3 {
		stack = lines[2]
	}
	w.fail("candidate %s: %s panicked at %v: %v\n%s", p.node.plan.ID, where, w.now(), value, strings.TrimSpace(stack))
	p.die(trace.NoCause)
}

// renewContext sets p.ctx to a new context for the candidate's function, and p.cancel to the function that cancels it. Loggers of
// klog are silent in it. The caller holds w.mu, unless nobody else knows p yet.
func (p *process) renewContext() {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	p.ctx, p.cancel = p.parts[0].Context(ctx), cancel
}

// early fails the run if a candidate ended by itself before its work began, with nothing in its way; how says in what way it
// ended. A main that fails at its start ends so, and would otherwise pass for a follower that never led. It does not fail for a
// candidate that a fault has met, that was told to end, or that has asked for the lock and has a rejoin. The caller holds w.mu.
func (p *process) early(ctx context.Context, how string) {
	w := p.node.world
	worked := slices.ContainsFunc(p.parts, func(p *Part) bool {
		return p.terms > p.termsBefore || p.seat.asked && p.seat.node.plan.Rejoin != nil
	})
	if worked || p.node.disturbed || p.gone() || w.isOver() || ctx.Err() != nil {
		return
	}
	w.fail("candidate %s %s at %v by itself: nobody had told it to end, no fault had met it, and no work of it had "+
		"been guarded, so that it was no candidate at all. Want the error that it ended with, such as that of NewManager or "+
		"Start, given to t.Error; want a function that waits for what it begins; where no fault is needed to end it, leave "+
		"the candidate out", p.node.plan.ID, how, w.now())
}

// outlives adds to w.outlived each part whose guarded work goes on after the function has returned: a real program has perhaps
// exited at that return. It adds nothing if the process is gone or the run is over. The caller holds w.mu.
func (p *process) outlives() {
	w := p.node.world
	for _, part := range p.parts {
		if len(part.open) > 0 && !p.gone() && !w.isOver() {
			w.outlived = append(w.outlived, Outlived{int32(part.seat.index), w.now()})
		}
	}
}

// die ends the process as far as anybody can see, even if its goroutines go on: it ends its work, its network and its context.
// It returns false if there was nothing to end: the process was gone already, or its function had returned for good and no work
// went on. The caller holds w.mu.
func (p *process) die(why trace.Cause) bool {
	if p.gone() {
		return false
	}
	found := !p.left || slices.ContainsFunc(p.parts, func(part *Part) bool { return len(part.open) > 0 })
	if found {
		for _, part := range p.parts {
			part.die(why)
		}
	}
	close(p.dead)
	p.end()
	return found
}
