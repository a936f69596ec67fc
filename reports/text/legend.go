package text

// legend returns lines that explain the marks in the picture: first those of the candidates' rows, then those of the records', last
// how much time a column covers. The lines have at most width columns.
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
	lines := flow(explain(nil, rows, p.used), legendGap, width)
	about := []string{"lease: a letter where its holder writes"}
	lines = append(lines, flow(explain(about, record, p.usedInRecord), legendGap, width)...)
	return append(lines, "a column is "+perColumn(p.Scale))
}

// legendGap separates the parts of a legend.
const legendGap = "   "
