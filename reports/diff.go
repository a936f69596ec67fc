package reports

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"interregnum/internal/trace"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// Side is one of two runs that are compared, with all its events.
type Side struct {
	// Name is how people call it.
	Name     string
	Header   *trace.Header
	Events   []trace.Event
	Result   *scenarios.Result
	Timeline *Timeline
}

// Difference is where two runs part: the number of events that they share. A side may have no further event.
type Difference struct {
	a, b   *Side
	Shared int
}

// Compare returns where two runs begin to differ, nil where they have the same events. Candidates are the same where
// they have the same name.
func Compare(a, b *Side) *Difference {
	n := min(len(a.Events), len(b.Events))
	for i := range n {
		if !sameEvent(a, b, i) {
			return &Difference{a, b, i}
		}
	}
	if len(a.Events) == len(b.Events) {
		return nil
	}
	return &Difference{a, b, n}
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

// who returns the name of the candidate that the event is about; where it is about none, the names of those that its
// fault is on.
func (s *Side) who(e *trace.Event) string {
	if e.Candidate == trace.Nobody {
		return strings.Join(s.names(e.On), ", ")
	}
	return s.Header.Candidates[e.Candidate].Name()
}

func (s *Side) names(of []int32) (names []string) {
	for _, i := range of {
		names = append(names, s.Header.Candidates[i].Name())
	}
	return names
}

// at returns the true time at which the two runs begin to differ: that of the first differing event, the earlier one of
// the two sides.
func (d *Difference) at() int64 {
	at := int64(-1)
	for _, s := range []*Side{d.a, d.b} {
		if d.Shared < len(s.Events) && (at < 0 || s.Events[d.Shared].At < at) {
			at = s.Events[d.Shared].At
		}
	}
	return at
}

// DiffText writes how two runs compare: verdicts, the first event that differs, then both timelines on one axis, and
// how overlaps came about.
func DiffText(w io.Writer, a, b *Side, width int) error {
	width = max(width, MinWidth)
	d := Compare(a, b)
	lines := sideLines(a, b, width)
	lines = section(lines, verdictsOfBoth(a, b, width))
	lines = section(lines, d.lines(width))
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	if _, err := io.WriteString(w, strings.Join(lines, "\n")+"\n"); err != nil {
		return err
	}
	if err := together(w, a, b, d, width); err != nil {
		return err
	}
	for i, s := range []*Side{a, b} {
		if why := whyLines(s.Result, width-len("A: ")); len(why) > 0 {
			if _, err := fmt.Fprintf(w, "\n%c: %s\n", sideMarks[i], strings.Join(why, "\n")); err != nil {
				return err
			}
		}
	}
	return nil
}

// sideMarks are how the two sides are called for short: candidates have small letters.
const sideMarks = "AB"

// sideLines returns a table with a line for each of two runs: A or B, its name, seed, number of events and hash.
func sideLines(a, b *Side, width int) []string {
	t := table{}
	for i, s := range []*Side{a, b} {
		t.add(string(sideMarks[i]), words.Visible(s.Name, words.MaxName), fmt.Sprintf("seed %d", s.Header.Seed),
			words.Count(len(s.Events))+" events", "hash "+s.Result.TraceHash)
	}
	return t.within(width)
}

// verdictsOfBoth returns a table of the verdicts of two runs, one line a property; a line ends in "differs" where they
// are not the same.
func verdictsOfBoth(a, b *Side, width int) []string {
	t := table{headed: true}
	t.add("", "A", "B", "")
	for i := range a.Result.Properties {
		p, q := &a.Result.Properties[i], &b.Result.Properties[i]
		x := strings.TrimSpace(string(p.Verdict) + " " + extent(p))
		y := strings.TrimSpace(string(q.Verdict) + " " + extent(q))
		differs := ""
		if x != y {
			differs = "differs"
		}
		t.add(p.Name, x, y, differs)
	}
	return t.within(width)
}

// How many events are shown before the first that differs, and of each side from there on.
const (
	eventsBefore = 3
	eventsAfter  = 5
)

// lines returns the last events that the two runs share, then those that follow on each side. Where d is nil, it says
// that the two have the same events.
func (d *Difference) lines(width int) []string {
	if d == nil {
		return []string{"the two have the same events"}
	}
	shared := "the first event differs"
	if d.Shared > 0 {
		shared = fmt.Sprintf("the first %s events are the same, then, at %s:", words.Count(d.Shared), words.Duration(d.at()))
	}
	lines := wrap(shared, width)
	for i := max(0, d.Shared-eventsBefore); i < d.Shared; i++ {
		lines = append(lines, d.a.eventLines("    ", i, width)...)
	}
	for k, s := range []*Side{d.a, d.b} {
		mark := fmt.Sprintf("  %c ", sideMarks[k])
		for i := d.Shared; i < min(d.Shared+eventsAfter, len(s.Events)); i++ {
			lines = append(lines, s.eventLines(mark, i, width)...)
		}
		if d.Shared == len(s.Events) {
			lines = append(lines, mark+"ends here")
		}
	}
	return lines
}

// eventWidth is from which width on an event stands beside its time.
const eventWidth = 60

// eventLines returns the event at index i as lines of text: the mark, its time for people, then its line of the trace
// file, broken between the fields.
func (s *Side) eventLines(mark string, i, width int) []string {
	begin := mark + pad(words.Duration(s.Events[i].At), 12)
	members := strings.SplitAfter(words.Visible(string(trace.Line(s.Header, &s.Events[i])), words.MaxText), ",")
	if width < eventWidth {
		return append([]string{strings.TrimRight(begin, " ")}, wrapBy(strings.Join(members, " "), len(mark), width)...)
	}
	lines := flow(members, "", width-len(begin))
	for k := range lines {
		if k == 0 {
			lines[k] = begin + lines[k]
		} else {
			lines[k] = strings.Repeat(" ", len(begin)) + lines[k]
		}
	}
	return lines
}
