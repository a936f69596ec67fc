package read

import (
	"slices"
	"time"

	"interregnum/internal/evidence"
)

// order counts the lines of a source that have one before them, and how often a line is certainly later than that one, and how often certainly
// earlier.
type order struct{ lines, rises, falls int }

// order returns the counts of the stream's source.
func (s *stream) order() *order {
	n := s.orders[s.source]
	if n == nil {
		n = &order{}
		s.orders[s.source] = n
	}
	return n
}

// follow counts whether a line rises or falls, or neither if the stamps are too coarse to tell, and keeps its stamp as that of the
// line before the next one.
func (s *stream) follow(at time.Time, unit time.Duration) {
	if n := s.order(); !s.last.IsZero() {
		n.lines++
		switch {
		case !at.Before(s.last.Add(max(s.unit, 1))):
			n.rises++
		case !at.Add(max(unit, 1)).After(s.last):
			n.falls++
		}
	}
	s.last, s.unit = at, unit
}

// Of a file whose lines fall this often at least, all processes together, and rise in one of so many cases at most, it is certain that it has the
// newest line first. A clock that is set back makes one line of one process fall.
const (
	surelyFalls = 3
	oneRiseIn   = 10
)

// setOrders sets Order of each source of process logs whose lines do not rise, with a note that says so. It turns silences of
// sources whose newest line is first, and drops silences of sources without an order, and those that end before they begin.
func (r *Reader) setOrders() {
	files := map[string]order{}
	for i, n := range r.orders {
		all := files[r.e.Sources[i].File]
		files[r.e.Sources[i].File] = order{all.lines + n.lines, all.rises + n.rises, all.falls + n.falls}
	}
	for i, n := range r.orders {
		x := &r.e.Sources[i]
		all := files[x.File]
		switch {
		case n.falls > n.rises && n.rises*oneRiseIn <= n.falls && all.falls >= surelyFalls && all.rises*oneRiseIn <= all.falls:
			x.Order = evidence.NewestFirst
			x.Notes = append(x.Notes, "its newest line is its first")
		case n.lines > 0 && n.falls >= n.rises:
			x.Order = evidence.NoOrder
			x.Notes = append(x.Notes, "its stamps do not show whether its first line is the oldest or the newest")
		}
	}
	for i := range r.e.Silences {
		if x := &r.e.Silences[i]; r.e.Sources[x.Source].Order == evidence.NewestFirst {
			x.From, x.Until = x.Until, x.From
		}
	}
	r.e.Silences = slices.DeleteFunc(r.e.Silences, func(x evidence.Silence) bool {
		return x.Until.Before(x.From) || r.e.Sources[x.Source].Order == evidence.NoOrder
	})
}
