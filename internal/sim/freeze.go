package sim

import "interregnum/internal/trace"

// pause freezes a process and the drain of its work, because of the fault with that index, and emits Paused for each of its
// nodes. Other traffic that has come by then takes its tokens. If the process is frozen already, pause only counts one pause
// more.
func (w *world) pause(g *group, fault int32) {
	g.pauses = append(g.pauses, fault)
	if g.paused++; g.paused > 1 {
		return
	}
	for i := range w.members(g) {
		n := &w.members(g)[i]
		w.Emit(w.Event(trace.Paused, &n.Seat))
		if n.Plan.Client.Limits() {
			n.client.limiter.Pass(n.Clock.Mono(w.Now))
		}
		for i := range n.drains {
			n.drains[i].endsAt -= w.Now
			n.drains[i].seq = 0
		}
	}
}

// unfreeze ends all pauses of a process that was killed, and emits Resumed for each of its nodes. It does nothing if the process
// is not frozen.
func (w *world) unfreeze(g *group) {
	if g.paused > 0 {
		g.paused, g.pauses = 0, g.pauses[:0]
		w.thaw(g)
	}
}

// thaw lets a process, and the drain of its work, go on after a freeze, and emits Resumed for each of its nodes. Other traffic
// that fell into the freeze takes no tokens. thaw does not handle what came due meanwhile.
func (w *world) thaw(g *group) {
	for i := range w.members(g) {
		n := &w.members(g)[i]
		w.Emit(w.Event(trace.Resumed, &n.Seat))
		if n.Plan.Client.Limits() {
			n.client.limiter.Skip(n.Clock.Mono(w.Now) - 1)
		}
		for i := range n.drains {
			d := &n.drains[i]
			d.endsAt += w.Now
			d.seq = w.Schedule(d.endsAt, drainDue, n.Index)
		}
	}
}
