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
	all   []trace.Event
	total int
}

// observe keeps an event.
func (l *noteLog) observe(e *trace.Event) {
	l.total++
	l.all = append(l.all, *e)
	if len(l.all) >= 2*maxNotes {
		l.thin()
	}
}

// thin leaves no more than maxNotes.
func (l *noteLog) thin() {
	for worth := 0; worth <= 2 && len(l.all) > maxNotes; worth++ {
		surplus := len(l.all) - maxNotes
		l.all = slices.DeleteFunc(l.all, func(e trace.Event) bool {
			if surplus == 0 || worthOf(e.Kind) > worth {
				return false
			}
			surplus--
			return true
		})
	}
}

// worthOf ranks how much an event of a kind tells, from 0 to 2; where there are too many, those of rank 0 are removed first.
func worthOf(k trace.Kind) int {
	switch k {
	case trace.LeaderReported, trace.EventRecorded, trace.MetricSet, trace.ResourceWritten, trace.CandidacyWritten:
		return 0
	case trace.RunStarted, trace.RunReturned, trace.Stopped, trace.LocalError:
		return 1
	}
	return 2
}
