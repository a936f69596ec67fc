package page

import (
	"html/template"
	"strings"

	"interregnum/internal/check"
	"interregnum/internal/explain"
	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// maxExplained is how many overlaps a page explains.
const maxExplained = 5

// explained returns the explanations of the longest overlaps of work, at most maxExplained, the longest first.
func explained(r *scenarios.Result) []explain.Explanation {
	shown, _ := reports.Explanations(r, maxExplained)
	return shown
}

// functions format values in templates.
var functions = template.FuncMap{
	"duration": words.Duration[int64],
	"extent":   reports.Extent,
	"length":   reports.Length,
	"names":    names,
	"text":     func(s string) string { return words.Visible(s, words.MaxText) },
	"candidate": func(election, id string) string {
		return words.Visible(check.InElection(election, id)[0], words.MaxLabel)
	},
	"summand": summand,
	"list":    func(all []string) string { return strings.Join(all, ", ") },
	"excess":  func(s *explain.Sum) string { return words.Duration(s.EndNs - s.StartNs) },
}

// summand returns summand i of a sum as text, after a plus sign unless it is the first one or negative.
func summand(i int, ns int64) string {
	return map[bool]string{true: "+ "}[i > 0 && ns >= 0] + words.Duration(ns)
}
