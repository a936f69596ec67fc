package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/campaign"
	"interregnum/cmd/simulate/internal/completion"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/internal/search"
	"interregnum/reports"
)

// mergeFlags are the flags of simulate report merge.
type mergeFlags struct {
	output, file, keep string
	force              bool
	// write is the writer of the form that output names.
	write campaign.Writer
}

// newMerge returns the command simulate report merge.
func newMerge() *cobra.Command {
	f := &mergeFlags{}
	c := &cobra.Command{
		Use:   "merge [flags] RESULTS…",
		Short: "Make one search of the results of its shards",
		Long: `Make one search of the results of its shards.

RESULTS are the files that simulate search --resume has written with --shard, or folders with such files, *.jsonl. The
output is that of the search without --shard, to the byte with -o json. Files of different searches, a shard that
is there twice or missing, and blocks that have not run yet are errors. --keep writes what was found into a folder, as
simulate search --keep does.

Exit codes: 0 nothing is violated, 1 something is, or the search was blind, 2 bad input, 3 a run failed.`,
		Example: `  simulate report merge shard-0.jsonl shard-1.jsonl
  simulate report merge results/ --out whole.jsonl -o json`,
		ValidArgsFunction: completion.Files("jsonl"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usage(c.CommandPath(), "want results files of a search, or folders of them")
			}
			var err error
			if f.write, err = campaign.Forms.Chosen(c, f.output); err != nil {
				return err
			}
			return f.run(c, args)
		},
	}
	campaign.Forms.Register(c, &f.output)
	c.Flags().StringVar(&f.file, "out", "", "write the results of the whole search to `FILE`")
	c.Flags().StringVar(&f.keep, "keep", "", "write each new failure, made small, into folder `DIR`")
	c.Flags().BoolVar(&f.force, "force", false, "--out replaces a file that exists")
	return c
}

// run merges the files, writes the file of --out, prints what the whole search would have printed, and keeps new failures in the
// folder of --keep. It returns an error with the exit code, nil if the verdict is held.
func (f *mergeFlags) run(c *cobra.Command, args []string) error {
	names, err := input.ResultsFiles(args)
	if err != nil {
		return exit.With(exit.BadInput, err)
	}
	for _, name := range names {
		if input.Same(name, f.file) {
			return &exit.Error{Code: exit.BadInput, Text: fmt.Sprintf("--out %s would overwrite what is merged", f.file)}
		}
	}
	shards, err := search.OpenShards(names)
	if err != nil {
		return exit.With(exit.BadInput, err)
	}
	defer shards.Close()
	summary, err := f.merge(shards)
	for _, name := range shards.Cut() {
		fmt.Fprintf(c.ErrOrStderr(), "simulate: %s: the last line is not complete and is left out\n", name)
	}
	if err != nil {
		return err
	}
	target, err := shards.Header.Target()
	if err != nil {
		return exit.With(exit.BadInput, err)
	}
	collection, err := campaign.OpenCollection(f.keep, target)
	if err != nil {
		return err
	}
	return f.finish(c, target, summary, collection)
}

// merge returns the summary of the blocks of all shards. If --out is given, it also writes the blocks to that file. It returns an
// error, and leaves no file, if a shard cannot be read, a block is missing, or the file cannot be written; and with --out also if
// the shards do not say how many blocks the whole search has.
func (f *mergeFlags) merge(shards *search.Shards) (*search.Summary, error) {
	if f.file != "" && shards.Header.Blocks == 0 {
		return nil, &exit.Error{Code: exit.BadInput, Text: "--out: shards without --runs end where they end: they make no whole file"}
	}
	out, err := outfile.Create("--out", f.file, f.force)
	if err != nil {
		return nil, err
	}
	defer out.Discard()
	w, summary := bufio.NewWriter(io.Discard), search.NewSummary()
	write := func(any) error { return nil }
	if out != nil {
		w.Reset(out)
		write = json.NewEncoder(w).Encode
	}
	written := write(shards.Header)
	err = shards.Each(func(b *search.Block) error {
		written = errors.Join(written, write(b))
		summary.Add(b)
		return written
	})
	if written = errors.Join(written, w.Flush()); written != nil {
		return nil, &exit.Error{Code: exit.HarnessFailed, Text: "--out " + written.Error()}
	}
	if err != nil {
		return nil, exit.With(exit.BadInput, err)
	}
	if err := out.Keep(); err != nil {
		return nil, &exit.Error{Code: exit.HarnessFailed, Text: "--out " + err.Error()}
	}
	return summary, nil
}

// finish shrinks the worst failures, prints the results of the whole search in the form of -o, and writes new failures into the
// collection k, even if printing fails. It returns an error with the exit code, nil if the verdict is held.
func (f *mergeFlags) finish(c *cobra.Command, t *search.Target, s *search.Summary, k *campaign.Collection) error {
	found := campaign.New(t, s)
	printed := f.write(c.OutOrStdout(), []*reports.Campaign{found})
	if err := k.Keep(c.ErrOrStderr(), found); err != nil {
		return err
	}
	if printed != nil {
		return printed
	}
	return campaign.Outcome(s, found)
}
