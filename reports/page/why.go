package page

import (
	"interregnum/internal/check"
	"interregnum/internal/explain"
	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// maxExplained is how many overlaps a page explains.
const maxExplained = 5

// why is how one overlap came about.
type why struct {
	First, Second, Summary string
	Steps                  []whyStep
	Sum                    *whySum
}

type whyStep struct {
	At         int64
	When, Text string
}

type whySum struct {
	End, Start             []whyTerm
	EndAt, StartAt, Excess string
}

type whyTerm struct{ Name, Value string }

// explained is what the result says of how its overlaps came about.
func explained(r *scenarios.Result) []why {
	var all []why
	for _, v := range reports.Violations(r, check.SingleWork) {
		for i := range v.Explanations {
			if len(all) < maxExplained {
				all = append(all, newWhy(&v.Explanations[i]))
			}
		}
	}
	return all
}

func newWhy(e *explain.Explanation) why {
	w := why{First: words.Visible(check.InElection(e.Election, e.First)[0], words.MaxLabel), Second: words.Visible(check.InElection(e.Election, e.Second)[0], words.MaxLabel), Summary: words.Visible(e.Summary, words.MaxText)}
	for _, s := range e.Steps {
		w.Steps = append(w.Steps, whyStep{s.AtNs, words.Duration(s.AtNs), words.Visible(s.Text, words.MaxText)})
	}
	if s := e.Sum; s != nil {
		w.Sum = &whySum{whyTerms(s.End), whyTerms(s.Start), words.Duration(s.EndNs), words.Duration(s.StartNs), words.Duration(s.EndNs - s.StartNs)}
	}
	return w
}

// whyTerms formats the summands of a sum, with a plus sign before each but the first and the negative ones.
func whyTerms(terms []explain.Summand) []whyTerm {
	var all []whyTerm
	for i, t := range terms {
		value := words.Duration(t.Ns)
		if i > 0 && t.Ns >= 0 {
			value = "+ " + value
		}
		all = append(all, whyTerm{t.Name, value})
	}
	return all
}
