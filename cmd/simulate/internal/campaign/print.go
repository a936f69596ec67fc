package campaign

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/search"
	"interregnum/reports"
	"interregnum/reports/finding"
	"interregnum/reports/page"
	"interregnum/reports/text"
)

// Writer writes the results of one or more searches in one form.
type Writer = func(io.Writer, []*reports.Campaign) error

// Forms are the forms of output of a search that has just ended.
var Forms = cliflag.Forms[Writer]{{Name: cliflag.Text, Write: Text}, {Name: cliflag.JSON, Write: JSON}}

// Text writes the results of searches as text. If w is a terminal, it sets each Width that is 0 to the terminal's.
func Text(w io.Writer, all []*reports.Campaign) error {
	for _, c := range all {
		if out := terminal.Of(w); out.Width > 0 && c.Width == 0 {
			c.Width = out.Columns()
		}
	}
	return writeEach(w, all, text.Campaign)
}

// Markdown writes the results of searches as Markdown, for the summary of a CI job.
func Markdown(w io.Writer, all []*reports.Campaign) error {
	return writeEach(w, all, finding.CampaignMarkdown)
}

// writeEach writes one search after the other, with an empty line between them.
func writeEach(w io.Writer, all []*reports.Campaign, write func(io.Writer, *reports.Campaign) error) error {
	for i, c := range all {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := write(w, c); err != nil {
			return err
		}
	}
	return nil
}

// JSON writes the results of each search as an object on its own line.
func JSON(w io.Writer, all []*reports.Campaign) error {
	for _, c := range all {
		if err := writeJSON(w, c); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes the results of one search as a JSON object on one line.
func writeJSON(w io.Writer, c *reports.Campaign) error {
	type shrunk struct {
		search.Failure
		Shrunk any `json:"shrunk"`
	}
	out := struct {
		Verdict string `json:"verdict"`
		*search.Summary
		// Unfinished tells of a search that has found something, too, that it was interrupted.
		Unfinished bool     `json:"unfinished,omitempty"`
		Blind      []string `json:"blind,omitempty"`
		Found      []shrunk `json:"found,omitempty"`
	}{Verdict: c.Verdict(), Summary: c.Summary, Unfinished: c.Unfinished, Blind: c.Blind()}
	for _, x := range c.Found {
		out.Found = append(out.Found, shrunk{x.Failure, x.Small})
	}
	return json.NewEncoder(w).Encode(out)
}

// WritePage writes the page of a search into o, the file of --html, and completes the file. It does nothing if o is nil. h is the
// header by which the command on the page repeats the search.
func WritePage(o *outfile.File, c *reports.Campaign, h search.Header) error {
	if o == nil {
		return nil
	}
	w := bufio.NewWriter(o)
	err := page.Campaign(w, c, c.Command(&h))
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return &exit.Error{Code: exit.HarnessFailed, Text: "writing the page: " + err.Error()}
	}
	if err := o.Keep(); err != nil {
		return exit.With(exit.HarnessFailed, err)
	}
	return nil
}
