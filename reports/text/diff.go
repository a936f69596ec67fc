package text

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"interregnum/internal/check"
	"interregnum/internal/trace"
	"interregnum/reports"
	"interregnum/reports/internal/words"
)

// Diff writes a comparison of two runs: a line for each, the verdicts, the first event that differs, both timelines on one axis,
// and how overlaps came about. Lines have at most width columns; a width below 40 counts as 40.
func Diff(w io.Writer, a, b *reports.Side, width int) error {
	width = max(width, reports.MinWidth)
	d := reports.Compare(a, b)
	lines := sideLines(a, b, width)
	lines = section(lines, verdictsOfBoth(a, b, width))
	lines = section(lines, differenceLines(a, b, d, width))
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	if err := write(w, lines); err != nil {
		return err
	}
	if err := together(w, a, b, d, width); err != nil {
		return err
	}
	for i, s := range []*reports.Side{a, b} {
		if why := whyLines(s.Result, width-len("A: ")); len(why) > 0 {
			if _, err := fmt.Fprintf(w, "\n%c: %s\n", sideMarks[i], strings.Join(why, "\n")); err != nil {
				return err
			}
		}
	}
	return nil
}

// sideLines returns a table with a line for each of two runs: A or B, its name, seed, number of events and hash.
func sideLines(a, b *reports.Side, width int) []string {
	t := table{}
	for i, s := range []*reports.Side{a, b} {
		t.add(string(sideMarks[i]), words.Visible(s.Name, words.MaxName), fmt.Sprintf("seed %d", s.Header.Seed),
			words.Count(len(s.Events))+" events", "hash "+s.Result.TraceHash)
	}
	return t.within(width)
}

// verdictsOfBoth returns a table of the verdicts of two runs, with a row for each property. A row ends in "differs" if the
// verdicts are not the same. A run that was not judged by the property has a hyphen; a property by which neither was judged has
// no row.
func verdictsOfBoth(a, b *reports.Side, width int) []string {
	t := newTable("", "", "A", "B", "")
	for _, name := range check.Names() {
		x, y, differs := verdictCell(a, name), verdictCell(b, name), ""
		switch {
		case x == "" && y == "":
			continue
		case x != y:
			differs = "differs"
		}
		t.add(name, cmp.Or(x, "-"), cmp.Or(y, "-"), differs)
	}
	return t.within(width)
}

// verdictCell returns a run's verdict on the property of that name, with the length of the worst violation. It returns "" if the
// run was not judged by the property.
func verdictCell(s *reports.Side, name string) string {
	p := reports.PropertyOf(s.Result, name)
	return strings.TrimSpace(string(p.Verdict) + " " + reports.Extent(&p))
}

// How many events are shown before the first that differs, and of each side from there on.
const (
	eventsBefore = 3
	eventsAfter  = 5
)

// differenceLines returns the last events that the two runs share, then the first ones on each side that differ. If d is nil, it
// returns a line which says that the two have the same events.
func differenceLines(a, b *reports.Side, d *reports.Difference, width int) []string {
	if d == nil {
		return []string{"the two have the same events"}
	}
	shared := "the first event differs"
	if d.Shared > 0 {
		shared = fmt.Sprintf("the first %s events are the same, then, at %s:", words.Count(d.Shared), words.Duration(d.At()))
	}
	lines := wrap(shared, width)
	for i := max(0, d.Shared-eventsBefore); i < d.Shared; i++ {
		lines = append(lines, eventLines(a, "    ", i, width)...)
	}
	for k, s := range []*reports.Side{a, b} {
		mark := fmt.Sprintf("  %c ", sideMarks[k])
		for i := d.Shared; i < min(d.Shared+eventsAfter, len(s.Events)); i++ {
			lines = append(lines, eventLines(s, mark, i, width)...)
		}
		if d.Shared == len(s.Events) {
			lines = append(lines, mark+"ends here")
		}
	}
	return lines
}

// eventWidth is the smallest width at which an event stands beside its time, and not below it.
const eventWidth = 60

// eventLines returns the event of s at index i as lines of text: the mark, the event's time, and its line of the trace file, which
// is broken between fields. Below eventWidth the time has a line of its own.
func eventLines(s *reports.Side, mark string, i, width int) []string {
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
