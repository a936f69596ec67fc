package forecast

import (
	"io"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/forecast/outlook"
	"interregnum/reports/finding"
	"interregnum/reports/text"
)

// writer writes a report in one form. brief is the value of --brief; forms other than text ignore it.
type writer func(w io.Writer, r *outlook.Report, brief bool) error

// forms are the forms of output of simulate forecast.
var forms = cliflag.Forms[writer]{
	{Name: cliflag.Text, Write: writeText},
	{Name: cliflag.JSON, Write: whole(finding.ForecastJSON)},
	{Name: cliflag.JUnit, Write: whole(finding.ForecastJUnit)},
	{Name: cliflag.Markdown, Write: whole(finding.ForecastMarkdown)},
}

// whole returns a writer that calls write and ignores --brief, since its form always has the whole report.
func whole(write func(io.Writer, *outlook.Report) error) writer {
	return func(w io.Writer, r *outlook.Report, _ bool) error { return write(w, r) }
}

// writeText writes the report as text, as wide as the terminal, with one line for each target if brief is set.
func writeText(w io.Writer, r *outlook.Report, brief bool) error {
	width := terminal.Of(w).MaxLine()
	if brief {
		return text.ForecastBrief(w, r, width)
	}
	return text.Forecast(w, r, width)
}
