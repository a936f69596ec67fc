package page

import (
	"fmt"
	"io"
	"slices"

	"interregnum/internal/check"
	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// view is what the template shows.
type view struct {
	assets
	Result                   *scenarios.Result
	About, Command, Headline string
	// Profiles are those of the candidates.
	Profiles string
	// Split tells that two worked at once.
	Split      bool
	Facts      []fact
	Verdicts   []verdictRow
	Violations []violationRow
	Explained  []why
	Chart      *chart
	Data       *pageData
	Notes      []noteRow
	Omitted    []string
}

type fact struct{ Name, Value string }

type verdictRow struct{ Name, Verdict, Extent, Fulfilment string }

// violationRow is a line of the list of violations, which the script makes jumps of.
type violationRow struct {
	Property, Length, Who, From, To string
	A, B                            int64
}

// maxListed is how many violations the list has.
const maxListed = 100

// HTML writes the page: one file that needs nothing else. Command reproduces the run, which must have a result.
func (p *Page) HTML(w io.Writer, r *reports.Run, command string) error {
	v := view{
		Result:  r.Result,
		About:   words.Visible(r.Scenario.About, words.MaxText),
		Command: words.Visible(command, words.MaxText),
		assets:  pageAssets(),
	}
	v.Split = len(reports.Violations(r.Result, check.SingleWork)) > 0
	v.Headline = words.Visible(reports.Headline(r.Result), words.MaxText)
	v.say(r)
	p.notes.thin()
	v.Chart = p.chart(r.Result)
	v.Data = p.data()
	v.Notes = p.rows()
	v.Omitted = p.omitted(v.Chart)
	return pageTemplate().Execute(w, &v)
}

// say fills in what the page says of a run in words: facts, verdicts, violations and explanations.
func (v *view) say(r *reports.Run) {
	res := r.Result
	v.Explained = explained(res)
	v.Profiles = profiles(r.Scenario)
	v.Facts = []fact{
		{"seed", fmt.Sprint(res.Seed)},
		{"true time", words.Duration(res.Stats.VirtualNs)},
		{"events", words.Count(res.Stats.Events)},
		{"store operations", words.Count(res.Stats.StoreOps)},
		{"trace hash", res.TraceHash},
	}
	for i := range res.Properties {
		p := &res.Properties[i]
		v.Verdicts = append(v.Verdicts, verdictRow{p.Name, string(p.Verdict), reports.Extent(p), r.Fulfilment(p)})
		for _, one := range longestOf(p.Violations) {
			if p.Name != check.SingleBelief && len(v.Violations) < maxListed {
				v.Violations = append(v.Violations, violationRow{p.Name, reports.Length(&one), names(one.Names()),
					words.Duration(one.FromNs), words.Duration(one.ToNs), one.FromNs, one.ToNs})
			}
		}
	}
}

// profiles are those that the candidates have, each once.
func profiles(s *scenarios.Scenario) string {
	var names []string
	for i := range s.Candidates {
		if name := words.Visible(s.Candidates[i].Profile.Name, words.MaxLabel); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return words.List(names)
}
