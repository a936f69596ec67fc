package sim

import (
	"slices"

	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
	"interregnum/internal/trace"
	"interregnum/scenarios/plan"
)

// start begins a Run in the process that there is, with a new elector or, where the plan says so, with its last one.
func (w *world) start(n *node) {
	n.startSeq = 0
	switch n.life {
	case unborn:
		n.incarnation = 1
	case crashed:
		w.incarnate(n)
	}
	n.life, n.cancelled = running, false
	w.openProbe(n)
	again := n.plan.SameElector && n.elector != nil && n.process == n.incarnation
	if n.ballot != nil && n.ballot.incarnation != n.incarnation {
		w.openBallot(n)
	}
	if n.coordinates() {
		w.startCoordinator(n)
		return
	}
	if again {
		n.Again()
	} else {
		w.newElector(n)
	}
	e := w.event(trace.RunStarted, n)
	e.Holder = n.identity
	w.emit(e)
	if !again {
		w.metric(n, trace.MetricOff)
	}
	w.hand(n, machine.Input{Kind: machine.Started})
}

// scheduleStart has the node's next Run begin at t.
func (w *world) scheduleStart(n *node, t clock.Instant) {
	n.startSeq = w.Schedule(t, startDue, n.index)
}

// startUp handles an entry that starts a node's Run, unless a later one has taken its place or the process is frozen.
func (w *world) startUp(e *queue.Entry) {
	n := &w.nodes[e.Ref]
	switch {
	case n.startSeq != e.Seq:
	case n.parks(e):
	default:
		w.start(n)
	}
}

// returned handles the end of Run: as the plan says, the process exits, runs again or goes on without that election.
func (w *world) returned(n *node) {
	w.believe(n, false)
	w.emit(w.event(trace.RunReturned, n))
	n.forsake()
	n.life = left
	switch {
	case n.plan.OnLoss == plan.LossExit && !n.cancelled:
		w.exit(n)
	case n.plan.RunsAgain() && w.director != nil:
		w.returnedAgain(n)
	case n.plan.RunsAgain():
		n.life = resting
		w.scheduleStart(n, w.Now+clock.Instant(*n.plan.Rejoin))
	}
}

// crash ends the process and all it knows. It tells whether there was one.
func (w *world) crash(g *group, why trace.Cause) bool {
	if !w.lives(g) {
		return false
	}
	for i := range w.members(g) {
		w.crashNode(&w.members(g)[i], why)
	}
	w.dropPending(g)
	return true
}

// crashNode ends one node of a process that crashes: its work, its belief, its timers and its waits.
func (w *world) crashNode(n *node, why trace.Cause) {
	e := w.event(trace.Crashed, n)
	e.Cause = why
	w.emit(e)
	if n.working {
		n.working = false
		w.workEvent(trace.WorkCancelled, n, n.term, n.incarnation)
		w.workEvent(trace.WorkEnded, n, n.term, n.incarnation)
	}
	kept := n.drains[:0]
	for _, d := range n.drains {
		if d.incarnation != n.incarnation {
			kept = append(kept, d) // of a process that had left
			continue
		}
		w.workEvent(trace.WorkEnded, n, d.term, d.incarnation)
	}
	n.drains = kept
	n.strays = slices.DeleteFunc(n.strays, func(s stray) bool { return s.process == n.incarnation })
	w.believe(n, false)
	n.life = crashed
	n.forsake()
	n.startSeq = 0
	for t := range n.slots {
		n.slots[t].armed = false
	}
}

// restart begins a new process, after the end of one that still runs.
func (w *world) restart(g *group, identity plan.Identity) {
	w.crash(g, trace.NoCause)
	for i := range w.members(g) {
		n := &w.members(g)[i]
		w.incarnate(n)
		n.life = resting
		if identity == plan.NewIdentity {
			n.identity = n.newIdentity()
		}
	}
	for i := range w.members(g) {
		n := &w.members(g)[i]
		n.startSeq = w.Number()
		w.startUp(&queue.Entry{At: w.Now, Seq: n.startSeq, Kind: startDue, Ref: n.index})
	}
}

