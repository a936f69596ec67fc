package rest

import (
	"cmp"
	"fmt"
	"slices"

	"interregnum/internal/trace"
)

// mark is something that happened. Its time is in nanoseconds since the start.
type mark struct {
	at        int64
	candidate int
	what      string
}

// sorted orders what happened at one instant, since goroutines may note that in any order.
func sorted(marks []mark) []mark {
	slices.SortFunc(marks, func(a, b mark) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.candidate, b.candidate), cmp.Compare(a.what, b.what))
	})
	return marks
}

// difference returns where two histories first differ, "" if they do not. It looks no further than to where the simulated client
// fails to make a connection: the library's here is always made.
func difference(library []mark, of *gather) string {
	simulated := before(of.marks, of.closed)
	library = before(library, of.closed)
	for i := range max(len(library), len(simulated)) {
		if i < len(library) && i < len(simulated) && library[i] == simulated[i] {
			continue
		}
		return fmt.Sprintf("mark %d, after %s:\n  library:   %v\n  simulated: %v", i, around(library, i-3, i),
			around(library, i, i+3), around(simulated, i, i+3))
	}
	return ""
}

// before returns the marks of times before that one, all if it is 0.
func before(marks []mark, at int64) []mark {
	if i := slices.IndexFunc(marks, func(m mark) bool { return at > 0 && m.at >= at }); i >= 0 {
		return marks[:i]
	}
	return marks
}

// around returns those marks from index low to before high that there are.
func around(marks []mark, low, high int) string {
	return fmt.Sprint(marks[min(max(low, 0), len(marks)):min(high, len(marks))])
}

// The texts of marks. The first part is what happens to a request, seen from the client.
func sent(verb string) string               { return "sent " + verb }
func answered(verb string, code int) string { return fmt.Sprintf("answer %s %d", verb, code) }
func gaveUp(verb string) string             { return "gave up " + verb }
func unsent(verb, why string) string        { return "unsent " + verb + " " + why }

// handled is what the service does with a request.
func handled(verb string, code int) string { return fmt.Sprintf("service %s %d", verb, code) }

// refused is an answer by which the service refuses a request.
func refused(verb string, code int) string { return fmt.Sprintf("refused %s %d", verb, code) }

func wrote(verb, holder string, version, transitions int) string {
	return fmt.Sprintf("wrote %s %q version %d transitions %d", verb, holder, version, transitions)
}

func reported(holder string) string { return fmt.Sprintf("leader %q", holder) }

// What happens to a Run.
const (
	started   = "started"
	cancelled = "cancelled"
	stopped   = "stopped"
	returned  = "returned"
)

// Why a request is not sent.
const (
	throttled = "throttled"
	ended     = "ended"
	noObject  = "no object"
)

// gather takes what happens from the events of a simulated run.
type gather struct {
	marks []mark
	// closed is when a client first failed to make a connection, or closed one of HTTP/2; 0 for never.
	closed int64
}

// Observe takes in an event.
func (g *gather) Observe(e *trace.Event) {
	if e.Kind == trace.GaveUp && e.Cause == trace.ConnectionLost && g.closed == 0 {
		g.closed = e.At
	}
	if what := g.what(e); what != "" {
		g.marks = append(g.marks, mark{e.At, int(e.Candidate), what})
	}
}

// what returns the text of an event, "" if it has none.
func (g *gather) what(e *trace.Event) string {
	verb, status := e.Verb.String(), int(e.Status)
	switch e.Kind {
	case trace.RequestSent:
		return sent(verb)
	case trace.RequestApplied:
		return handled(verb, status)
	case trace.Written:
		return wrote(verb, e.Holder, int(e.Version), int(e.Transitions))
	case trace.RequestRefused:
		return refused(verb, status)
	case trace.ResponseHandled:
		return answered(verb, status)
	case trace.GaveUp:
		return gaveUp(verb)
	case trace.LocalError:
		return unsent(verb, causes[e.Cause])
	case trace.LeaderReported:
		return reported(e.Holder)
	}
	return ofRun[e.Kind]
}

var ofRun = map[trace.Kind]string{
	trace.WorkStarted: started, trace.WorkCancelled: cancelled, trace.Stopped: stopped, trace.RunReturned: returned,
}

// causes are those of trace.LocalError. The library does not tell one end of a context from another.
var causes = map[trace.Cause]string{
	trace.Throttled: throttled, trace.ContextEnded: ended, trace.TimedOut: ended, trace.NoObject: noObject,
}
