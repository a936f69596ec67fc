package sim

import (
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
	"interregnum/internal/sim/seat"
	"interregnum/internal/trace"
)

// openProbe schedules the first liveness probe of the node's process, if the process is new and the plan has a probe.
func (w *world) openProbe(n *node) {
	if n.Plan.LivenessProbe != nil && n.probed != n.Incarnation {
		n.probed, n.failures = n.Incarnation, 0
		w.scheduleProbe(n)
	}
}

// scheduleProbe schedules the next probe of the node's process, one probe period from now.
func (w *world) scheduleProbe(n *node) {
	n.probeSeq = w.Schedule(w.Now+clock.Instant(n.Plan.LivenessProbe.Period), probeDue, n.first)
}

// probeUp probes the process that e is about. If the process has not failed too often in a row, it schedules the next probe.
// Otherwise the process is killed (Crashed, with the cause ProbeFailed) and started again after RestartAfter. What froze it does
// not freeze its successor. probeUp does nothing if the process has ended or e no longer counts.
func (w *world) probeUp(e *queue.Entry) {
	n := &w.nodes[e.Ref]
	g := n.group
	if g.probeSeq != e.Seq || !w.isThere(g) {
		return
	}
	if g.failures++; w.healthy(g) {
		g.failures = 0
	}
	if g.failures < n.Plan.LivenessProbe.FailureThreshold {
		w.scheduleProbe(n)
		return
	}
	w.crash(g, trace.ProbeFailed)
	w.unfreeze(g)
	w.beginAgain(g, clock.Instant(n.Plan.LivenessProbe.RestartAfter))
}

// healthy returns a process's answer to its liveness probe. It is false if the process is frozen, or if one of its
// electors leads although its lease ran out longer ago than the probe tolerates.
func (w *world) healthy(g *group) bool {
	for i := range w.members(g) {
		n := &w.members(g)[i]
		if n.paused > 0 || n.Life == seat.Running && !n.wellLed(w) {
			return false
		}
	}
	return true
}

// wellLed returns false if the node's elector leads although its lease ran out longer ago than the probe tolerates.
func (n *node) wellLed(w *world) bool {
	return n.Healthy(n.Clock.Mono(w.Now), n.Plan.LivenessProbe.Tolerance)
}
