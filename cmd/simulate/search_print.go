package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"interregnum/internal/check"
	"interregnum/internal/search"
)

// print writes the outcome. The command that shows a failure again comes last.
func (f *searchFlags) print(c *cobra.Command, s *search.Summary, found []finding, blind []string) error {
	if f.out == outputJSON {
		return printSearchJSON(c.OutOrStdout(), s, found, blind)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d runs, %d events: %d violate something\n", s.Runs, s.Events, s.Failing)
	if margin, ok := s.Margin(); ok {
		fmt.Fprintf(&b, "closest without overlap: %v between two leaders' work, seed %d\n", margin, s.MarginSeed)
	}
	b.WriteString("seen:")
	for i, w := range check.Witnesses() {
		fmt.Fprintf(&b, "%s %s %d", [2]string{"", ","}[min(i, 1)], w, s.Witnesses[w])
	}
	b.WriteString("\n")
	if len(blind) > 0 {
		fmt.Fprintf(&b, "blind: no run showed %s\n", strings.Join(blind, ", "))
	}
	for _, x := range found {
		fmt.Fprintf(&b, "\n# seed %d violates %s; what is left of it:\n", x.failure.Seed, strings.Join(x.failure.Properties, ", "))
		if err := x.small.WriteYAML(&b); err != nil {
			return err
		}
	}
	if len(found) > 0 {
		fmt.Fprintf(&b, "\nsimulate search %s--show %d | simulate run -\n", f.again(c), found[0].failure.Seed)
	}
	_, err := c.OutOrStdout().Write(b.Bytes())
	return err
}

// again are the flags that decide what a seed means.
func (f *searchFlags) again(c *cobra.Command) string {
	var b strings.Builder
	for _, name := range []string{"profile", "lease-duration", "renew-deadline", "retry-period", "max-round-trip",
		"max-drift-ppm", "max-pause", "drain", "same-identity", "deletes"} {
		if flag := c.Flags().Lookup(name); flag.Changed {
			fmt.Fprintf(&b, "--%s=%s ", name, flag.Value)
		}
	}
	return b.String()
}

func printSearchJSON(w io.Writer, s *search.Summary, found []finding, blind []string) error {
	type shrunk struct {
		search.Failure
		Shrunk any `json:"shrunk"`
	}
	out := struct {
		Verdict string `json:"verdict"`
		*search.Summary
		Blind []string `json:"blind,omitempty"`
		Found []shrunk `json:"found,omitempty"`
	}{Verdict: "held", Summary: s, Blind: blind}
	switch {
	case s.Failing > 0:
		out.Verdict = "violated"
	case len(blind) > 0:
		out.Verdict = "blind"
	}
	for _, x := range found {
		out.Found = append(out.Found, shrunk{x.failure, x.small})
	}
	return json.NewEncoder(w).Encode(out)
}

// progress tells how far a search is: a bar on a terminal, a line now and then elsewhere.
type progress struct {
	w      io.Writer
	bar    *progressbar.ProgressBar
	began  time.Time
	before uint64
	told   time.Time
}

const tellEvery = 10 * time.Second

func newProgress(w io.Writer, p *search.Plan, s *search.Summary) *progress {
	g := &progress{w: w, began: time.Now(), before: s.Runs}
	g.told = g.began
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		most := int64(-1)
		if total := p.Mine() * search.BlockRuns; total > 0 {
			most = int64(total)
		}
		g.bar = progressbar.NewOptions64(most, progressbar.OptionSetWriter(w), progressbar.OptionShowCount(),
			progressbar.OptionShowIts(), progressbar.OptionSetItsString("runs"), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(true))
	}
	return g
}

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
	if time.Since(g.told) >= tellEvery {
		g.told = time.Now()
		g.line(s)
	}
}

func (g *progress) line(s *search.Summary) {
	rate := float64(s.Runs-g.before) / max(time.Since(g.began).Seconds(), 1e-9)
	fmt.Fprintf(g.w, "simulate: %d runs, %.0f a second, %d failing\n", s.Runs, rate, s.Failing)
}

func (g *progress) done(s *search.Summary) {
	if g.bar != nil {
		_ = g.bar.Finish()
	}
	g.line(s)
}
