package text

import (
	"io"

	"interregnum/reports"
)

// Table writes one line for each run: verdict, overlap, and whether that was expected; then a count of runs. It breaks cells
// so that no line is longer than width columns; a width below 40 counts as 40.
func Table(w io.Writer, runs []reports.Run, width int) error {
	t := newTable("", "scenario", "verdict", "overlap", "")
	for i := range runs {
		name, verdict, overlap, expected := runs[i].Line()
		t.add(name, verdict, overlap, expected)
	}
	return write(w, append(t.within(max(width, reports.MinWidth)), "", reports.Count(runs)))
}
