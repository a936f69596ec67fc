package investigate

import (
	"io"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/reports"
	"interregnum/reports/finding"
	"interregnum/reports/text"
)

// writer writes what follows from logs in one form.
type writer func(w io.Writer, v *reports.Investigation) error

// forms are the forms of output of simulate investigate.
var forms = cliflag.Forms[writer]{
	{Name: cliflag.Text, Write: writeText},
	{Name: cliflag.JSON, Write: finding.InvestigationJSON},
	{Name: cliflag.Markdown, Write: finding.InvestigationMarkdown},
}

// writeText writes what follows from logs as text, as wide as the terminal.
func writeText(w io.Writer, v *reports.Investigation) error {
	return text.Investigation(w, v, terminal.Of(w).MaxLine())
}
