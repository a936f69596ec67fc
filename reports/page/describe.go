package page

import (
	"fmt"

	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/reports/internal/words"
)

// describe says in a few words what happened. The page shows it beside the name of the event's kind.
func (p *Page) describe(e *trace.Event) string {
	switch e.Kind {
	case trace.RunStarted:
		return "process " + words.Count(int(e.Incarnation)) + " runs as " + words.Visible(e.Holder, words.MaxLabel)
	case trace.RunReturned:
		return "Run returned"
	case trace.LocalError:
		return fmt.Sprintf("%s not sent: %s", p.of(e.Verb.String(), e.Object), causeText(e.Cause))
	case trace.RequestQueued:
		return fmt.Sprintf("%s needs a seat of the service, and is carried out %s later", p.of(e.Verb.String(), e.Object), words.Duration(e.Amount))
	case trace.BeliefBegan:
		return "believes that it leads"
	case trace.BeliefEnded:
		return "believes so no more"
	case trace.WorkStarted:
		return fmt.Sprintf("work starts: term %d, fencing token %d", e.Term, e.Version)
	case trace.WorkCancelled:
		return fmt.Sprintf("work is cancelled: term %d", e.Term)
	case trace.WorkEnded:
		return fmt.Sprintf("work has ended: term %d", e.Term)
	case trace.Stopped:
		return "OnStoppedLeading is called"
	case trace.LeaderReported:
		return "OnNewLeader is called: " + words.Visible(e.Holder, words.MaxLabel)
	case trace.EventRecorded:
		return "event: " + words.Visible(e.Holder, words.MaxLabel)
	case trace.MetricSet:
		return "leader metric: " + e.Cause.String()
	case trace.Crashed:
		return crashText(e.Cause)
	case trace.CancelAsked:
		return "is asked to stop"
	case trace.Paused:
		return "is frozen"
	case trace.Resumed:
		return "wakes up"
	case trace.ClockChanged:
		return fmt.Sprintf("clock: jump %s, rate %+d ppm", words.Duration(e.Amount), e.Rate)
	case trace.ResourceWritten:
		return fmt.Sprintf("guarded write with token %d", e.Version)
	case trace.CandidacyWritten:
		return "writes the LeaseCandidate of " + e.Holder
	}
	return p.describeFault(e)
}

// describeFault describes events of faults, and those of the lock object and of the service's clock.
func (p *Page) describeFault(e *trace.Event) string {
	switch e.Kind {
	case trace.Expired:
		return "the " + e.Object.String() + " has run out"
	case trace.ServiceClock:
		return fmt.Sprintf("the service's clock: jump %s, rate %+d ppm", words.Duration(e.Amount), e.Rate)
	}
	label := reports.FaultLabel(p.Planned, e.Fault)
	switch e.Kind {
	case trace.Edited:
		return "the Lease is edited: " + label
	case trace.Deleted:
		if p.Several() {
			return "the " + e.Object.String() + " is deleted"
		}
		return "the lock object is deleted"
	case trace.FaultBegan:
		return "fault begins: " + label
	case trace.FaultEnded:
		return "fault ends: " + label
	}
	return "fault finds nobody: " + label
}

// of returns what, a text about a request, followed by the request's object if locks are on other objects than the Lease.
func (p *Page) of(what string, o trace.Object) string {
	if !p.Several() {
		return what
	}
	return what + " of the " + o.String()
}

// causeText says why a request was given up or not sent.
func causeText(c trace.Cause) string {
	switch c {
	case trace.ContextEnded:
		return "its context has ended"
	case trace.TimedOut:
		return "it timed out"
	case trace.NoObject:
		return "no object to update"
	case trace.Throttled:
		return "it would wait for the client's limiter until its context has ended"
	case trace.ConnectionLost:
		return "its connection has ended"
	}
	return c.String()
}

// crashText says how a process ends.
func crashText(why trace.Cause) string {
	switch why {
	case trace.Exited:
		return "its process exits, since it lost an election"
	case trace.ProbeFailed:
		return "its process is killed, since its liveness probe failed too often"
	case trace.Terminated:
		return "its process has ended, as a rollout told it to"
	case trace.Killed:
		return "its process is killed, since its grace period is over"
	}
	return "crashes"
}
