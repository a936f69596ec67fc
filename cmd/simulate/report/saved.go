package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/campaign"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/cmd/simulate/internal/suggest"
	"interregnum/internal/check"
	"interregnum/internal/phrase"
	"interregnum/internal/search"
	"interregnum/reports"
	"interregnum/scenarios"
)

// saved has the results that were read: of runs, and of searches with a header for each.
type saved struct {
	runs     []reports.Run
	searches []*reports.Campaign
	headers  []*search.Header
}

// run reads all files of results and prints them. Of searches it shrinks the worst failures again, and writes the page of --html.
// It returns an error, with the exit code, only about input and output, whatever the results say.
func (f *reportFlags) run(c *cobra.Command, args []string) error {
	var s saved
	for _, arg := range args {
		if err := s.read(c, arg); err != nil {
			return &exit.Error{Code: exit.BadInput, Text: suggest.OrCommand(c, arg, err)}
		}
	}
	switch {
	case len(s.runs) > 0 && len(s.searches) > 0:
		return &exit.Error{Code: exit.BadInput, Text: "want results of runs, or of searches, got both"}
	case f.html != "" && len(s.searches) == 0:
		return &exit.Error{Code: exit.BadInput, Text: args[0] + ": want results of a search for --html, got those of runs"}
	case len(s.searches) == 0:
		return f.form.runs(f, c.OutOrStdout(), s.runs)
	}
	page, err := outfile.Create("--html", f.html, f.force)
	if err != nil {
		return err
	}
	defer page.Discard()
	for i, one := range s.searches {
		s.searches[i] = campaign.New(one.Target, one.Summary)
		s.searches[i].Width = f.tableWidth
		s.searches[i].Unfinished = !s.headers[i].Ended(one.Summary)
	}
	if err := campaign.WritePage(page, s.searches[0], *s.headers[0]); err != nil {
		return err
	}
	return f.form.searches(c.OutOrStdout(), s.searches)
}

// read adds to s the results in the file that arg names, of runs or of a search; - is standard input.
func (s *saved) read(c *cobra.Command, arg string) error {
	name, in := arg, c.InOrStdin()
	if arg == "-" {
		name = input.Stdin
	} else {
		file, err := input.Open(arg, "a file of results")
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	lines := bufio.NewReaderSize(in, 64<<10)
	if input.FirstKeys(lines)["interregnumSearch"] {
		return s.readSearch(c.ErrOrStderr(), name, lines)
	}
	return s.readRuns(name, lines)
}

// readSearch adds to s the results of a search, as simulate search --resume writes them. name is the file's name in errors. It
// prints to stderr that a last line was not complete, which is no error.
func (s *saved) readSearch(stderr io.Writer, name string, in io.Reader) error {
	h, results, err := search.ReadResults(name, in)
	if err != nil {
		return err
	}
	target, err := h.Target()
	if err == nil {
		err = campaign.Check(target)
	}
	if err != nil {
		return fmt.Errorf("%s:1: %w", name, err)
	}
	if results.Dropped {
		fmt.Fprintf(stderr, "simulate: %s: the last line is not complete and is left out\n", name)
	}
	s.headers = append(s.headers, h)
	s.searches = append(s.searches, &reports.Campaign{Target: target, Summary: results.Summary})
	return nil
}

// readRuns adds to s the results of runs, one on each line. name is the file's name in errors. It returns an error if there are
// none.
func (s *saved) readRuns(name string, in *bufio.Reader) error {
	before := len(s.runs)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: %w", name, err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			run, bad := readRun(text)
			if bad != nil {
				return fmt.Errorf("%s:%d: %w", name, n, bad)
			}
			s.runs = append(s.runs, *run)
		}
		if err != nil {
			break
		}
	}
	if len(s.runs) == before {
		return fmt.Errorf("%s:1: want results of simulate run -o json or of simulate search --resume, got nothing", name)
	}
	return nil
}

// readRun returns the run whose result is in a line of JSON. The run's scenario expects what the result says that it does. If the
// result does not say it, and is as expected, the scenario expects the verdicts that it has; if it is not, the run is Unsaid.
// readRun returns an error for JSON that is no result, for an unknown verdict, and for a time that no run has.
func readRun(line []byte) (*reports.Run, error) {
	r := &scenarios.Result{}
	if err := json.Unmarshal(phrase.Legible(line), r); err != nil {
		return nil, fmt.Errorf("want a result of simulate run -o json: %s", phrase.JSON(err))
	}
	if r.Scenario == "" || r.TraceHash == "" || len(r.Properties) == 0 {
		return nil, errors.New("want a result of simulate run -o json, with scenario, traceHash and properties")
	}
	verdicts := []check.Verdict{check.Held, check.Violated, check.Inconclusive}
	for i := range r.Properties {
		p := &r.Properties[i]
		if !slices.Contains(verdicts, p.Verdict) {
			return nil, fmt.Errorf("property %q: want verdict held, violated or inconclusive, got %q", p.Name, p.Verdict)
		}
		want, said := r.Expect[p.Name]
		if said && want != scenarios.ExpectAny && !slices.Contains(verdicts, check.Verdict(want)) {
			return nil, fmt.Errorf("property %q: want held, violated, inconclusive or any expected, got %q", p.Name, want)
		}
	}
	if err := impossible(r); err != nil {
		return nil, err
	}
	s := &scenarios.Scenario{Name: r.Scenario, Expect: r.Expect}
	s.Seed = r.Seed
	if r.Expect == nil {
		s.Expect = presumed(r)
	}
	arg := "FILE"
	if _, err := scenarios.Named(r.Scenario); err == nil {
		arg = r.Scenario
	}
	return &reports.Run{Scenario: s, Result: r, Command: input.RunCommand(arg, s, ""), Unsaid: r.Expect == nil && !r.AsExpected}, nil
}

// presumed returns expectations for a result that does not say what its scenario expects: the verdicts that the result has if they
// are as expected, and any for each property if they are not.
func presumed(r *scenarios.Result) map[string]scenarios.Expectation {
	all := map[string]scenarios.Expectation{}
	for i := range r.Properties {
		p := &r.Properties[i]
		all[p.Name] = scenarios.ExpectAny
		if r.AsExpected {
			all[p.Name] = scenarios.Expectation(p.Verdict)
		}
	}
	return all
}
