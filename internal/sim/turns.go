package sim

import "interregnum/internal/trace"

// turns is a sink that counts the events after which a rollout can have something to do: processes start, end, freeze, wake or
// change their work, or a fault begins or ends. Only runs with a rollout have it.
type turns struct{ seen uint64 }

// Observe counts an event. It implements trace.Sink.
func (t *turns) Observe(*trace.Event) { t.seen++ }

// Wants returns the kinds of event that the sink counts. It implements trace.Selective.
func (t *turns) Wants() trace.KindSet {
	return trace.KindsOf(trace.RunStarted, trace.RunReturned, trace.Crashed, trace.WorkStarted, trace.WorkCancelled,
		trace.WorkEnded, trace.Paused, trace.Resumed, trace.CancelAsked, trace.FaultBegan, trace.FaultEnded)
}
