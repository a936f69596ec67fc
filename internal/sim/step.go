package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/sim/seat"
	"interregnum/internal/trace"
)

// hand gives the node's machine an input other than an answer, and carries out the machine's outputs. t is the timer of Fired, and 0
// for any other kind.
func (w *world) hand(n *node, kind machine.InputKind, t machine.Timer) {
	w.told.Kind, w.told.Timer = kind, t
	w.step(n, &w.told)
}

// step gives the node's machine an input, carries out its outputs, and updates the node's belief. It then does the same with what
// follows without time passing.
func (w *world) step(n *node, in *machine.Input) {
	for ; in != nil; in = w.Follows() {
		out := w.Take(n.Machine, n.Clock.Now(w.Now), in)
		for i := range out {
			w.do(n, &out[i])
		}
		w.leave()
		if leads := n.Life == seat.Running && n.IsLeader(); leads != n.believes {
			w.believe(n, leads)
		}
	}
}

// do carries out one output of the machine. If that brings an answer at once, do leaves it in w.Input and sets w.Replied. If
// it ends the work at once, do sets w.WorkOver.
func (w *world) do(n *node, o *machine.Output) {
	switch o.Kind {
	case machine.SetTimer:
		draw := 0.0
		if o.Jitter {
			draw = w.jitter(n)
		}
		w.arm(n, o.Timer, o.Due(draw))
	case machine.StopTimer:
		n.disarm(o.Timer)
	case machine.Send:
		w.send(n, o.Request)
	case machine.Abandon:
		w.abandon(n, trace.ContextEnded)
	case machine.Detach:
		w.detach(n, o)
	case machine.Unwatch:
		w.unwatch(n)
	case machine.StartWork:
		w.startWork(n)
	case machine.StopWork:
		w.stopWork(n)
	case machine.Stopped:
		e := w.Event(trace.Stopped, &n.Seat)
		if n.term > n.stoppedTerm {
			n.stoppedTerm = n.term
			e.Term = n.term
		}
		w.Emit(e)
	case machine.Return:
		w.returned(n)
	default:
		w.tell(n, o)
	}
}

// tell emits an event for an output that only reports something: a new leader, a recorded event or a metric. It ignores any
// other output.
func (w *world) tell(n *node, o *machine.Output) {
	switch o.Kind {
	case machine.NewLeader:
		e := w.Event(trace.LeaderReported, &n.Seat)
		e.Holder = o.Text
		w.Emit(e)
	case machine.RecordEvent:
		e := w.Event(trace.EventRecorded, &n.Seat)
		e.Holder = o.Text
		w.Emit(e)
	case machine.MetricOn:
		w.metric(n, trace.MetricOn)
	case machine.MetricOff:
		w.metric(n, trace.MetricOff)
	case machine.MetricSlowPath:
		w.metric(n, trace.MetricSlowPath)
	}
}

// metric emits the event that the node's elector has set its metric. which says what it was set to.
func (w *world) metric(n *node, which trace.Cause) {
	e := w.Event(trace.MetricSet, &n.Seat)
	e.Cause = which
	w.Emit(e)
}
