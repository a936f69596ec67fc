package reports

import (
	"cmp"
	"fmt"
	"slices"

	"interregnum/internal/check"
	"interregnum/internal/explain"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// MaxExplained is how many overlaps are explained in text and Markdown. The JSON form has all.
const MaxExplained = 3

// Explanations returns the explanations of the longest overlaps, the longest first. It returns no more than the number most, which
// must not be negative. all is how many explanations the result has.
func Explanations(r *scenarios.Result, most int) (shown []explain.Explanation, all int) {
	for i := range r.Properties {
		for _, v := range r.Properties[i].Violations {
			shown = append(shown, v.Explanations...)
		}
	}
	slices.SortStableFunc(shown, func(a, b explain.Explanation) int {
		return cmp.Compare(b.ToNs-b.FromNs, a.ToNs-a.FromNs)
	})
	return shown[:min(len(shown), most)], len(shown)
}

// WhyTitle returns the heading of an explanation: who worked at once, and from when to when.
func WhyTitle(e *explain.Explanation) string {
	who := check.InElection(e.Election, e.First, e.Second)
	return fmt.Sprintf("why %s and %s worked at once, from %s to %s:", words.Visible(who[0], words.MaxName),
		words.Visible(who[1], words.MaxName), words.Duration(e.FromNs), words.Duration(e.ToNs))
}
