package gate

import (
	"io"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/gate"
	"interregnum/internal/version"
	"interregnum/reports/finding"
	"interregnum/reports/text"
)

// writer writes a report in one form. explain is the value of --explain; forms other than text ignore it.
type writer func(w io.Writer, r *gate.Report, explain bool) error

// forms are the forms of output of simulate gate.
var forms = cliflag.Forms[writer]{
	{Name: cliflag.Text, Write: writeText},
	{Name: cliflag.JSON, Write: whole(finding.GateJSON)},
	{Name: cliflag.JUnit, Write: whole(finding.GateJUnit)},
	{Name: cliflag.Markdown, Write: whole(finding.GateMarkdown)},
	{Name: "sarif", Write: whole(writeSARIF)},
}

// whole returns a writer that calls write and ignores --explain, since its form always has the whole report.
func whole(write func(io.Writer, *gate.Report) error) writer {
	return func(w io.Writer, r *gate.Report, _ bool) error { return write(w, r) }
}

// writeText writes the report as text, as wide as the terminal. Several targets have a line each, unless explain is set.
func writeText(w io.Writer, r *gate.Report, explain bool) error {
	width := terminal.Of(w).MaxLine()
	if len(r.Targets) > 1 && !explain {
		return text.GateBrief(w, r, width)
	}
	return text.Gate(w, r, width)
}

// writeSARIF writes the report as SARIF, with the version of this program.
func writeSARIF(w io.Writer, r *gate.Report) error {
	return finding.GateSARIF(w, r, version.Read("simulate").Version)
}
