package sim

import (
	"interregnum/elector/machine"
	"interregnum/internal/sim/clock"
	"interregnum/internal/trace"
)

// The reasons for which a client no longer waits for an answer.
const (
	contextEnded = trace.ContextEnded
	timedOut     = trace.TimedOut
)

// hand gives the machine an input that is no answer, and carries out what follows.
func (w *world) hand(n *node, in machine.Input) {
	w.told = in
	w.step(n, &w.told)
}

// step hands the machine an input and carries out its outputs. It goes on with each answer that this leads to without time passing.
func (w *world) step(n *node, in *machine.Input) {
	for {
		w.replied = false
		w.out = n.Step(n.clock.Now(w.Now), in, w.out[:0])
		for i := range w.out {
			w.do(n, &w.out[i])
		}
		w.leave()
		if leads := n.life == running && n.IsLeader(); leads != n.believes {
			w.believe(n, leads)
		}
		switch {
		case w.replied:
		case w.workOver:
			w.workOver = false
			w.input = machine.Input{Kind: machine.WorkReturned}
		default:
			return
		}
		in = &w.input
	}
}

// do carries out one output of the machine.
func (w *world) do(n *node, o *machine.Output) {
	switch o.Kind {
	case machine.SetTimer:
		draw := 0.0
		if o.Jitter {
			draw = n.jitter(w)
		}
		w.arm(n, o.Timer, o.Due(draw))
	case machine.StopTimer:
		n.disarm(o.Timer)
	case machine.Send:
		w.send(n, o.Request)
	case machine.Abandon:
		w.abandon(n, contextEnded)
	case machine.Detach:
		w.detach(n)
	case machine.Unwatch:
		w.unwatch(n)
	case machine.StartWork:
		n.term++
		n.working, n.token = true, n.lock.Version()
		e := w.event(trace.WorkStarted, n)
		e.Term, e.Version = n.term, n.token
		w.emit(e)
		w.writeResource(n)
	case machine.StopWork:
		w.stopWork(n)
	case machine.Stopped:
		e := w.event(trace.Stopped, n)
		if n.term > n.stoppedTerm {
			n.stoppedTerm = n.term
			e.Term = n.term
		}
		w.emit(e)
	case machine.Return:
		w.returned(n)
	default:
		w.tell(n, o)
	}
}

// tell emits the events of those outputs that only report something.
func (w *world) tell(n *node, o *machine.Output) {
	switch o.Kind {
	case machine.NewLeader:
		e := w.event(trace.LeaderReported, n)
		e.Holder = o.Text
		w.emit(e)
	case machine.RecordEvent:
		e := w.event(trace.EventRecorded, n)
		e.Holder = o.Text
		w.emit(e)
	case machine.MetricOn:
		w.metric(n, trace.MetricOn)
	case machine.MetricOff:
		w.metric(n, trace.MetricOff)
	case machine.MetricSlowPath:
		w.metric(n, trace.MetricSlowPath)
	}
}

func (w *world) metric(n *node, which trace.Cause) {
	e := w.event(trace.MetricSet, n)
	e.Cause = which
	w.emit(e)
}

// stopWork ends the work's context; the work itself ends when it has drained.
func (w *world) stopWork(n *node) {
	n.working = false
	w.workEvent(trace.WorkCancelled, n, n.term, n.incarnation)
	if n.plan.Drain == 0 {
		w.workEvent(trace.WorkEnded, n, n.term, n.incarnation)
		w.workOver = true
		return
	}
	ends := w.Now + clock.Instant(n.plan.Drain)
	n.drains = append(n.drains, drain{
		term: n.term, incarnation: n.incarnation, endsAt: ends, seq: w.Schedule(ends, drainDue, n.index),
	})
}

// writeResource has the work of the current term write the guarded resource, and schedules its next write. Work that
// drains still writes; work that has ended does not.
func (w *world) writeResource(n *node) {
	if n.plan.WriteEvery == 0 || !n.working && !n.draining() {
		return
	}
	e := w.event(trace.ResourceWritten, n)
	e.Term, e.Version = n.term, n.token
	w.emit(e)
	w.armAfter(n, writeTimer, n.plan.WriteEvery)
}

func (w *world) workEvent(k trace.Kind, n *node, term, incarnation int32) {
	e := w.event(k, n)
	e.Term, e.Incarnation = term, incarnation
	w.emit(e)
}

// believe sets whether the candidate believes that it leads, and emits an event where that changes.
func (w *world) believe(n *node, does bool) {
	if does == n.believes {
		return
	}
	n.believes = does
	k := trace.BeliefEnded
	if does {
		k = trace.BeliefBegan
	}
	w.emit(w.event(k, n))
}

// abandon ends the client's wait for the request in flight, which goes on without it; a request that waits in the limiter is not sent.
func (w *world) abandon(n *node, why trace.Cause) {
	if n.held > 0 {
		w.unsent(n)
		return
	}
	n.disarm(requestTimer)
	w.gaveUp(n, n.elector, &n.wait, why)
}

// gaveUp ends a wait without an answer, and leaves in w.input that the call has failed.
func (w *world) gaveUp(n *node, r *elector, c *wait, why trace.Cause) {
	e := w.event(trace.GaveUp, n)
	e.Incarnation, e.Request, e.Verb, e.Cause = r.process, c.inFlight, trace.Verb(c.verb), why
	e.Object = trace.Object(c.object)
	w.emit(e)
	w.failed(c)
}

// giveUp is abandon where the host and not the machine ends the wait, as at a timeout: the machine is told of the failure.
func (w *world) giveUp(n *node, why trace.Cause) {
	w.abandon(n, why)
	w.step(n, &w.input)
}

// failed leaves in w.input, for the machine's next step, that the call has failed.
func (w *world) failed(c *wait) {
	c.lock.Failed(c.verb)
	w.input = machine.Input{
		Kind: machine.Responded, Response: machine.Response{ID: c.asked, Outcome: machine.Failed},
	}
	c.inFlight = 0
	w.replied = true
}
