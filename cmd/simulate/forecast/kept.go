package forecast

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/internal/forecast"
	"interregnum/internal/phrase"
	"interregnum/internal/results"
)

// registerKept adds the flags for a forecast whose windows are kept in files: --shard, --resume and --merge.
func (f *flags) registerKept(c *cobra.Command) {
	set := c.Flags()
	set.StringVar(&f.shard, "shard", "", "simulate part `I/N` of the windows, I from 0")
	set.StringVar(&f.resume, "resume", "", "append windows to `FILE`, and go on where it ends")
	set.StringSliceVar(&f.merge, "merge", nil, "make one forecast of the `FILES` of all shards, or of folders with such files, *.jsonl")
}

// checkKept returns an error if the flags of a forecast whose windows are kept contradict each other, or name one file twice.
func (f *flags) checkKept(c *cobra.Command) error {
	bad := func(format string, args ...any) error { return exit.Usage(c.CommandPath(), format, args...) }
	changed := c.Flags().Changed
	_, _, err := results.ParseShard(f.shard)
	switch {
	case err != nil:
		return bad("%v", err)
	case changed("merge") && (len(f.merge) == 0 || strings.TrimSpace(f.merge[0]) == ""):
		return bad("--merge: want the files of all shards")
	case len(f.merge) > 0 && (f.shard != "" || f.resume != ""):
		return bad("--merge is in place of --shard and --resume: want it alone")
	case f.shard != "" && f.resume == "":
		return bad("--shard: want --resume FILE, for the windows that --merge reads")
	case f.length > 0 && (f.shard != "" || len(f.merge) > 0):
		return bad("--for: shards that end by a time do not have the windows of the whole: want --max-windows")
	case input.Same(f.html, f.resume):
		return bad("--html and --resume name the same file")
	case input.Same(f.plot.File, f.resume):
		return bad("--plot and --resume name the same file")
	}
	return nil
}

// keep sets the shard in o and, if --resume or --merge is given, o.Kept to the windows in their files. questions are those of all
// forecasts, which the files must be about; without questions it opens no file. It prints the name of each file whose last line
// is not complete. It returns an error with the exit code if there are too many shards, or if the files cannot be read or written
// or are about something else.
func (f *flags) keep(c *cobra.Command, o *forecast.Options, questions []*forecast.Question) error {
	o.Shard, o.Shards, _ = results.ParseShard(f.shard) // it was checked before
	if o.Shards > math.MaxInt32 {
		return exit.Usage(c.CommandPath(), "--shard %s: want fewer shards", f.shard)
	}
	if len(questions) == 0 || f.resume == "" && len(f.merge) == 0 {
		return nil
	}
	var err error
	name, h := "--resume ", forecast.NewKeptHeader(questions, o)
	if f.resume != "" {
		o.Kept, err = forecast.OpenKept(f.resume, h)
	} else {
		name = "--merge "
		var names []string
		if names, err = input.ResultsFiles(f.merge); err == nil {
			o.Kept, err = forecast.MergeKept(names, h)
		}
	}
	if err != nil {
		code := exit.BadInput
		if full := (*results.WriteError)(nil); errors.As(err, &full) {
			code = exit.HarnessFailed
			name += f.resume + ": "
		}
		return &exit.Error{Code: code, Text: name + err.Error()}
	}
	for _, cut := range o.Kept.Cut {
		what := "and its windows run again"
		if f.resume == "" {
			what = "and is left out"
		}
		fmt.Fprintf(c.ErrOrStderr(), "simulate: %s: the last line was not complete, %s\n", cut, what)
	}
	return nil
}

// tellKept closes the files of kept windows after a forecast. For a shard it prints how to merge it with the others, and for
// --merge how many windows were in no shard. It does nothing without kept windows. The error says that windows could not be
// written.
func (f *flags) tellKept(c *cobra.Command, o *forecast.Options) error {
	k := o.Kept
	if k == nil {
		return nil
	}
	switch w := c.ErrOrStderr(); {
	case o.Shards > 1:
		fmt.Fprintf(w, "simulate: this is shard %s, which has a part of the windows and wider intervals; when all have ended, the same command with "+
			"--merge FILES, in place of --shard and --resume, has the whole\n", f.shard)
	case f.resume == "" && k.Simulated > 0:
		fmt.Fprintf(w, "simulate: %d windows of %d were in no shard, and were simulated now\n", k.Simulated, k.Used+k.Simulated)
	}
	if err := cmp.Or(k.Failed(), k.Close()); err != nil {
		return &exit.Error{Code: exit.HarnessFailed, Text: "--resume " + f.resume + ": " + err.Error()}
	}
	return nil
}

// goOn returns the end of a message, with the command by which an interrupted forecast goes on; without --resume, that nothing is kept.
func (f *flags) goOn(c *cobra.Command, args []string) string {
	if f.resume == "" {
		return "; nothing is kept to go on with: that takes --resume FILE"
	}
	instead := map[string]string{}
	if f.html != "" || f.plot.File != "" {
		instead["force"] = "true" // to replace what is written now
	}
	command := cliflag.Given(c, instead)
	for _, file := range args {
		command += " " + phrase.ShellPath(file)
	}
	return "; to go on:\n" + command
}
