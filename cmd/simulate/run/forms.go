package run

import (
	"strings"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/reports/finding"
	"interregnum/reports/text"
)

// forms are the forms of output of simulate run.
var forms = cliflag.Forms[form]{
	{Name: cliflag.Text, Write: form{(*printer).gather, (*printer).text, true, true}},
	{Name: cliflag.JSON, Write: form{(*printer).json, nothing, false, false}},
	{Name: cliflag.JUnit, Write: form{(*printer).gather, (*printer).junit, false, false}},
	{Name: cliflag.Markdown, Write: form{(*printer).gather, (*printer).markdown, true, false}},
}

// nothing does nothing, and returns nil. It is finish of a form that prints each outcome as it comes.
func nothing(*printer) error { return nil }

// json prints the result of an outcome as one line of JSON. It prints nothing if the run failed.
func (p *printer) json(o outcome) error {
	if o.Result == nil {
		return nil
	}
	return finding.JSON(p.stdout, o.Result)
}

// junit prints all runs as JUnit.
func (p *printer) junit() error { return finding.JUnit(p.stdout, p.runs) }

// markdown prints the runs as Markdown. It adds the timeline of a single run or, if there are several, that of the worst one if
// that has an overlap.
func (p *printer) markdown() error {
	var picture strings.Builder
	if p.worst.timeline != nil && (p.one || p.worst.Overlap() > 0) {
		if err := text.Timeline(&picture, p.worst.timeline, p.worst.Result, p.width); err != nil {
			return err
		}
	}
	return finding.Markdown(p.stdout, p.runs, picture.String())
}
