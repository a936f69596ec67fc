package sim

import (
	"cmp"
	"slices"
	"time"

	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// await keeps the successors of all rollouts from starting by themselves.
func (w *world) await(faults []plan.Fault) {
	for i := range faults {
		for _, name := range faults[i].To {
			w.process(name).stage = awaited
		}
	}
}

// process returns the process of the candidate with that ID, which must be one of the plan's.
func (w *world) process(id string) *group { return w.nodes[w.byID[id]].group }

// beginRollout begins fault i, a rollout: it adds it to w.rollouts. roll makes its first step, once the present entry of the
// queue has been handled. If the rollout replaces pods that an earlier one is still making, it does nothing but emit
// FaultVoid: how the Deployment controller goes on with the pods of three versions is not simulated.
func (w *world) beginRollout(f *activeFault, i int32) {
	r := rollout{Rollout: &f.Fault.Rollout, fault: i}
	if slices.ContainsFunc(f.On, w.inRollout) {
		w.faultEvent(trace.FaultVoid, i)
		return
	}
	for j := range f.On {
		r.old, r.new = append(r.old, w.process(f.On[j])), append(r.new, w.process(f.To[j]))
	}
	w.rank(r.old)
	w.rollouts = append(w.rollouts, r)
}

// rank puts the old pods of a rollout into the order of the director's ranks, the highest first, since the last ones are told to
// end first. Pods of equal rank keep their order. It does nothing without a Ranker.
func (w *world) rank(old []*group) {
	d, ranks := w.director.(Ranker)
	if !ranks {
		return
	}
	rank := make(map[*group]float64, len(old))
	for _, g := range old {
		rank[g] = d.Rank(int(g.first), time.Duration(w.Now))
	}
	slices.SortStableFunc(old, func(a, b *group) int { return cmp.Compare(rank[b], rank[a]) })
}

// inRollout tells whether a candidate's process is a successor in a rollout that is not over.
func (w *world) inRollout(id string) bool {
	g := w.process(id)
	return slices.ContainsFunc(w.rollouts, func(r rollout) bool { return !r.over && slices.Contains(r.new, g) })
}

// withTurns returns the sinks of a run of plan p. If the plan has a rollout, it adds w.turns to them, and sets w.between.
func (w *world) withTurns(p *plan.Plan, sinks []trace.Sink) []trace.Sink {
	for i := range p.Faults {
		if p.Faults[i].Kind == plan.FaultRollout {
			w.between = true
			return append(slices.Clip(sinks), &w.turns)
		}
	}
	return sinks
}

// rolls tells whether roll is to be called after an entry of the queue: there is a rollout, and since roll was last called a
// process has started, ended, frozen, woken or changed its work, a fault has begun or ended, or roll itself has done
// something.
func (w *world) rolls() bool { return len(w.rollouts) > 0 && w.rolledAt != w.turns.seen+1 }

// roll lets every rollout make pods and tell pods to end, as far as it can now. It also ends the old processes that were told
// to end and have nothing left to do. It stores in w.rolledAt when it was called last, for rolls.
func (w *world) roll() {
	w.rolledAt = w.turns.seen + 1
	for i := range w.rollouts {
		r := &w.rollouts[i]
		if r.ended {
			continue
		}
		for !r.over && w.progress(r) {
			w.rolledAt = 0
		}
		r.ended = r.over
		for _, g := range r.old {
			w.endIfDone(g)
			r.ended = r.ended && g.stage == gone
		}
	}
}

// progress makes pods, or tells pods to end, and returns true. If it can do neither it returns false. If only ready successors
// are left, it then sets r.over and emits FaultEnded.
func (w *world) progress(r *rollout) bool {
	want, least := len(r.old), max(0, len(r.old)-int(r.MaxUnavailable))
	made := want - count(r.new, func(g *group) bool { return g.stage == awaited })
	left := count(r.old, func(g *group) bool { return g.stage == present })
	readyNew, readyOld := w.countReady(r, r.new), w.countReady(r, r.old)
	if n := min(want-made, want+int(r.Surge)-made-left); n > 0 {
		w.makePods(r, n)
		return true
	}
	if made == want && left == 0 {
		if readyNew == want {
			r.over = true
			w.faultEvent(trace.FaultEnded, r.fault)
		}
		return false
	}
	// spare is how many old pods may go: a new pod that is not ready yet counts as missing.
	spare := made + left - least - (made - readyNew)
	unready := min(spare, left-readyOld)
	surplus := max(0, min(readyOld, readyOld+readyNew-least))
	if spare <= 0 || unready+surplus == 0 {
		return false
	}
	w.endPods(r, unready, false)
	w.endPods(r, surplus, true)
	return true
}

// count returns the number of processes in pods for which the function is returns true.
func count(pods []*group, is func(*group) bool) (n int) {
	for _, g := range pods {
		if is(g) {
			n++
		}
	}
	return n
}

// countReady returns how many of the pods are ready.
func (w *world) countReady(r *rollout, pods []*group) int {
	return count(pods, func(g *group) bool { return g.stage == present && w.ready(g, r.Readiness) })
}

// ready tells whether a process that was not told to end is ready. With plan.ReadyLeading it is ready while work of it runs
// whose context has not ended; otherwise it is ready as soon as it has started, until it ends.
func (w *world) ready(g *group, how plan.Readiness) bool {
	if how == plan.ReadyLeading {
		return w.some(g, func(n *node) bool { return n.working })
	}
	return w.some(g, (*node).started)
}

// started tells whether the node's process has started, and has not ended since.
func (n *node) started() bool { return n.Life != seat.Unborn && n.Life != seat.Crashed }

// busy tells whether a Run of the node goes on, or work of the node that drains and began in the node's present incarnation.
func (n *node) busy() bool { return n.Life == seat.Running || n.drainsOwn() }

// makePods makes the pods of the next n successors: their processes start r.Startup from now.
func (w *world) makePods(r *rollout, n int) {
	for _, g := range r.new {
		if n > 0 && g.stage == awaited {
			n--
			g.stage = present
			w.beginAgain(g, clock.Instant(r.Startup))
		}
	}
}

// endPods tells up to n of the old pods to end, the last ones in r.old first: those come last in the file, or have the lowest
// rank of a Ranker. It passes over those that were told so before. If ready is true these are pods that are ready, otherwise
// pods that are not.
func (w *world) endPods(r *rollout, n int, ready bool) {
	for i := len(r.old) - 1; i >= 0 && n > 0; i-- {
		if g := r.old[i]; g.stage == present && w.ready(g, r.Readiness) == ready {
			n--
			w.terminate(g, clock.Instant(r.Grace()))
		}
	}
}

// terminate tells a process to end, as SIGTERM does: the contexts of its Runs end, and no other Run follows. A node between two
// Runs is told as well (CancelAsked). The process is killed if it has not ended when the grace period, in true time, is over.
func (w *world) terminate(g *group, grace clock.Instant) {
	g.stage = leaving
	for i := range w.members(g) {
		n := &w.members(g)[i]
		n.startSeq = 0
		if n.Life == seat.Resting {
			n.Life = seat.Left
			w.tellCancelled(n)
		}
		w.cancel(n)
	}
	w.Schedule(w.Now+grace, killDue, g.first)
}

// endIfDone ends a process that was told to end, once none of its Runs and none of its work goes on. A frozen process does
// not notice.
func (w *world) endIfDone(g *group) {
	if g.stage == leaving && g.paused == 0 && !w.some(g, (*node).busy) {
		w.endPod(g, trace.Terminated)
	}
}

// killUp kills the process that e is about, if it was told to end and has not. What froze it does not freeze it any more.
func (w *world) killUp(e *queue.Entry) {
	if g := w.nodes[e.Ref].group; g.stage == leaving {
		w.endPod(g, trace.Killed)
		w.unfreeze(g)
	}
}

// endPod ends a process for good. The cause goes into the trace, unless the process has ended before or never started.
func (w *world) endPod(g *group, why trace.Cause) {
	g.stage = gone
	if !w.some(g, (*node).started) {
		return
	}
	for i := range w.members(g) {
		w.crashNode(&w.members(g)[i], why)
	}
	w.dropPending(g)
}
