package investigate

import (
	"fmt"
	"slices"
	"time"

	"interregnum/internal/evidence"
)

// lacks returns the words for what did not come from the holder between its last write and a time. The caller must know that
// no request came, and no line of its log about the election; lacks adds for how long there certainly was no line about
// anything.
func (w *window) lacks(until time.Time) string {
	if w.pod == nil {
		return ", no request, and no log of it was given"
	}
	most, all := w.unheard(until)
	if all {
		return ", no request and no line of its log"
	}
	return fmt.Sprintf(", no request and no line of its log about the election, and for %v or longer none about anything", most.Round(time.Millisecond))
}

// stillness is a time, by the server's clock, in which a log certainly has nothing.
type stillness struct{ from, until time.Time }

// unheard returns the longest time from the holder's last write until a time in which the logs of its pod certainly have no line about
// anything; all tells whether that is all the time. The pod must be known.
func (w *window) unheard(until time.Time) (most time.Duration, all bool) {
	left := []stillness{{w.last.Received, until}}
	for i := range w.t.e.Sources {
		if !w.pod.logs(w.t.e.Sources, i) {
			continue
		}
		var both []stillness
		for _, a := range left {
			for _, b := range w.stillnesses(i, until) {
				if x := (stillness{latest(a.from, b.from), earliest(a.until, b.until)}); x.from.Before(x.until) {
					both = append(both, x)
				}
			}
		}
		left = both
	}
	for _, x := range left {
		most = max(most, x.until.Sub(x.from))
	}
	return most, most == until.Sub(w.last.Received)
}

// stillnesses returns the times in which a log certainly has nothing, by the server's clock and up to a time: before its first line, its
// silences, and after its last line. The log must be one of the pod's.
func (w *window) stillnesses(source int, until time.Time) (all []stillness) {
	x, p := &w.t.e.Sources[source], w.pod
	if low := p.instant(x.First, 0).Low; low.After(w.last.Received) {
		all = append(all, stillness{w.last.Received, low})
	}
	for _, q := range p.silences {
		if q.Source != source || w.farFrom(q, until) {
			continue
		}
		from, low := p.instant(q.From, p.unit).High, p.instant(q.Until, 0).Low
		if !from.IsZero() && from.Before(until) && low.After(w.last.Received) {
			all = append(all, stillness{from, low})
		}
	}
	if high := p.instant(x.Last, p.unit).High; !high.IsZero() && high.Before(until) {
		all = append(all, stillness{high, until})
	}
	return all
}

// farFrom tells whether a silence of the pod's log ends long before the holder stamped its last write, or begins long after what its clock
// showed at a time. It saves a look at the bounds of that clock.
func (w *window) farFrom(q *evidence.Silence, until time.Time) bool {
	const long = time.Minute
	stamped := w.last.Record.Renew
	return !stamped.IsZero() && (q.Until.Before(stamped.Add(-long)) || q.From.After(stamped.Add(until.Sub(w.last.Received)+long)))
}

// logged returns when the last line of the logs of the holder's pod was written; zero if no log of it is known.
func (w *window) logged() (end Instant) {
	for i := range w.t.e.Sources {
		if w.pod != nil && w.pod.logs(w.t.e.Sources, i) {
			last := w.pod.instant(w.t.e.Sources[i].Last, w.pod.unit)
			end = Instant{latest(end.Low, last.Low), latest(end.High, last.High)}
		}
	}
	return end
}

// logs tells whether a source is a log of the pod, whether or not it has anything about the election. A log that names no container can
// be of any.
func (p *pod) logs(sources []evidence.Source, i int) bool {
	x := &sources[i]
	return slices.Contains(p.sources, i) || x.Process == p.name && !x.First.IsZero() && slices.ContainsFunc(p.sources, func(k int) bool {
		return x.Container == "" || sources[k].Container == "" || x.Container == sources[k].Container
	})
}
