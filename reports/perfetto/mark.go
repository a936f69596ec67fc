package perfetto

import "interregnum/internal/trace"

// markOf returns the name and the args of an event that takes no time. The args are nil if there is nothing more to say.
func markOf(e *trace.Event) (name string, a args) {
	name = e.Kind.String()
	switch e.Kind {
	case trace.ClockChanged:
		name, a = "clock changed", args{"jumpNs": e.Amount, "driftPPM": e.Rate}
	case trace.CancelAsked:
		name = "cancelled"
	case trace.Stopped:
		name, a = "OnStoppedLeading", args{"term": e.Term}
	case trace.LeaderReported:
		name, a = "OnNewLeader", args{"leader": e.Holder}
	case trace.EventRecorded:
		name, a = "event", args{"text": e.Holder}
	case trace.MetricSet:
		name, a = "metric", args{"metric": e.Cause.String()}
	case trace.LocalError:
		name, a = "request not sent", args{"verb": e.Verb.String(), "cause": e.Cause.String()}
	case trace.RequestHeld:
		name, a = "request kept back", args{"verb": e.Verb.String(), "forNs": e.Amount, "status": e.Status}
	case trace.ResourceWritten:
		name, a = "writes the resource", args{"term": e.Term, "token": e.Version}
	}
	return name, a
}
