package reports

import (
	"fmt"
	"io"
	"math"
	"strings"

	"interregnum/internal/check"
	"interregnum/reports/internal/words"
)

// Table writes one line a run: verdict, overlap, and whether that was expected; then the count.
func Table(w io.Writer, runs []Run) error { return TableWithin(w, runs, math.MaxInt) }

// TableWithin is Table with lines of at most width columns, where a width below 40 counts as 40: cells are broken where
// a line would be longer.
func TableWithin(w io.Writer, runs []Run, width int) error {
	t := table{headed: true}
	t.add("scenario", "verdict", "overlap", "")
	for i := range runs {
		name, verdict, overlap, expected := tableCells(&runs[i])
		t.add(name, verdict, overlap, expected)
	}
	count := counted(runs)
	_, err := io.WriteString(w, strings.Join(append(t.within(max(width, MinWidth)), "", count), "\n")+"\n")
	return err
}

// tableCells are one run's line.
func tableCells(r *Run) (name, verdict, overlap, expected string) {
	name = r.Scenario.Name
	switch {
	case r.Result == nil:
		return name, "none: the run failed", "", "FAILED"
	case r.Result.AsExpected:
		return name, verdictOf(r.Result.Properties), overlapText(r), "as expected"
	}
	return name, verdictOf(r.Result.Properties), overlapText(r), "NOT AS EXPECTED"
}

// counted says how many scenarios were run, and how many of them were not as expected.
func counted(runs []Run) string {
	failed := 0
	for i := range runs {
		if !runs[i].fine() {
			failed++
		}
	}
	switch {
	case len(runs) == 1 && failed == 0:
		return "1 scenario, as expected"
	case len(runs) == 1:
		return "1 scenario, NOT as expected"
	case failed > 0:
		return fmt.Sprintf("%s scenarios, %s NOT as expected", words.Count(len(runs)), words.Count(failed))
	}
	return fmt.Sprintf("%s scenarios, all as expected", words.Count(len(runs)))
}

func overlapText(r *Run) string {
	if ns := r.Overlap(); ns > 0 {
		return words.Duration(ns)
	}
	return "-"
}

// verdictOf is one verdict on a whole run: the violated properties' names, or what else there is to say.
func verdictOf(properties []check.Property) string {
	var violated, unclear []string
	for i := range properties {
		switch properties[i].Verdict {
		case check.Violated:
			violated = append(violated, properties[i].Name)
		case check.Inconclusive:
			unclear = append(unclear, properties[i].Name)
		}
	}
	switch {
	case len(violated) > 0:
		return strings.Join(violated, ", ")
	case len(unclear) > 0:
		return "inconclusive: " + strings.Join(unclear, ", ")
	}
	return "held"
}
