package reports

import (
	"reflect"
	"strings"

	"interregnum/internal/trace"
	"interregnum/scenarios"
)

// Side is one of two runs that are compared, with all its events.
type Side struct {
	// Name is the run's name for people.
	Name     string
	Header   *trace.Header
	Events   []trace.Event
	Result   *scenarios.Result
	Timeline *Timeline
}

// Difference says where two runs begin to differ: after Shared events, which are the same. One side can end there.
type Difference struct {
	Shared int
	a, b   *Side
}

// Compare returns where two runs begin to differ; nil if they have the same events. It takes candidates with the same name
// for the same.
func Compare(a, b *Side) *Difference {
	n := min(len(a.Events), len(b.Events))
	for i := range n {
		if !sameEvent(a, b, i) {
			return &Difference{i, a, b}
		}
	}
	if len(a.Events) == len(b.Events) {
		return nil
	}
	return &Difference{n, a, b}
}

// sameEvent tells whether both sides have the same event at index i; candidates are compared by name, not by index.
func sameEvent(a, b *Side, i int) bool {
	x, y := a.Events[i], b.Events[i]
	if a.who(&x) != b.who(&y) {
		return false
	}
	x.Candidate, x.On = y.Candidate, y.On
	return reflect.DeepEqual(&x, &y)
}

// who returns the name of the candidate that the event is about. If it is about none, it returns the names of the candidates that
// its fault is on, with commas; "" if there are none.
func (s *Side) who(e *trace.Event) string {
	if e.Candidate == trace.Nobody {
		return strings.Join(s.names(e.On), ", ")
	}
	return s.Header.Candidates[e.Candidate].Name()
}

// names returns the names of the candidates with these indices.
func (s *Side) names(indices []int32) (names []string) {
	for _, i := range indices {
		names = append(names, s.Header.Candidates[i].Name())
	}
	return names
}

// At returns when the two runs begin to differ, in nanoseconds of true time. It is the time of the first event that differs, on
// the side where it is earlier.
func (d *Difference) At() int64 {
	at := int64(-1)
	for _, s := range []*Side{d.a, d.b} {
		if d.Shared < len(s.Events) && (at < 0 || s.Events[d.Shared].At < at) {
			at = s.Events[d.Shared].At
		}
	}
	return at
}
