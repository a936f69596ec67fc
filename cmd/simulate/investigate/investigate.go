// Package investigate has the command simulate investigate.
package investigate

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/cmd/simulate/internal/terminal"
	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
	"interregnum/internal/investigate"
	"interregnum/reports/text"
)

// flags are the flags of simulate investigate.
type flags struct {
	lock, zone string
	year       int
	options    investigate.Options
}

// New makes the command simulate investigate.
func New() *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "investigate [flags] LOG…",
		Short: "Tell from logs who led when, and whether two worked at once",
		Long: `Tell from what a cluster has logged who led when, and whether two worked at once.

Logs are read in any mix, compressed with gzip or not, - is standard input: audit logs of an API server (at the level
RequestResponse, if two at once are to be certain), logs of the processes in the formats of klog, zap and slog, as files,
as kubectl logs and stern print them or as the container runtime keeps them, Leases and events as kubectl get -o yaml or
-o json prints them. A log that does not name its pod is that of the pod in its file's name.

Of one lock the whole story is told, with the lines that show it; of several there is a table. Nothing is said to be
certain that does not follow; docs/investigate-method.md has the rules, and what they assume. So far no overlap is said to
be impossible.

Exit codes: 0 told, 1 two worked at once for certain, 2 bad input (the rest is told all the same).`,
		Example: `  simulate investigate audit.log manager-a.log manager-b.log
  simulate investigate audit-*.log.gz pods/*.log --lock kube-system/my-controller`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usage(c.CommandPath(), "want a log")
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE:              func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	set := c.Flags()
	set.SortFlags = false
	set.StringVar(&f.lock, "lock", "", "the lock to tell of, as `NAMESPACE/NAME`")
	set.DurationVar(&f.options.LeaseDuration, "lease-duration", 0, "the candidates' LeaseDuration, if it is known")
	set.DurationVar(&f.options.RenewDeadline, "renew-deadline", 0, "the candidates' RenewDeadline, if it is known")
	set.DurationVar(&f.options.RetryPeriod, "retry-period", 0, "the candidates' RetryPeriod, if it is known")
	set.IntVar(&f.year, "year", 0, "the `YEAR` of the first stamp of logs whose stamps have none (default: the one that fits the other files)")
	set.StringVar(&f.zone, "zone", "UTC", "the time `ZONE` of stamps without one, such as Europe/Berlin")
	_ = c.RegisterFlagCompletionFunc("lock", cobra.NoFileCompletions)
	_ = c.RegisterFlagCompletionFunc("zone", cobra.NoFileCompletions)
	return c
}

// run reads the logs and tells what follows. Its error has the exit code.
func (f *flags) run(c *cobra.Command, args []string) error {
	o, err := f.check(c)
	if err != nil {
		return err
	}
	r, code := read.New(o), exit.AsExpected
	for _, arg := range args {
		if err := f.read(r, c.InOrStdin(), arg); err != nil {
			fmt.Fprintf(c.ErrOrStderr(), "simulate: %v\n", err)
			code = exit.BadInput
		}
	}
	e := r.Evidence()
	stories, err := f.tell(c, e)
	if err != nil {
		return err
	}
	if err := write(c.OutOrStdout(), e, stories); err != nil {
		return err
	}
	if code == exit.AsExpected && certain(stories) {
		code = exit.NotAsExpected
	}
	if code == exit.AsExpected {
		return nil
	}
	return &exit.Error{Code: code}
}

// check refuses wrong flags, and returns how logs are read.
func (f *flags) check(c *cobra.Command) (o read.Options, err error) {
	if o.Zone, err = time.LoadLocation(f.zone); err != nil || f.zone == "" || f.zone == "Local" {
		return o, exit.Usage(c.CommandPath(), "--zone %q: want the name of a time zone, such as UTC or Europe/Berlin", f.zone)
	}
	if o.Year = f.year; f.year != 0 && (f.year < 2000 || f.year > 9999) {
		return o, exit.Usage(c.CommandPath(), "--year %d: want 2000 to 9999", f.year)
	}
	if _, name, ok := strings.Cut(f.lock, "/"); f.lock != "" && (!ok || name == "") {
		return o, exit.Usage(c.CommandPath(), "--lock %q: want NAMESPACE/NAME", f.lock)
	}
	for flag, d := range map[string]time.Duration{"lease-duration": f.options.LeaseDuration, "renew-deadline": f.options.RenewDeadline, "retry-period": f.options.RetryPeriod} {
		if d < 0 {
			return o, exit.Usage(c.CommandPath(), "--%s %v: want a duration of zero or more", flag, d)
		}
	}
	return o, nil
}

// read reads the log that arg names; - is standard input.
func (f *flags) read(r *read.Reader, stdin io.Reader, arg string) error {
	if arg == "-" {
		return r.Read(read.File{Name: input.Stdin, Reader: stdin})
	}
	file, err := input.Open(arg, "a log")
	if err != nil {
		return err
	}
	defer file.Close()
	in := read.File{Name: arg, Reader: file}
	if info, err := os.Stat(arg); err == nil {
		in.Modified = info.ModTime().UTC()
	}
	return r.Read(in)
}

// tell tells the stories of the locks that are asked for.
func (f *flags) tell(c *cobra.Command, e *evidence.Evidence) (stories []*investigate.Story, err error) {
	for _, p := range investigate.Parts(e) {
		if f.lock != "" && f.lock != p.Lock.Namespace+"/"+p.Lock.Name {
			continue
		}
		s, err := investigate.Tell(p.Evidence, p.Lock, &f.options)
		if err != nil {
			return nil, &exit.Error{Code: exit.HarnessFailed, Text: err.Error()}
		}
		stories = append(stories, s)
	}
	if len(stories) == 0 && f.lock != "" {
		return nil, exit.Usage(c.CommandPath(), "--lock %s: want a lock that the logs name; without the flag there is a table of all", f.lock)
	}
	return stories, nil
}

// certain tells whether two certainly worked at once.
func certain(stories []*investigate.Story) bool {
	for _, s := range stories {
		for i := range s.Pairs {
			if s.Pairs[i].Worked.Verdict == investigate.Certain {
				return true
			}
		}
	}
	return false
}

// write writes the story of one lock, or a table of several, and what was read.
func write(w io.Writer, e *evidence.Evidence, stories []*investigate.Story) error {
	width := terminal.Of(w).MaxLine()
	switch len(stories) {
	case 0:
		if _, err := fmt.Fprintln(w, "The logs name no lock."); err != nil {
			return err
		}
	case 1:
		if err := text.Investigation(w, e, stories[0], width); err != nil {
			return err
		}
	default:
		if err := text.Locks(w, stories, width); err != nil {
			return err
		}
	}
	return text.Sources(w, e, width)
}
