package text

import (
	"fmt"
	"io"
	"strings"

	"interregnum/reports"
	"interregnum/reports/internal/words"
)

// together writes two timelines, one below the other, so that an instant is in the same column of both. d says where the runs
// begin to differ; it is nil if they do not.
func together(w io.Writer, a, b *reports.Side, d *reports.Difference, width int) error {
	pictures := []*picture{newPicture(a.Timeline, a.Result, width), newPicture(b.Timeline, b.Result, width)}
	idWidth, horizon := 0, int64(0)
	for _, p := range pictures {
		idWidth = max(idWidth, p.idWidth)
		horizon = max(horizon, int64(p.Header.Horizon))
	}
	for i, s := range []*reports.Side{a, b} {
		p := pictures[i]
		p.idWidth = idWidth
		if d != nil {
			p.differs = d.At()
		}
		p.fit(horizon, width)
		p.draw(width)
		title := fmt.Sprintf("%c: %s", sideMarks[i], words.Visible(s.Name, words.MaxName))
		if _, err := fmt.Fprintf(w, "\n%s\n%s\n", title, strings.Join(p.lines, "\n")); err != nil {
			return err
		}
	}
	return nil
}

// sideMarks are the short names of the two sides.
const sideMarks = "AB"
