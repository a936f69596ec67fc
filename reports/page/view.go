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

// view is the data of the template.
type view struct {
	assets
	*reports.Run
	About, Command, Headline string
	// Profiles lists the candidates' profiles.
	Profiles string
	// Split tells that two candidates worked at once.
	Split bool
	// Violated are the names of the violated properties, as a list in words.
	Violated   string
	Facts      []fact
	Violations []violationRow
	Explained  []explain.Explanation
	Chart      *chart
	Data       *pageData
	Notes      []noteRow
	Omitted    []string
}

var runDocument = newDocument(true, "", "page.gohtml")

// fact is a value with its name, for a list of facts.
type fact struct{ Name, Value string }

// violationRow is a row of the list of violations. The script makes it a link to the violation in the chart.
type violationRow struct {
	Property string
	*check.Violation
}

// HTML writes the page, as one file that needs nothing else. The run must be over and have a result. command is the shell command
// that repeats the run. HTML first drops the events and requests that are too many for a page, the least important ones first.
func (p *Page) HTML(w io.Writer, r *reports.Run, command string) error {
	p.notes.thin()
	c := p.chart(r.Result, chartWidth)
	return runDocument().Execute(w, &view{
		assets: runDocument().assets, Run: r, About: words.Visible(r.Scenario.About, words.MaxText),
		Command: words.Visible(command, words.MaxText), Headline: words.Visible(reports.Headline(p.Header, r.Result), words.MaxText),
		Profiles: profiles(r.Scenario), Split: len(reports.Violations(r.Result, check.SingleWork)) > 0, Violated: violated(r.Result),
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

// violationRows returns the violations that the page lists, at most 100. Those of single-belief come last, since mostly two candidates
// work as long as both believe that they lead.
func violationRows(r *scenarios.Result) (rows []violationRow) {
	const most = 100
	add := func(p *check.Property) {
		for _, v := range longestOf(p.Violations) {
			rows = append(rows, violationRow{p.Name, &v})
		}
	}
	for i := range r.Properties {
		if p := &r.Properties[i]; p.Name != check.SingleBelief {
			add(p)
		}
	}
	if p := check.Named(r.Properties, check.SingleBelief); p != nil {
		add(p)
	}
	return rows[:min(len(rows), most)]
}

// violated returns the names of the violated properties as a list in words; "" if there are none.
func violated(r *scenarios.Result) string {
	var names []string
	for i := range r.Properties {
		if p := &r.Properties[i]; p.Verdict == check.Violated {
			names = append(names, p.Name)
		}
	}
	return phrase.And(names)
}

// profiles returns the names of the candidates' profiles as a list in words, each once.
func profiles(s *scenarios.Scenario) string {
	var names []string
	for i := range s.Candidates {
		if name := words.Visible(s.Candidates[i].Profile.Name, words.MaxLabel); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return phrase.And(names)
}
