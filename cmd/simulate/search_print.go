package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/check"
	"interregnum/internal/search"
	"interregnum/reports"
)

// printCampaigns prints the outcomes of searches in a form of output.
func printCampaigns(w io.Writer, all []*reports.Campaign, form string) error {
	if form == cliflag.JUnit {
		return reports.CampaignJUnit(w, all)
	}
	write := map[string]func(io.Writer, *reports.Campaign) error{
		cliflag.Text: reports.CampaignText, cliflag.Markdown: reports.CampaignMarkdown, cliflag.JSON: printSearchJSON,
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

// outcomeOf is the code that a search ends with, as an error.
func outcomeOf(s *search.Summary, c *reports.Campaign) error {
	for _, x := range s.Failures {
		if x.Error != "" {
			return &exit.Error{Code: exit.HarnessFailed, Text: fmt.Sprintf("seed %d: %s", x.Seed, x.Error)}
		}
	}
	switch c.Verdict() {
	case "held":
		return nil
	case "unfinished":
		return &exit.Error{Code: exit.HarnessFailed}
	}
	return &exit.Error{Code: exit.NotAsExpected}
}

func printSearchJSON(w io.Writer, c *reports.Campaign) error {
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

// createPage makes the file of --html, nil for no path.
func createPage(path string, force bool) (*outfile.File, error) {
	if path == "" {
		return nil, nil
	}
	o, err := outfile.Create("--html", path, force)
	if err != nil {
		return nil, exit.With(exit.BadInput, err)
	}
	return o, nil
}

// writePage completes the file of --html, if there is one.
func writePage(o *outfile.File, c *reports.Campaign, h search.Header) error {
	if o == nil {
		return nil
	}
	w := bufio.NewWriter(o)
	err := reports.CampaignHTML(w, c, c.Command(&h))
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

// progress tells how far a search is: a bar on a terminal, a line now and then elsewhere.
type progress struct {
	w      io.Writer
	bar    *progressbar.ProgressBar
	began  time.Time
	before uint64
	told   time.Time
}

func newProgress(w io.Writer, p *search.Plan, s *search.Summary) *progress {
	g := &progress{w: w, began: time.Now(), before: s.Runs}
	g.told = g.began
	most := int64(-1)
	if p.Blocks > 0 {
		most = max(1, int64(p.Mine()*search.BlockRuns))
	}
	g.bar = terminal.Bar(w, most, progressbar.OptionShowCount(), progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("runs"), progressbar.OptionSetPredictTime(true))
	return g
}

// update shows how far the search is: on the bar, or by a line every terminal.TellEvery.
func (g *progress) update(s *search.Summary) {
	if g.bar != nil {
		margin := "no takeover yet"
		if m, ok := s.Margin(); ok {
			margin = "margin " + m.Round(time.Millisecond).String()
		}
		g.bar.Describe(fmt.Sprintf("%d failing, %d of %d witnesses, %s", s.Failing, len(s.Witnesses),
			len(check.Witnesses()), margin))
		_ = g.bar.Set64(int64(s.Runs)) // a bar that cannot be drawn is no reason to end
		return
	}
	if time.Since(g.told) >= terminal.TellEvery {
		g.told = time.Now()
		g.line(s)
	}
}

// line prints how many runs there were, how fast, and how many failed.
func (g *progress) line(s *search.Summary) {
	rate := float64(s.Runs-g.before) / max(time.Since(g.began).Seconds(), 1e-9)
	fmt.Fprintf(g.w, "simulate: %d runs, %.0f a second, %d failing\n", s.Runs, rate, s.Failing)
}

// done takes the bar away, and prints a last line.
func (g *progress) done(s *search.Summary) {
	if g.bar != nil {
		_ = g.bar.Finish()
	}
	g.line(s)
}
