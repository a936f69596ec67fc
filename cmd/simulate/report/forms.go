package report

import (
	"io"
	"slices"

	"interregnum/cmd/simulate/internal/campaign"
	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/internal/check"
	"interregnum/reports"
	"interregnum/reports/finding"
	"interregnum/reports/text"
)

// form is a form of output: a function that prints runs that were saved, and one that prints searches.
type form struct {
	runs     func(*reportFlags, io.Writer, []reports.Run) error
	searches campaign.Writer
}

// forms are the forms of output of simulate report.
var forms = cliflag.Forms[form]{
	{Name: cliflag.Text, Write: form{(*reportFlags).text, campaign.Text}},
	{Name: cliflag.JSON, Write: form{(*reportFlags).json, campaign.JSON}},
	{Name: cliflag.JUnit, Write: form{(*reportFlags).junit, finding.CampaignJUnit}},
	{Name: cliflag.Markdown, Write: form{(*reportFlags).markdown, campaign.Markdown}},
}

// text calls addAsExpected, then prints a single run in full, without a timeline, or several runs as a table.
func (f *reportFlags) text(w io.Writer, runs []reports.Run) error {
	addAsExpected(runs)
	if len(runs) == 1 {
		return text.Run(w, &runs[0], f.width)
	}
	return text.Table(w, runs, f.tableWidth)
}

// json prints the result of each run as one line of JSON.
func (f *reportFlags) json(w io.Writer, runs []reports.Run) error {
	for i := range runs {
		if err := finding.JSON(w, runs[i].Result); err != nil {
			return err
		}
	}
	return nil
}

// junit calls addAsExpected, then prints the runs as JUnit.
func (f *reportFlags) junit(w io.Writer, runs []reports.Run) error {
	addAsExpected(runs)
	return finding.JUnit(w, runs)
}

// markdown calls addAsExpected, then prints the runs as Markdown.
func (f *reportFlags) markdown(w io.Writer, runs []reports.Run) error {
	addAsExpected(runs)
	return finding.Markdown(w, runs, "")
}

// addAsExpected appends a violated property called as-expected to each result that is not as expected, if no other property
// shows why, since the result does not say what its scenario expects.
func addAsExpected(runs []reports.Run) {
	for i := range runs {
		r := &runs[i]
		unfulfilled := func(p check.Property) bool { return !r.Scenario.Fulfils(&p) }
		if !r.Result.AsExpected && !slices.ContainsFunc(r.Result.Properties, unfulfilled) {
			r.Result.Properties = append(r.Result.Properties,
				check.Property{Name: "as-expected", Kind: check.Always, Verdict: check.Violated})
		}
	}
}
