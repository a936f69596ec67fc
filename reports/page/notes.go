package page

import (
	"slices"

	"interregnum/internal/trace"
)

// maxNotes is how many events a page lists, without those of requests.
const maxNotes = 10_000

// noteLog keeps the events that are not of requests. If there are too many, it drops the least important ones first, and of
// these the oldest.
type noteLog struct {
	all   []trace.Event
	total int
}

// observe appends a copy of an event to the log. If the log has grown to twice maxNotes, it drops the least important events.
func (l *noteLog) observe(e *trace.Event) {
	l.total++
	l.all = append(l.all, *e)
	if len(l.all) >= 2*maxNotes {
		l.thin()
	}
}

// thin drops events, the least important first, until no more than maxNotes are left.
func (l *noteLog) thin() {
	l.all = thin(l.all, maxNotes, 0, func(e *trace.Event) int { return importance(e.Kind) })
}

// thin drops elements of all until only as many are left as most says, and returns the rest; it changes the slice itself. It drops
// elements of the lowest importance (0 to 3) first, and of equal ones the first. It never drops any of the last elements, as many
// as latest says; latest must not be above most.
func thin[T any](all []T, most, latest int, importance func(*T) int) []T {
	for dropped := 0; dropped <= 3 && len(all) > most; dropped++ {
		i, surplus, recent := 0, len(all)-most, len(all)-latest
		all = slices.DeleteFunc(all, func(one T) bool {
			i++
			if surplus == 0 || i > recent || importance(&one) > dropped {
				return false
			}
			surplus--
			return true
		})
	}
	return all
}

// importance returns the rank of events of a kind, from 0 to 2 for the most important ones. Rank 0 is for events that report what
// other events caused, and for writes of the guarded resource or of a LeaseCandidate.
func importance(k trace.Kind) int {
	switch k {
	case trace.LeaderReported, trace.EventRecorded, trace.MetricSet, trace.ResourceWritten, trace.CandidacyWritten:
		return 0
	case trace.RunStarted, trace.RunReturned, trace.Stopped, trace.LocalError, trace.RequestHeld:
		return 1
	}
	return 2
}
