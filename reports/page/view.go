package page

import (
	"fmt"
	"io"
	"slices"

	"interregnum/internal/check"
	"interregnum/internal/explain"
	"interregnum/internal/phrase"
	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// view is what the template shows.
type view struct {
	assets
	*reports.Run
	About, Command, Headline string
	// Profiles are those of the candidates.
	Profiles string
	// Split tells that two worked at once.
	Split      bool
	Facts      []fact
	Violations []violationRow
	Explained  []explain.Explanation
	Chart      *chart
	Data       *pageData
	Notes      []noteRow
	Omitted    []string
}

type fact struct{ Name, Value string }

// violationRow is a line of the list of violations, which the script makes jumps of.
type violationRow struct {
	Property string
	*check.Violation
}

// HTML writes the page: one file that needs nothing else. Command reproduces the run, which must have a result.
func (p *Page) HTML(w io.Writer, r *reports.Run, command string) error {
	p.notes.thin()
	c := p.chart(r.Result)
	return pageTemplate().Execute(w, &view{
		assets: pageAssets(), Run: r, About: words.Visible(r.Scenario.About, words.MaxText),
		Command: words.Visible(command, words.MaxText), Headline: words.Visible(reports.Headline(r.Result), words.MaxText),
		Profiles: profiles(r.Scenario), Split: len(reports.Violations(r.Result, check.SingleWork)) > 0,
		Facts: []fact{
			{"seed", fmt.Sprint(r.Result.Seed)},
			{"true time", words.Duration(r.Result.Stats.VirtualNs)},
			{"events", words.Count(r.Result.Stats.Events)},
			{"store operations", words.Count(r.Result.Stats.StoreOps)},
			{"trace hash", r.Result.TraceHash},
		},
		Violations: violationRows(r.Result), Explained: explained(r.Result),
		Chart: c, Data: p.data(), Notes: p.rows(), Omitted: p.omitted(c),
	})
}

// violationRows are the violations that the page lists, of all properties but single-belief.
func violationRows(r *scenarios.Result) (rows []violationRow) {
	const most = 100
	for i := range r.Properties {
		if p := &r.Properties[i]; p.Name != check.SingleBelief {
			for _, v := range longestOf(p.Violations) {
				rows = append(rows, violationRow{p.Name, &v})
			}
		}
	}
	return rows[:min(len(rows), most)]
}

// profiles are those that the candidates have, each once.
func profiles(s *scenarios.Scenario) string {
	var names []string
	for i := range s.Candidates {
		if name := words.Visible(s.Candidates[i].Profile.Name, words.MaxLabel); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return phrase.And(names)
}
