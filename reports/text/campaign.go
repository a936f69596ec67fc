package text

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"interregnum/reports"
	"interregnum/reports/internal/words"
)

// Campaign writes the outcome of a search: its figures, then each run that was shrunk, as a scenario file. If a run violated a
// property or did not come to an end, it ends with the command that shows the first shrunk run, or the first such run if none was
// shrunk.
func Campaign(w io.Writer, c *reports.Campaign) error {
	var b bytes.Buffer
	for _, line := range Figures(c) {
		for _, part := range hanging(line, c.Width) {
			b.WriteString(part + "\n")
		}
	}
	for i := range c.Found {
		x := &c.Found[i]
		b.WriteByte('\n')
		title := fmt.Sprintf("seed %d violates %s; what is left of it:", x.Seed, reports.Violated(x.Properties))
		for _, part := range wrap(title, cmp.Or(c.Width, Unlimited)-2) {
			b.WriteString("# " + part + "\n")
		}
		if err := x.Small.WriteYAML(&b); err != nil {
			return err
		}
	}
	switch {
	case len(c.Found) > 0:
		fmt.Fprintf(&b, "\n%s\n", c.Show(c.Found[0].Seed, c.Found[0].Corpus))
	case len(c.Summary.Failures) > 0:
		fmt.Fprintf(&b, "\n%s\n", c.Show(c.Summary.Failures[0].Seed, c.Summary.Failures[0].Corpus))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Figures returns the numbers of a campaign as lines of text: runs, sorts of failure, the smallest margin if somebody took over,
// failover times if a leader crashed, and witnesses. A line follows if the search was interrupted, and one with the witnesses for
// which the campaign is blind, if there are any.
func Figures(c *reports.Campaign) []string {
	s := c.Summary
	lines := []string{fmt.Sprintf("%d runs, %d events: %d violate something", s.Runs, s.Events, s.Failing)}
	for _, sort := range c.Sorts() {
		line := fmt.Sprintf("  %d: %s", sort.Runs, sort.Name)
		if sort.OverlapNs > 0 {
			line += fmt.Sprintf(", two at once for up to %s, seed %d", words.Duration(sort.OverlapNs), sort.Seed)
		}
		lines = append(lines, line)
	}
	if margin, ok := s.Margin(); ok {
		lines = append(lines, fmt.Sprintf("closest without overlap: %v between two leaders' work, seed %d", margin, s.MarginSeed))
	}
	if text := failoverLine(c); text != "" {
		lines = append(lines, text)
	}
	var seen []string
	for _, w := range c.Witnesses() {
		seen = append(seen, fmt.Sprintf("%s %d", w.Name, w.Runs))
	}
	lines = append(lines, "seen: "+strings.Join(seen, ", "))
	if c.Unfinished {
		lines = append(lines, "interrupted: that is not the whole search")
	}
	if blind := c.Blind(); len(blind) > 0 {
		lines = append(lines, "blind: no run showed "+strings.Join(blind, ", "))
	}
	return lines
}

// failoverLine returns a line on how long failovers took after a crash of the leader; "" if no leader crashed.
func failoverLine(c *reports.Campaign) string {
	f := &c.Summary.Failovers
	switch {
	case f.Count() == 0 && c.Summary.Vacant > 0:
		return fmt.Sprintf("failover: after all %s crashes of a leader nobody worked before the run had ended", words.Count(c.Summary.Vacant))
	case f.Count() == 0:
		return ""
	}
	var parts []string
	for _, p := range c.Percentiles() {
		parts = append(parts, p.Name+" "+words.Duration(p.Time))
	}
	line := fmt.Sprintf("failover after %s crashes of a leader: %s", words.Count(int(f.Count())), strings.Join(parts, ", "))
	if c.Summary.Vacant > 0 {
		line += fmt.Sprintf("; after %s more nobody worked before the run had ended", words.Count(c.Summary.Vacant))
	}
	return line
}