// incarnate makes the node one of a new process, whose terms count from 1 again.
func (w *world) incarnate(n *node) {
	n.incarnation++
	n.term, n.stoppedTerm = 0, 0
}

// cancel ends the context of a node's Run, in a frozen process once it wakes. It tells whether there was a Run.
func (w *world) cancel(n *node) bool {
	if n.life != running || n.coordinates() {
		return false
	}
	if n.parks(&queue.Entry{At: w.Now, Kind: cancelDue, Ref: n.index}) {
		return true
	}
	w.cancelNow(n)
	return true
}

// cancelNow hands the end of its Run's context to the node's machine.
func (w *world) cancelNow(n *node) {
	n.cancelled = true
	w.emit(w.event(trace.CancelAsked, n))
	w.hand(n, machine.Input{Kind: machine.Cancelled})
}

// pause freezes a process, or counts one pause more where it is frozen already; the drain of its work stands still too.
func (w *world) pause(g *group, fault int32) {
	g.pauses = append(g.pauses, fault)
	if g.paused++; g.paused > 1 {
		return
	}
	for i := range w.members(g) {
		n := &w.members(g)[i]
		w.emit(w.event(trace.Paused, n))
		for i := range n.drains {
			n.drains[i].endsAt -= w.Now
			n.drains[i].seq = 0
		}
	}
}

// resume ends one pause of a process. After the last one the process wakes, and handles what has come due, in that order.
func (w *world) resume(g *group, fault int32) {
	i := slices.Index(g.pauses, fault)
	if i < 0 {
		return
	}
	g.pauses = slices.Delete(g.pauses, i, i+1)
	if g.paused--; g.paused > 0 {
		return
	}
	w.thaw(g)
	pending := g.pending
	g.pending = nil
	for i := range pending {
		w.handlePending(&pending[i])
	}
}

// thaw has a process go on after a freeze, and the drain of its work with it.
func (w *world) thaw(g *group) {
	for i := range w.members(g) {
		n := &w.members(g)[i]
		w.emit(w.event(trace.Resumed, n))
		for i := range n.drains {
			d := &n.drains[i]
			d.endsAt += w.Now
			d.seq = w.Schedule(d.endsAt, drainDue, n.index)
		}
	}
}

// handlePending handles an entry that came due while the process was frozen.
func (w *world) handlePending(e *queue.Entry) {
	switch e.Kind {
	case timerDue:
		n := &w.nodes[e.Ref/slots]
		t := machine.Timer(e.Ref % slots)
		if s := &n.slots[t]; s.armed && s.queued && s.seq == e.Seq {
			w.fire(n, t)
		}
	case responseDue:
		w.receive(e)
	case startDue:
		w.startUp(e)
	case strayDue:
		w.strayUp(e)
	case cancelDue:
		if n := &w.nodes[e.Ref]; n.life == running {
			w.cancelNow(n)
		}
	default:
		w.ballotDo(w.balloted(e), e)
	}
}

// dropPending drops what has come due for a frozen process that is gone; answers among it count as late.
func (w *world) dropPending(g *group) {
	for i := range g.pending {
		if e := &g.pending[i]; e.Kind == responseDue {
			w.messageEvent(trace.ResponseLate, e.Ref)
			w.messages.Free(e.Ref)
		}
	}
	g.pending = nil
}

// drainUp ends work that has drained, and tells the machine if that work was of the current term.
func (w *world) drainUp(e *queue.Entry) {
	n := &w.nodes[e.Ref]
	i := slices.IndexFunc(n.drains, func(d drain) bool { return d.seq == e.Seq })
	if i < 0 {
		return
	}
	d := n.drains[i]
	n.drains = slices.Delete(n.drains, i, i+1)
	w.workEvent(trace.WorkEnded, n, d.term, d.incarnation)
	if n.life == running && d.term == n.term && d.incarnation == n.incarnation {
		w.hand(n, machine.Input{Kind: machine.WorkReturned})
	}
}
