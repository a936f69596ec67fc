package sim

import (
	"interregnum/elector/machine"
	"interregnum/elector/ttl"
	"interregnum/internal/fabric8"
	"interregnum/internal/rust"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
	"interregnum/internal/stepping"
	"interregnum/internal/trace"
	"interregnum/internal/wallclock"
	"interregnum/plan"
)

// startUp starts a node's Run when its queue entry is due, unless a later entry has replaced it. In a frozen process the
// entry waits.
func (w *world) startUp(e *queue.Entry) {
	n := &w.nodes[e.Ref]
	switch {
	case n.startSeq != e.Seq:
	case n.parks(e):
	default:
		w.start(n)
	}
}

// start begins a Run in the node's process, with a new elector or, if the plan says so, with the last one. If there is no
// process, it begins one first, with its client, its liveness probe and its part in a coordinated election. It emits RunStarted
// and, for a new elector, MetricSet; then the machine takes its first step. The coordinator's process gets a lock, and has no
// machine.
func (w *world) start(n *node) {
	n.startSeq = 0
	switch n.Life {
	case seat.Unborn:
		n.Incarnation = 1
		w.openClient(n)
	case seat.Crashed:
		w.incarnate(n)
	}
	n.Life, n.cancelled = seat.Running, false
	w.openProbe(n)
	again := n.Plan.SameElector && n.process == n.Incarnation
	w.coordinated.Start(n.Index)
	e := w.Event(trace.RunStarted, &n.Seat)
	e.Holder = n.Identity
	w.Emit(e)
	switch {
	case n.Life == seat.Serving:
		n.lock = w.newClient(n)
		return
	case again:
		n.Again()
	default:
		w.newElector(n)
		n.process = n.Incarnation
		w.metric(n, trace.MetricOff)
	}
	w.hand(n, machine.Started, 0)
}

// newElector gives the node a new elector for its next Run, of the machine that the plan's profile and lock need, and a new lock.
// But a lock that expires by itself lasts as long as the process, so that an entry that one Run has left behind still belongs to
// the next. For client-go and a lock in Kubernetes it also sets n.direct, by which attempts can take the short cut.
func (w *world) newElector(n *node) {
	config := configOf(n.Plan, n.Identity)
	switch {
	case n.Plan.Profile.OtherClient():
		n.lock = w.newClient(n)
		n.Machine = w.otherClient(config)
		return
	case !n.expires:
		n.lock = w.newClient(n)
		m := w.memory.machines.Next()
		m.Reset(config)
		n.Machine = m
		n.direct = directly(n.Plan, m, n.lock)
		return
	}
	if n.process != n.Incarnation {
		n.lock = w.newClient(n)
	}
	n.Machine = w.memory.expiring.Put(ttl.New(config))
	n.watch = wait{lock: n.lock}
}

// otherClient returns the machine of a client that is not client-go, as config.Profile.Client says: one of package fabric8, of
// package rust or, for Python, Java and C#, of package wallclock.
func (w *world) otherClient(config machine.Config) stepping.Machine {
	switch config.Profile.Client {
	case machine.OfFabric8:
		return w.memory.fabric8s.Put(fabric8.New(config))
	case machine.OfRust:
		return w.memory.rusts.Put(rust.New(config))
	}
	return w.memory.clients.Put(wallclock.New(config))
}

// restart ends a process, if it still runs, and begins a new one at once. The new one has another name if identity is
// plan.NewIdentity. It does nothing and returns false if a rollout is yet to make the process's pod, or has told the process to
// end.
func (w *world) restart(g *group, identity plan.Identity) bool {
	if g.stage != present {
		return false
	}
	w.crash(g, trace.NoCause)
	for i := range w.members(g) {
		n := &w.members(g)[i]
		w.incarnate(n)
		n.Life = seat.Resting
		if identity == plan.NewIdentity {
			n.Identity = w.memory.renamed.after(n.Plan.ID, n.Incarnation)
		}
	}
	for i := range w.members(g) {
		n := &w.members(g)[i]
		n.startSeq = w.Number()
		w.startUp(&queue.Entry{At: w.Now, Seq: n.startSeq, Kind: startDue, Ref: n.Index})
	}
	return true
}

// incarnate begins the node's next incarnation, with a new client. Its terms count from 1 again.
func (w *world) incarnate(n *node) {
	n.Incarnation++
	n.term, n.stoppedTerm = 0, 0
	w.openClient(n)
}

// cancel ends the context of a node's Run and returns true; in a frozen process the context ends once the process wakes. It
// returns false if the node is in no Run.
func (w *world) cancel(n *node) bool {
	if n.Life != seat.Running {
		return false
	}
	if n.parks(&queue.Entry{At: w.Now, Kind: cancelDue, Ref: n.Index}) {
		return true
	}
	w.cancelNow(n)
	return true
}

// cancelNow sets n.cancelled, emits CancelAsked, and tells the node's machine that the context of its Run has ended.
func (w *world) cancelNow(n *node) {
	n.cancelled = true
	w.tellCancelled(n)
	w.hand(n, machine.Cancelled, 0)
}

// tellCancelled emits CancelAsked: the context of a node has been cancelled, by a fault or, with the cause Terminated, because a
// rollout has told the process to end.
func (w *world) tellCancelled(n *node) {
	e := w.Event(trace.CancelAsked, &n.Seat)
	if n.stage != present {
		e.Cause = trace.Terminated
	}
	w.Emit(e)
}
