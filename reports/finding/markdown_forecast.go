package finding

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"interregnum/internal/forecast/outlook"
	"interregnum/reports/internal/words"
	"interregnum/reports/text"
)

// ForecastMarkdown writes a report for a comment on a pull request: a table of the targets, problems and notes, how targets differ,
// the whole forecasts of at most maxGateDetails targets, and the behaviour. Of the whole forecasts, those of targets that do not
// keep to the thresholds come first.
func ForecastMarkdown(w io.Writer, r *outlook.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### Leader election: %s\n\n", forecastTitle(r))
	if len(r.Targets) > 0 {
		b.WriteString("| target | lease / deadline / period | verdict | losses a month | without a leader a month | " +
			"99 % of gaps up to | gate |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	}
	for _, t := range r.Targets {
		fmt.Fprintf(&b, "%s %s | %s | %s |\n", configuration(t.Position, &t.Timings), cmp.Or(string(t.Verdict), "-"), strings.Join(forecastCells(t), " | "),
			t.Judgement.Verdict)
	}
	unjudged(&b, r.Gate)
	comparison(&b, r)
	forecastDetails(&b, r)
	fmt.Fprintf(&b, "Behaviour (%s): ", escapeMarkdown(r.Site.From))
	var usual []string
	for _, row := range text.BehaviourRows(r.Site.Behaviour) {
		usual = append(usual, escapeMarkdown(row[0]+": "+row[1]))
	}
	b.WriteString(strings.Join(usual, "; ") + ".\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// comparison writes to b the table of how targets differ from the first one. It writes nothing if they were not compared.
func comparison(b *strings.Builder, r *outlook.Report) {
	for i, row := range text.Comparison(r) {
		if i == 0 {
			b.WriteString("Compared by the same random numbers:\n\n")
		}
		for k := range row {
			row[k] = escapeMarkdown(row[k])
		}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", len(row)) + "|\n")
		}
	}
	if r.First() != nil {
		b.WriteString("\n")
	}
}

// forecastTitle returns the most important figures if there is exactly one target and no problem, otherwise the counts of
// targets.
func forecastTitle(r *outlook.Report) string {
	if len(r.Targets) == 1 && len(r.Gate.Problems) == 0 {
		return text.ForecastHeadline(r.Targets[0])
	}
	return text.ForecastCount(r)
}

// forecastCells returns three cells of the row of a target: losses, time without a leader, 99 % of gaps. Each is "-" if there is no
// forecast.
func forecastCells(t *outlook.Target) []string {
	cells := []string{"-", "-", "-"}
	if t.Forecast == nil {
		return cells
	}
	for _, f := range outlook.Figures(t.Forecast) {
		column := map[string]int{"lossesPerMonth": 1, "leaderlessSecondsPerMonth": 2, "gapSecondsP99": 3}[f.Key]
		if column > 0 {
			cells[column-1] = text.InOne(&f)
		}
	}
	return cells
}

// forecastDetails writes to b the whole forecasts of at most maxGateDetails targets, and how many others there are. Targets that
// do not keep to the thresholds come first. Each forecast is in a section that opens on a click.
func forecastDetails(b *strings.Builder, r *outlook.Report) {
	shown := 0
	for _, failing := range []bool{true, false} {
		for _, t := range r.Targets {
			if t.Fails() != failing || shown == maxGateDetails {
				continue
			}
			shown++
			fmt.Fprintf(b, "<details><summary>%s</summary>\n\n%s\n</details>\n\n", escapeMarkdown(t.Position.Name()),
				fence(text.ForecastBody(t, r.Options)))
		}
	}
	if left := len(r.Targets) - shown; left > 0 {
		fmt.Fprintf(b, "… and %s more.\n\n", words.Count(left))
	}
}
