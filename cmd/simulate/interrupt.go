package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"interregnum/internal/phrase"
	"interregnum/internal/search"
)

// interruptible is a context that ends with Ctrl-C or SIGTERM. A second one kills the process. Stop has signals do
// again what they did before.
func interruptible(parent context.Context) (ctx context.Context, stop func()) {
	ctx, release := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	forget := context.AfterFunc(ctx, release)
	return ctx, func() {
		forget()
		release()
	}
}

// commandGiven is the command line with the flags that were given. Where instead has a value for a flag it takes the
// place of the given one or is added; "" leaves the flag out.
func commandGiven(c *cobra.Command, instead map[string]string) string {
	var b strings.Builder
	b.WriteString(c.CommandPath())
	c.Flags().VisitAll(func(flag *pflag.Flag) {
		value, changed := instead[flag.Name]
		if !changed && flag.Changed {
			value = flag.Value.String()
		}
		switch {
		case value == "" && (changed || !flag.Changed):
		case flag.Value.Type() == "bool" && value == "true":
			b.WriteString(" --" + flag.Name)
		default:
			b.WriteString(" --" + flag.Name + "=" + phrase.ShellWord(value))
		}
	})
	return b.String()
}

// interrupted is the message that a search was interrupted, what it had done, and which command goes on with it.
func (f *searchFlags) interrupted(c *cobra.Command, s *search.Summary, p *search.Plan, lasted time.Duration) string {
	done := fmt.Sprintf("interrupted after %d of %d runs", s.Runs, p.Mine()*search.BlockRuns)
	if p.Blocks == 0 {
		done = fmt.Sprintf("interrupted after %d runs, %v of %v", s.Runs, lasted.Round(time.Second), f.length)
	}
	instead := map[string]string{}
	if f.html != "" {
		instead["force"] = "true" // the page of what is known so far is there
	}
	if f.length > 0 {
		instead["for"] = phrase.Duration(max(f.length-lasted, time.Second).Round(time.Second))
	}
	switch {
	case f.resume != "":
		return done + "; to go on:\n" + commandGiven(c, instead)
	case p.Corpus > 0:
		if f.length > 0 {
			instead["for"] = phrase.Duration(f.length)
		}
		instead["resume"] = "results.jsonl"
		return done + ", which are not kept; to begin anew, so that the next time the same command goes on:\n" + commandGiven(c, instead)
	}
	blocks := s.Blocks * max(p.Shards, 1) // of all shards
	instead["first-seed"] = fmt.Sprint((p.First + blocks) * search.BlockRuns)
	if p.Blocks > 0 {
		instead["runs"] = fmt.Sprint((p.Blocks - min(blocks, p.Blocks)) * search.BlockRuns)
	}
	return done + "; to run the rest, on its own, since without --resume FILE no results are kept to go on with:\n" + commandGiven(c, instead)
}
