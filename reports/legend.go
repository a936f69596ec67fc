package reports

import (
	"strings"

	"interregnum/reports/internal/words"
)

// legend explains the marks that the picture has, and no others: those of the candidates' rows, then the
// record's.
func (p *picture) legend(width int) []string {
	type entry struct {
		mark rune
		text string
	}
	rows := []entry{
		{overlapMark, "two at once, or another violation"},
		{workMark, "works"},
		{drainMark, "cancelled but still works"},
		{beliefMark, "believes that it leads"},
		{seamMark, "ended and began again"},
		{runMark, "runs (blank: no process)"},
		{pauseMark, "frozen"},
	}
	record := []entry{
		{holdMark, "held"},
		{freeMark, "released"},
		{severalMark, "several holders"},
		{sharedMark, "several candidates under one name"},
		{unshownMark, "a holder without a row here"},
	}
	explain := func(parts []string, entries []entry, used map[rune]bool) []string {
		for _, e := range entries {
			if used[e.mark] {
				parts = append(parts, string(e.mark)+" "+e.text)
			}
		}
		return parts
	}
	lines := flow(explain(nil, rows, p.used), gap, width)
	about := []string{"lease: a letter where its holder writes"}
	lines = append(lines, flow(explain(about, record, p.usedInRecord), gap, width)...)
	return append(lines, "a column is "+perColumn(p.Scale))
}

// gap keeps the parts of a legend apart.
const gap = "   "

// flow puts parts on lines no longer than width.
func flow(parts []string, gap string, width int) []string {
	var lines []string
	line := ""
	for _, part := range parts {
		switch {
		case line == "":
			line = part
		case words.Width(line)+words.Width(gap)+words.Width(part) <= width:
			line += gap + part
		default:
			lines = append(lines, line)
			line = part
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// wrap breaks a text between words.
func wrap(text string, width int) []string { return flow(strings.Fields(text), " ", width) }
