package page

import (
	"slices"

	"interregnum/internal/trace"
)

// maxNotes is how many events, beside those of requests, a page lists.
const maxNotes = 10_000

// noteLog holds the events that are not of requests. When there are too many, what only reports what others did goes
// first, the oldest before others.
type noteLog struct {
	all   []note
	total int
}

// note is an event of no request.
type note struct {
	at                int64
	seq, version      uint64
	amount            int64
	candidate         int32
	incarnation, term int32
	rate, fault       int32
	kind              trace.Kind
	verb              trace.Verb
	object            trace.Object
	cause             trace.Cause
	text              string
}

// observe keeps an event as a note.
func (l *noteLog) observe(e *trace.Event) {
	l.total++
	l.all = append(l.all, note{at: e.At, seq: e.Seq, version: e.Version, amount: e.Amount, candidate: e.Candidate,
		incarnation: e.Incarnation, term: e.Term, rate: e.Rate, fault: e.Fault, kind: e.Kind, verb: e.Verb, object: e.Object,
		cause: e.Cause, text: e.Holder})
	if len(l.all) >= 2*maxNotes {
		l.thin()
	}
}

// thin leaves no more than maxNotes.
func (l *noteLog) thin() {
	for worth := 0; worth <= 2 && len(l.all) > maxNotes; worth++ {
		surplus := len(l.all) - maxNotes
		l.all = slices.DeleteFunc(l.all, func(n note) bool {
			if surplus == 0 || n.worth() > worth {
				return false
			}
			surplus--
			return true
		})
	}
}

// worth ranks how much a note tells, from 0 to 2; where there are too many notes, those of rank 0 are removed first.
func (n *note) worth() int {
	switch n.kind {
	case trace.LeaderReported, trace.EventRecorded, trace.MetricSet, trace.ResourceWritten, trace.CandidacyWritten:
		return 0
	case trace.RunStarted, trace.RunReturned, trace.Stopped, trace.LocalError:
		return 1
	}
	return 2
}
