package reports

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"interregnum/internal/check"
	"interregnum/scenarios"
)

// table is text in columns, each as wide as its widest cell.
type table struct {
	indent string
	rows   [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) lines() []string {
	var widths []int
	for _, r := range t.rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	lines := make([]string, len(t.rows))
	for k, r := range t.rows {
		var b strings.Builder
		for i, cell := range r {
			if widths[i] > 0 {
				b.WriteString(pad(cell, widths[i]+3))
			}
		}
		lines[k] = strings.TrimRight(t.indent+b.String(), " ")
	}
	return lines
}

// Table writes one line a run: verdict, overlap, and whether that was expected; then the count.
func Table(w io.Writer, runs []Run) error {
	t := table{}
	t.add("scenario", "verdict", "overlap", "")
	for i := range runs {
		name, verdict, overlap, expected := tableCells(&runs[i])
		t.add(name, verdict, overlap, expected)
	}
	count := counted(runs)
	_, err := io.WriteString(w, strings.Join(append(t.lines(), "", count), "\n")+"\n")
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
		return fmt.Sprintf("%s scenarios, %s NOT as expected", thousands(len(runs)), thousands(failed))
	}
	return fmt.Sprintf("%s scenarios, all as expected", thousands(len(runs)))
}

func overlapText(r *Run) string {
	if ns := r.Overlap(); ns > 0 {
		return human(ns)
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

// List writes the scenarios' names, and what each shows beside it.
func List(w io.Writer, all []*scenarios.Scenario, width int) error {
	column := 0
	for _, s := range all {
		column = max(column, utf8.RuneCountInString(s.Name)+3)
	}
	var lines []string
	for _, s := range all {
		about := wrap(s.About, max(width-column, MinWidth/2))
		if len(about) == 0 {
			about = []string{""}
		}
		for i, part := range about {
			name := s.Name
			if i > 0 {
				name = ""
			}
			lines = append(lines, strings.TrimRight(pad(name, column)+part, " "))
		}
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}
