package sim

import (
	"interregnum/internal/sim/clock"
	"interregnum/internal/sim/queue"
	"interregnum/internal/trace"
)

// group is a process: the nodes of one candidate, one for each of its elections, which follow each other.
type group struct {
	first, size int32
	// paused counts the pauses in force, which are these; pending is what came due meanwhile.
	paused  int
	pauses  []int32
	pending []queue.Entry
	// probed is the incarnation that is being probed, probeSeq the entry of the next probe, failures the bad answers in
	// a row.
	probed   int32
	failures int
	probeSeq uint64
}

// parks tells whether the process is frozen. If so it keeps e, which has come due, until the process wakes.
func (g *group) parks(e *queue.Entry) bool {
	if g.paused > 0 {
		g.pending = append(g.pending, *e)
	}
	return g.paused > 0
}

func (w *world) members(g *group) []node { return w.nodes[g.first : g.first+g.size] }

// lives tells whether any node of the process is in a Run or between two.
func (w *world) lives(g *group) bool {
	for i := range w.members(g) {
		if w.members(g)[i].alive() {
			return true
		}
	}
	return false
}

// exit ends the whole process of a node by itself, as os.Exit does, and schedules the next one if there is a Rejoin.
func (w *world) exit(n *node) {
	n.life = resting // the process is there until it exits
	w.crash(n.group, trace.Exited)
	if n.plan.Rejoin != nil {
		w.beginAgain(n.group, clock.Instant(*n.plan.Rejoin))
	}
}

// beginAgain has another process follow one that has ended, after that time.
func (w *world) beginAgain(g *group, after clock.Instant) {
	for i := range w.members(g) {
		w.scheduleStart(&w.members(g)[i], w.Now+after)
	}
}

// openProbe begins to probe the node's process if it is a new one and the plan has a probe.
func (w *world) openProbe(n *node) {
	if n.plan.LivenessProbe != nil && n.probed != n.incarnation {
		n.probed, n.failures = n.incarnation, 0
		w.scheduleProbe(n)
	}
}

func (w *world) scheduleProbe(n *node) {
	n.probeSeq = w.Schedule(w.Now+clock.Instant(n.plan.LivenessProbe.Period), probeDue, n.first)
}

// probeUp asks a process whether it is healthy. One that fails too often is killed, and whatever froze it does not freeze
// its successor.
func (w *world) probeUp(e *queue.Entry) {
	n := &w.nodes[e.Ref]
	g := n.group
	if g.probeSeq != e.Seq || !w.lives(g) {
		return
	}
	if g.failures++; w.healthy(g) {
		g.failures = 0
	}
	if g.failures < n.plan.LivenessProbe.FailureThreshold {
		w.scheduleProbe(n)
		return
	}
	w.crash(g, trace.ProbeFailed)
	if g.paused > 0 {
		g.paused, g.pauses = 0, nil
		w.thaw(g)
	}
	w.beginAgain(g, clock.Instant(n.plan.LivenessProbe.RestartAfter))
}

// healthy is what a process answers to its probe: no if it is frozen, or if one of its electors leads although its lease has run out too long ago.
func (w *world) healthy(g *group) bool {
	for i := range w.members(g) {
		n := &w.members(g)[i]
		if n.paused > 0 || n.life == running && !n.wellLed(w) {
			return false
		}
	}
	return true
}

// wellLed tells whether the node's elector does not lead, or leads on a lease that has run out no longer than the probe's tolerance ago.
func (n *node) wellLed(w *world) bool {
	return n.Healthy(n.clock.Mono(w.Now), n.plan.LivenessProbe.Tolerance)
}
