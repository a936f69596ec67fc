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

// Print prints the outcomes of searches in a form of output.
func Print(w io.Writer, all []*reports.Campaign, form string) error {
	if form == cliflag.JUnit {
		return finding.CampaignJUnit(w, all)
	}
	write := map[string]func(io.Writer, *reports.Campaign) error{
		cliflag.Text: text.Campaign, cliflag.Markdown: finding.CampaignMarkdown, cliflag.JSON: printJSON,
	}[form]
	for i, c := range all {
		if out := terminal.Of(w); out.Width > 0 {
			c.Width = out.Columns()
		}
		if i > 0 && form != cliflag.JSON {
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

func printJSON(w io.Writer, c *reports.Campaign) error {
	type shrunk struct {
		search.Failure
		Shrunk any `json:"shrunk"`
	}
	out := struct {
		Verdict string `json:"verdict"`
		*search.Summary
		Blind []string `json:"blind,omitempty"`
		Found []shrunk `json:"found,omitempty"`
	}{Verdict: c.Verdict(), Summary: c.Summary, Blind: c.Blind()}
	for _, x := range c.Found {
		out.Found = append(out.Found, shrunk{x.Failure, x.Small})
	}
	return json.NewEncoder(w).Encode(out)
}

// WritePage completes the file of --html, if there is one.
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
