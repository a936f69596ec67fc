// Package search has the commands simulate search and simulate shrink.
package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/campaign"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/results"
	"interregnum/internal/search"
	"interregnum/reports"
)

// New returns the command simulate search.
func New() *cobra.Command {
	f := &searchFlags{}
	c := &cobra.Command{
		Use:   "search [flags]",
		Short: "Look for a violation in many random runs",
		Long: `Look for a violation in many random runs, on every core.

Each run is a pure function of its seed: candidates, a network, and a storm of faults, many of them aimed at the leader and
at the moments that matter. Runs come in blocks of ` + fmt.Sprint(search.BlockRuns) + `, the last of which are mutations of those in the block that came closest
to two leaders. The worst failures are made small and printed as scenario files. Without timing flags every run has
timings of its own. All candidates lock the same kind of lock, --lock, and --elections has several elections in each process. With --clients
candidates have clients such as client-go's, which may wait for a token before a request and may send it again; services are
then overloaded too, and connections stall or end. --corpus begins with scenarios that are there already, such as failures that were found before;
--keep adds to them what is found. --html writes a page with verdicts, failover times, what the search has seen and the failures.

Ctrl-C or SIGTERM ends the search early: it prints what it has found so far, and the command that continues. A second one
kills it.

Exit codes: 0 nothing is violated, 1 something is, or the campaign was blind (it never showed what it should have
survived), 2 bad input, 3 it was interrupted before anything was found, or the harness itself failed.`,
		Example: `  simulate search --profile strict --for 10m --resume results.jsonl
  simulate search --lease-duration 15s --renew-deadline 10s --retry-period 2s --property single-work
  simulate search --profile strict --runs 1000000 --shard 0/4 -o json
  simulate search --profile strict --html search.html
  simulate search --profile strict --lock kv-ttl --runs 200000
  simulate search --profile strict --corpus found/ --keep found/
  simulate search --show 4711 | simulate run -`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return exit.Usage(c.CommandPath(), "unexpected %q: a search takes flags only", args[0])
			}
			return f.run(c)
		},
	}
	f.register(c)
	return c
}

// run checks the flags, runs the search, prints what it has found, writes the page of --html, and keeps new failures in the folder
// of --keep. It returns an error with the exit code, nil if the verdict is held. With --show it prints one scenario instead.
func (f *searchFlags) run(c *cobra.Command) error {
	target, plan, err := f.plan(c)
	if err != nil {
		return err
	}
	if err := outfile.Apart(c, nil, "html"); err != nil {
		return err
	}
	if f.corpus != "" {
		if err := f.openCorpus(c, target, plan); err != nil {
			return err
		}
	}
	if c.Flags().Changed("show") {
		return target.Find(f.show).WriteYAML(c.OutOrStdout())
	}
	collection, err := campaign.OpenCollection(f.keep, target)
	if err != nil {
		return err
	}
	page, err := outfile.Create("--html", f.html, f.force)
	if err != nil {
		return err
	}
	defer page.Discard()
	page.SpareFirst()
	until, stop := terminal.Interruptible(context.Background())
	defer stop()
	ctx, began := until, time.Now()
	if f.length > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.length)
		defer cancel()
	}
	summary, broken := f.search(ctx, c, target, plan)
	if summary == nil {
		return broken
	}
	lasted, interrupted := time.Since(began), until.Err() != nil
	if err := f.noRuns(ctx, summary, plan); err != nil && broken == nil {
		return err
	}
	ended := broken == nil && (f.length > 0 && !interrupted || plan.Blocks > 0 && summary.Blocks >= plan.Mine())
	found := campaign.New(target, summary)
	found.Unfinished = !ended
	printed := f.write(c.OutOrStdout(), []*reports.Campaign{found})
	if err := campaign.WritePage(page, found, search.NewHeader(target, plan)); err != nil {
		return err
	}
	if f.postpones(ended) {
		fmt.Fprintf(c.ErrOrStderr(), "simulate: nothing is kept yet: %s is the corpus of %s, which the same command goes on with, "+
			"and keeps what was found at the end\n", f.keep, f.resume)
	} else if err := collection.Keep(c.ErrOrStderr(), found); err != nil {
		return err
	}
	if broken != nil {
		return broken
	}
	if printed != nil {
		return printed
	}
	outcome := campaign.Outcome(summary, found)
	if ended {
		return outcome
	}
	return unfinished(outcome, f.interrupted(c, summary, plan, lasted))
}

// unfinished returns the error of a search that was interrupted, with text added. If outcome is an exit.Error, as for a
// violation, it keeps that code; otherwise the code is that of a failure, so that nobody takes part of the search for the whole.
func unfinished(outcome error, text string) error {
	var known *exit.Error
	if !errors.As(outcome, &known) {
		return &exit.Error{Code: exit.HarnessFailed, Text: text}
	}
	if known.Text != "" {
		text = known.Text + "\n" + text
	}
	return &exit.Error{Code: known.Code, Text: text}
}

// noRuns returns an error if the search was ended before its first block was done, so that nothing is known. It returns nil if a
// block was done or if there was none to do.
func (f *searchFlags) noRuns(ctx context.Context, s *search.Summary, p *search.Plan) error {
	switch {
	case s.Blocks > 0 || ctx.Err() == nil || p.Blocks > 0 && p.Mine() == 0:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &exit.Error{Code: exit.BadInput, Text: fmt.Sprintf("--for %v: not even the first %d runs have ended in that time; "+
			"want more, such as 10s", f.length, search.BlockRuns)}
	}
	return &exit.Error{Code: exit.HarnessFailed, Text: "interrupted before any run had ended: nothing is known"}
}

// search runs the blocks, shows the progress, and appends the results to the file of --resume, if there is one. The summary
// includes what that file had before. If the search fails, search returns an error with the exit code, and the summary has what was
// done; it is nil if the file of --resume cannot be used.
func (f *searchFlags) search(ctx context.Context, c *cobra.Command, t *search.Target, p *search.Plan) (*search.Summary, error) {
	summary, add := search.NewSummary(), func(*search.Block) error { return nil }
	if f.resume != "" {
		file, err := search.OpenResults(f.resume, search.NewHeader(t, p))
		if full := (*results.WriteError)(nil); errors.As(err, &full) {
			return nil, &exit.Error{Code: exit.HarnessFailed, Text: "--resume " + f.resume + ": " + err.Error()}
		}
		if err != nil {
			return nil, &exit.Error{Code: exit.BadInput, Text: "--resume " + err.Error()}
		}
		defer file.Close()
		if file.Dropped {
			fmt.Fprintf(c.ErrOrStderr(), "simulate: %s: the last line was not complete, and its block runs again\n", f.resume)
		}
		summary, add = file.Summary, file.Add
	}
	progress := newProgress(c.ErrOrStderr(), t, p, summary)
	err := t.Campaign(ctx, *p, summary.Blocks, func(b *search.Block) error {
		if err := add(b); err != nil {
			return err
		}
		if f.resume == "" {
			summary.Add(b)
		}
		progress.update(summary)
		return nil
	})
	progress.done(summary)
	if err != nil {
		return summary, &exit.Error{Code: exit.HarnessFailed, Text: "--resume " + f.resume + ": " + err.Error()}
	}
	return summary, nil
}
