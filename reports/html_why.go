package reports

import (
	"interregnum/internal/check"
	"interregnum/internal/explain"
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
	for _, v := range violationsOf(r, check.SingleWork) {
		for i := range v.Explanations {
			if len(all) < maxExplained {
				all = append(all, newWhy(&v.Explanations[i]))
			}
		}
	}
	return all
}

func newWhy(e *explain.Explanation) why {
	w := why{First: visible(check.InElection(e.Election, e.First)[0], maxLabel), Second: visible(check.InElection(e.Election, e.Second)[0], maxLabel), Summary: visible(e.Summary, maxText)}
	for _, s := range e.Steps {
		w.Steps = append(w.Steps, whyStep{s.AtNs, human(s.AtNs), visible(s.Text, maxText)})
	}
	if s := e.Sum; s != nil {
		w.Sum = &whySum{whyTerms(s.End), whyTerms(s.Start), human(s.EndNs), human(s.StartNs), human(s.EndNs - s.StartNs)}
	}
	return w
}

// whyTerms formats the summands of a sum, with a plus sign before each but the first and the negative ones.
func whyTerms(terms []explain.Summand) []whyTerm {
	var all []whyTerm
	for i, t := range terms {
		value := human(t.Ns)
		if i > 0 && t.Ns >= 0 {
			value = "+ " + value
		}
		all = append(all, whyTerm{t.Name, value})
	}
	return all
}
