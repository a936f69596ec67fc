package explain

import (
	"interregnum/internal/trace"
)

// work is one stretch of guarded work.
type work struct {
	trace.TermID
	claim claim
	// hold is what the term rested on when the work was told to end.
	hold                 hold
	cancelledAt, endedAt int64
	// frozen are the stretches for which its process stood still; the last one may have no end.
	frozen []span
}

// span is a stretch of true time, in nanoseconds. to is never while the stretch lasts.
type span struct{ from, to int64 }

// thaw ends the freeze that the process is in, if it is in one, at the time at, in nanoseconds of true time.
func (w *work) thaw(at int64) {
	if n := len(w.frozen); n > 0 && w.frozen[n-1].to == never {
		w.frozen[n-1].to = at
	}
}

// frozenIn returns for how long the process stood still between the instants from and to, all in nanoseconds of true time.
func (w *work) frozenIn(from, to int64) (sum int64) {
	for _, s := range w.frozen {
		end := s.to
		if end == never {
			end = to
		}
		sum += max(0, min(end, to)-max(s.from, from))
	}
	return sum
}

// overlap is an overlap of work that goes on.
type overlap struct {
	first, second *work
	from          int64
}
