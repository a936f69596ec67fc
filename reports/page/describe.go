package page

import (
	"cmp"
	"fmt"

	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/reports/internal/words"
)

// describe returns, in a few words, what happened. The page shows it beside the name of the event's kind.
func (p *Page) describe(e *trace.Event) string {
	switch e.Kind {
	case trace.RunStarted:
		return "process " + words.Count(int(e.Incarnation)) + " runs as " + words.Visible(e.Holder, words.MaxLabel)
	case trace.LocalError:
		return fmt.Sprintf("%s not sent: %s", p.of(e.Verb.String(), e.Object), causeText(e.Cause))
	case trace.RequestHeld:
		return fmt.Sprintf("%s is kept back for %s, %s", p.of(e.Verb.String(), e.Object), words.Duration(e.Amount), heldText(e.Status))
	case trace.RequestQueued:
		return fmt.Sprintf("%s needs a seat of the service, and is carried out %s later", p.of(e.Verb.String(), e.Object), words.Duration(e.Amount))
	case trace.WorkStarted:
		return fmt.Sprintf("work starts: term %d, fencing token %d", e.Term, e.Version)
	case trace.WorkCancelled:
		return fmt.Sprintf("work is cancelled: term %d", e.Term)
	case trace.WorkEnded:
		return fmt.Sprintf("work has ended: term %d", e.Term)
	case trace.LeaderReported:
		return "OnNewLeader is called: " + words.Visible(e.Holder, words.MaxLabel)
	case trace.EventRecorded:
		return "event: " + words.Visible(e.Holder, words.MaxLabel)
	case trace.MetricSet:
		return "leader metric: " + e.Cause.String()
	case trace.Crashed:
		return reports.CrashText(e.Cause)
	case trace.ClockChanged:
		return fmt.Sprintf("clock: jump %s, rate %+d ppm", words.Duration(e.Amount), e.Rate)
	case trace.ResourceWritten:
		return fmt.Sprintf("guarded write with token %d", e.Version)
	case trace.CandidacyWritten:
		return "writes the LeaseCandidate of " + e.Holder
	}
	if said := saidAlways[e.Kind]; said != "" {
		return said
	}
	return p.describeFault(e)
}

// saidAlways has the text for each kind of event of which every event has the same text.
var saidAlways = map[trace.Kind]string{
	trace.RunReturned: "Run returned", trace.BeliefBegan: "believes that it leads", trace.BeliefEnded: "believes so no more",
	trace.Stopped: "OnStoppedLeading is called", trace.CancelAsked: "is asked to stop", trace.Paused: "is frozen",
	trace.Resumed: "wakes up",
}

// describeFault returns, in a few words, what happened in an event of a fault, of the lock object or of the service's clock.
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
	return "fault without effect: " + reports.VoidLabel(p.Planned, e.Fault)
}

// of returns what, a text about a request, followed by the request's object if locks are on other objects than the Lease.
func (p *Page) of(what string, o trace.Object) string {
	if !p.Several() {
		return what
	}
	return what + " of the " + o.String()
}

// heldText returns, in words, why a request is kept back. status is that of the answer that asked for it, 0 for none.
func heldText(status int16) string {
	if status == 0 {
		return "by its client's limiter"
	}
	return fmt.Sprintf("as the answer %d asks for", status)
}

// causeText returns, in words, why a request was given up or not sent.
func causeText(c trace.Cause) string { return cmp.Or(causeTexts[c], c.String()) }

var causeTexts = map[trace.Cause]string{
	trace.ContextEnded:   "its context has ended",
	trace.TimedOut:       "it timed out",
	trace.NoObject:       "no object to update",
	trace.Throttled:      "it would wait for the client's limiter until its context has ended",
	trace.ConnectionLost: "its connection has ended",
}
