package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"interregnum/reports/internal/words"
)

// CampaignText writes the outcome of a search. The command that shows a failure again comes last.
func CampaignText(w io.Writer, c *Campaign) error {
	var b bytes.Buffer
	for _, line := range c.lines() {
		for _, part := range hanging(line, c.Width) {
			b.WriteString(part + "\n")
		}
	}
	for i := range c.Found {
		x := &c.Found[i]
		fmt.Fprintf(&b, "\n# seed %d violates %s; what is left of it:\n", x.Seed, violatedText(x.Properties))
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

// hanging breaks a line between words where it is wider than width, which is 0 for no limit. The further lines are
// indented by two columns more than the first.
func hanging(line string, width int) []string {
	if width == 0 || words.Width(line) <= width {
		return []string{line}
	}
	indent := len(line) - len(strings.TrimLeft(line, " "))
	parts := wrapBy(line, indent+2, width)
	parts[0] = parts[0][2:]
	return parts
}

// lines returns the numbers of a campaign as text: runs, sorts of failure, the closest margin, failover times and
// witnesses.
func (c *Campaign) lines() []string {
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
	if text := c.failoverLine(); text != "" {
		lines = append(lines, text)
	}
	var seen []string
	for _, w := range c.witnesses() {
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

// failoverLine says how long failovers took after a leader had crashed; "" where there was no failover.
func (c *Campaign) failoverLine() string {
	f := &c.Summary.Failovers
	switch {
	case f.Count() == 0 && c.Summary.Vacant > 0:
		return fmt.Sprintf("failover: after all %s crashes of a leader nobody worked before the run had ended", words.Count(c.Summary.Vacant))
	case f.Count() == 0:
		return ""
	}
	var parts []string
	for _, p := range percentiles {
		parts = append(parts, p.name+" "+millis(f.Percentile(p.percent)))
	}
	line := fmt.Sprintf("failover after %s crashes of a leader: %s", words.Count(int(f.Count())), strings.Join(parts, ", "))
	if c.Summary.Vacant > 0 {
		line += fmt.Sprintf("; after %s more nobody worked before the run had ended", words.Count(c.Summary.Vacant))
	}
	return line
}

// millis formats a number of milliseconds for people.
func millis(ms int64) string { return words.Duration(ms * int64(time.Millisecond)) }

// CampaignMarkdown writes the outcome for the summary of a job.
func CampaignMarkdown(w io.Writer, c *Campaign) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Search, %s: %s\n\n%s", markdownText(c.Target.Profile.Name), c.Verdict(),
		fence(strings.Join(c.lines(), "\n")+"\n"))
	for i := range c.Found {
		x := &c.Found[i]
		var text strings.Builder
		if err := x.Small.WriteYAML(&text); err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n<details><summary>seed %d violates %s</summary>\n\n%s\n</details>\n\n%s", x.Seed,
			markdownText(violatedText(x.Properties)), fence(text.String()), fence(c.Show(x.Seed, x.Corpus)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
