package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/draw"
	"interregnum/internal/search"
	"interregnum/reports"
)

// searchFlags are the flags of simulate search.
type searchFlags struct {
	profile, property string
	timings           machine.Timings
	limits            draw.Limits
	// gate has the flags that say what the record is kept in.
	gate               gateFlags
	elections          int
	runs, first, show  uint64
	length             time.Duration
	shard, resume, out string
	corpus, keep, html string
	force              bool
	jobs               int
}

const defaultRuns = 20_000

// gcPercent lets garbage collection wait while a campaign runs. A run leaves garbage, and what lives is so little that by
// default a collection comes every few megabytes.
const gcPercent = 400

func newSearch() *cobra.Command {
	f := &searchFlags{}
	c := &cobra.Command{
		Use:   "search [flags]",
		Short: "Look for a violation in many random runs",
		Long: `Look for a violation in many random runs, on every core.

Each run is a pure function of its seed: candidates, a network, and a storm of faults, many of them aimed at the leader and
at the moments that matter. Runs come in blocks of ` + fmt.Sprint(search.BlockRuns) + `, the last of which are mutations of those in the block that came closest
to two leaders. The worst failures are made small and printed as scenario files. Without timing flags every run has
timings of its own. All candidates lock the same kind of lock, --lock, and --elections has several elections in each process. --corpus begins with scenarios that are there already, such as failures that were found before;
--keep adds to them what is found. --html writes a page with verdicts, failover times, what the search has seen and the failures.

Ctrl-C or SIGTERM ends the search early: what is known so far is told, and the command that goes on. A second one kills.

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
				return usageError(c.CommandPath(), "unexpected %q: a search takes flags only", args[0])
			}
			return f.run(c)
		},
	}
	f.register(c)
	return c
}

func (f *searchFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.profile, "profile", machine.ClientGo.Name, "variant of the algorithm")
	f.gate.registerLock(c, "")
	flags.IntVar(&f.elections, "elections", 1, fmt.Sprintf("each process takes part in `N` elections, up to %d", search.MaxElections))
	flags.DurationVar(&f.timings.LeaseDuration, "lease-duration", 0, "timings of all candidates, all three or none: how long others wait")
	flags.DurationVar(&f.timings.RenewDeadline, "renew-deadline", 0, "how long a leader tries to renew")
	flags.DurationVar(&f.timings.RetryPeriod, "retry-period", 0, "how long a candidate waits between attempts")
	flags.DurationVar(&f.limits.MaxRoundTrip, "max-round-trip", 0, "longest round trip of a request that is answered; 0s is no limit")
	flags.Int64Var(&f.limits.MaxDriftPPM, "max-drift-ppm", 0, "each clock's rate is within ± so many parts per million of true time")
	flags.DurationVar(&f.limits.MaxPause, "max-pause", 0, "for how long a process is frozen at most; fencing is then what is judged")
	flags.DurationVar(&f.limits.MaxClockOffset, "max-clock-offset", 0,
		"of sql-ttl, how far wall clocks are apart or set at most: the callers', or the database's; drift comes on top")
	inGroup(flags, otherLocks, "max-clock-offset")
	flags.DurationVar(&f.limits.MaxDrain, "drain", 0, "how long work goes on at most after its context has ended")
	flags.BoolVar(&f.limits.Shared, "same-identity", false, "candidates may share an identity")
	flags.BoolVar(&f.limits.Deleted, "deletes", false, "somebody may delete the lock")
	flags.StringVar(&f.property, "property", "", "look for a violation of `PROPERTY` alone")
	flags.Uint64Var(&f.runs, "runs", 0, fmt.Sprintf("`N` runs, in whole blocks (default %d without --for)", defaultRuns))
	flags.DurationVar(&f.length, "for", 0, "go on for so long")
	flags.Uint64Var(&f.first, "first-seed", 0, "begin with the block of seed `N`")
	flags.StringVar(&f.shard, "shard", "", "take part `I/N` of the campaign, I from 0")
	flags.StringVar(&f.resume, "resume", "", "append results to `FILE`, and go on where it ends")
	flags.StringVar(&f.corpus, "corpus", "", "start from the scenarios in folder `DIR`: run each, and mutate them")
	flags.StringVar(&f.keep, "keep", "", "write each new failure, made small, into folder `DIR`")
	flags.StringVar(&f.html, "html", "", "write a page with the outcome to `FILE`")
	flags.BoolVar(&f.force, "force", false, "--html replaces a file that exists")
	flags.IntVar(&f.jobs, "jobs", 0, "`N` runs at once (default: one for each core)")
	flags.Uint64Var(&f.show, "show", 0, "print the scenario of seed `N` and end")
	outputFlag(c, &f.out, plainForms)
}

// run checks the flags, runs the search, and prints and keeps what it has found; its error has the exit code.
func (f *searchFlags) run(c *cobra.Command) error {
	target, plan, err := f.plan(c)
	if err != nil {
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
	collection, err := openCollection(f.keep, target)
	if err != nil {
		return err
	}
	page, err := createPage(f.html, f.force)
	if err != nil {
		return err
	}
	defer page.discard()
	page.spareFirst()
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	until, stop := interruptible(context.Background())
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
	if err := f.nothing(ctx, summary, plan); err != nil && broken == nil {
		return err
	}
	ended := broken == nil && (f.length > 0 && !interrupted || plan.Blocks > 0 && summary.Blocks >= plan.Mine())
	campaign := newCampaign(target, summary)
	campaign.Unfinished = !ended
	printed := printCampaigns(c.OutOrStdout(), []*reports.Campaign{campaign}, f.out)
	if err := writePage(page, campaign, search.NewHeader(target, plan)); err != nil {
		return err
	}
	if f.postpones(ended) {
		fmt.Fprintf(c.ErrOrStderr(), "simulate: nothing is kept yet: %s is the corpus of %s, which the same command goes on with, "+
			"and keeps what was found at the end\n", f.keep, f.resume)
	} else if err := collection.keep(c.ErrOrStderr(), campaign); err != nil {
		return err
	}
	if broken != nil {
		return broken
	}
	if printed != nil {
		return printed
	}
	outcome := outcomeOf(summary, campaign)
	if ended {
		return outcome
	}
	return unfinished(outcome, f.interrupted(c, summary, plan, lasted))
}

// unfinished is the error of a search that was interrupted, with a text added. A violation that was found keeps its
// exit code; otherwise it is that of a failure, so that nobody takes the beginning for the whole.
func unfinished(outcome error, text string) error {
	var exit *exitError
	if !errors.As(outcome, &exit) {
		return &exitError{code: harnessFailed, text: text}
	}
	if exit.text != "" {
		text = exit.text + "\n" + text
	}
	return &exitError{code: exit.code, text: text}
}

// nothing is the error of a search that was over before its first runs had ended, so that it has shown nothing; nil for
// any other.
func (f *searchFlags) nothing(ctx context.Context, s *search.Summary, p *search.Plan) error {
	switch {
	case s.Blocks > 0 || ctx.Err() == nil || p.Blocks > 0 && p.Mine() == 0:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &exitError{code: badInput, text: fmt.Sprintf("--for %v: not even the first %d runs have ended in that time; "+
			"want more, such as 10s", f.length, search.BlockRuns)}
	}
	return &exitError{code: harnessFailed, text: "interrupted before any run had ended: nothing is known"}
}

// search runs the blocks, and appends the results to the file of --resume, if there is one. With an error, the summary
// is of what was done before it, and nil where nothing could be done.
func (f *searchFlags) search(ctx context.Context, c *cobra.Command, t *search.Target, p *search.Plan) (*search.Summary, error) {
	summary, add := search.NewSummary(), func(*search.Block) error { return nil }
	if f.resume != "" {
		results, err := search.OpenResults(f.resume, search.NewHeader(t, p))
		if full := (*search.WriteError)(nil); errors.As(err, &full) {
			return nil, &exitError{code: harnessFailed, text: "--resume " + f.resume + ": " + err.Error()}
		}
		if err != nil {
			return nil, &exitError{code: badInput, text: "--resume " + err.Error()}
		}
		defer results.Close()
		if results.Dropped {
			fmt.Fprintf(c.ErrOrStderr(), "simulate: %s: the last line was not complete, and its block runs again\n", f.resume)
		}
		summary, add = results.Summary, results.Add
	}
	progress := newProgress(c.ErrOrStderr(), p, summary)
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
		return summary, &exitError{code: harnessFailed, text: "--resume " + f.resume + ": " + err.Error()}
	}
	return summary, nil
}

// maxShrunk is how many failures are made small: one for each set of properties that is violated, at most.
const maxShrunk = 3

// newCampaign is the outcome of a search with its worst failures made small: one of each sort, those with the longest
// overlap first, maxShrunk in all.
func newCampaign(t *search.Target, s *search.Summary) *reports.Campaign {
	c := &reports.Campaign{Target: t, Summary: s}
	for _, sort := range c.Sorts() {
		if len(sort.Properties) == 0 || len(c.Found) == maxShrunk {
			continue
		}
		property := sort.Properties[0]
		if slices.Contains(sort.Properties, check.SingleWork) {
			property = check.SingleWork
		}
		whole, err := t.ScenarioOf(sort.Seed, sort.Corpus)
		if err != nil {
			continue // a results file that somebody has changed
		}
		small, err := search.Shrink(whole, property)
		if err == nil {
			failure := search.Failure{Seed: sort.Seed, Properties: sort.Properties, OverlapNs: sort.OverlapNs, Corpus: sort.Corpus}
			c.Found = append(c.Found, reports.Finding{Failure: failure, Small: small.Scenario})
		}
	}
	return c
}
