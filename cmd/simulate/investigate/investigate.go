// Package investigate has the command simulate investigate.
package investigate

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/cmd/simulate/internal/outfile"
	"interregnum/internal/evidence"
	"interregnum/internal/evidence/read"
	"interregnum/internal/investigate"
	"interregnum/internal/phrase"
	"interregnum/reports"
)

// flags are the flags of simulate investigate.
type flags struct {
	lock, zone, manifest, output, html string
	scenario, behaviour                string
	watchFlags
	year    int
	force   bool
	options investigate.Options
	// write writes the form that output names.
	write writer
}

// New returns the command simulate investigate.
func New() *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "investigate [flags] [LOG…]",
		Short: "Tell from logs who led when, and whether two worked at once",
		Long: `Tell from what a cluster has logged who led when, and whether two worked at once.

Logs are read in any mix, compressed with gzip or not, - is standard input: audit logs of an API server (at the level Request or
RequestResponse, if two at once are to be certain), logs of the processes in the formats of klog, zap and slog, as files,
as kubectl logs, stern and journalctl print them or as container runtimes and collectors keep them, Leases and events as
kubectl get -o yaml or -o json prints them. A log that does not name its pod is that of the pod in its file's name.

Of one lock the whole story is told, with the lines that show it; of several there is a table. Nothing is said to be
certain that does not follow; docs/method/investigate.md has the rules, and what they assume.

With --watch the Leases of a server are watched in place of logs, by list and watch alone, and the same is told in the
end as far as Leases show it.

Exit codes: 0 told, 1 two worked at once for certain, 2 bad input (the rest is told all the same).`,
		Example: `  simulate investigate audit.log manager-a.log manager-b.log
  simulate investigate audit-*.log.gz pods/*.log --lock kube-system/my-controller
  simulate investigate --watch 1h --lock shop/manager --metrics 127.0.0.1:9464`,
		Args: func(c *cobra.Command, args []string) error {
			return f.check(c, args)
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
	set.StringVar(&f.zone, "zone", "", "the time `ZONE` of stamps without one, such as Europe/Berlin or +02:00 (default: what other stamps in the file show, or else UTC)")
	set.StringVar(&f.manifest, "manifest", "", "the `FILE` with the candidates' timings, as simulate gate reads it")
	set.StringVar(&f.html, "html", "", "write a page to `FILE`: what was logged, and what that implies")
	set.StringVar(&f.scenario, "scenario", "", "write a scenario to `FILE` whose run has the same writes at the same times")
	set.StringVar(&f.behaviour, "behaviour", "", "write what is usual to `FILE`, for simulate forecast")
	set.BoolVar(&f.force, "force", false, "replace files that exist")
	forms.Register(c, &f.output)
	f.register(c)
	_ = c.RegisterFlagCompletionFunc("lock", cobra.NoFileCompletions)
	_ = c.RegisterFlagCompletionFunc("zone", cobra.NoFileCompletions)
	return c
}

// run reads the logs or watches a server, and writes what follows and the files that flags name. It returns an error with the exit
// code: for input that could not be read, after the rest was written, and if two certainly worked at once.
func (f *flags) run(c *cobra.Command, args []string) error {
	o, err := f.checkLogs(c)
	if err != nil {
		return err
	}
	if err := outfile.Apart(c, args, "html", "scenario", "behaviour"); err != nil {
		return err
	}
	v := &reports.Investigation{}
	if err := f.known(c, v); err != nil {
		return err
	}
	if f.watches() {
		if err := f.watchServer(c, v); err != nil {
			return err
		}
	} else {
		f.readAll(c, o, args, v)
		outages(v)
	}
	if err := f.tell(c, v); err != nil {
		return err
	}
	if err := f.write(c.OutOrStdout(), v); err != nil {
		return err
	}
	if err := f.files(c, args, v); err != nil {
		return err
	}
	switch {
	case len(v.Problems) > 0:
		return &exit.Error{Code: exit.BadInput}
	case v.Certain():
		return &exit.Error{Code: exit.NotAsExpected}
	}
	return nil
}

// readAll reads the logs that args name into v.Evidence. For each that cannot be read it prints why, adds the reason to v.Problems,
// and goes on. If all can be read but nothing in them is about an election, it prints that and adds it to v.Problems too.
func (f *flags) readAll(c *cobra.Command, o read.Options, args []string, v *reports.Investigation) {
	r := read.New(o)
	for _, arg := range args {
		if err := f.read(r, c.InOrStdin(), arg); err != nil {
			v.Problems = append(v.Problems, err.Error())
			fmt.Fprintf(c.ErrOrStderr(), "simulate: %s\n", phrase.OneLine(err.Error()))
		}
	}
	if v.Evidence = r.Evidence(); len(v.Problems) == 0 && nothing(v.Evidence) {
		const text = "want logs in which something is about an election; nothing in these files is"
		v.Problems = append(v.Problems, text)
		fmt.Fprintf(c.ErrOrStderr(), "simulate: %s\n", text)
	}
}

// nothing tells whether nothing in the evidence is about an election. Lines that were skipped since they name no namespace count as
// something.
func nothing(e *evidence.Evidence) bool {
	for i := range e.Sources {
		if slices.ContainsFunc(e.Sources[i].Skipped, func(k evidence.Skipped) bool { return k.Why == read.WithoutNamespace }) {
			return false
		}
	}
	return len(e.Requests)+len(e.Sayings)+len(e.Notices)+len(e.Snapshots)+len(e.Samples) == 0
}

// checkLogs returns an error if the value of a flag is wrong, otherwise the options with which logs are read. It sets f.write.
func (f *flags) checkLogs(c *cobra.Command) (o read.Options, err error) {
	if c.Flags().Changed("zone") {
		if o.Zone, err = zoneOf(f.zone); err != nil {
			return o, exit.Usage(c.CommandPath(), "--zone %q: want the name of a time zone, such as UTC or Europe/Berlin, or what is to be added to UTC, such as +02:00", f.zone)
		}
	}
	if o.Year = f.year; f.year != 0 && (f.year < 2000 || f.year > 9999) {
		return o, exit.Usage(c.CommandPath(), "--year %d: want 2000 to 9999", f.year)
	}
	if _, name, ok := strings.Cut(f.lock, "/"); f.lock != "" && (!ok || name == "") {
		return o, exit.Usage(c.CommandPath(), "--lock %q: want NAMESPACE/NAME", f.lock)
	}
	for _, flag := range []string{"lease-duration", "renew-deadline", "retry-period"} {
		if d, _ := c.Flags().GetDuration(flag); d < 0 {
			return o, exit.Usage(c.CommandPath(), "--%s %v: want a duration of zero or more", flag, d)
		}
	}
	f.write, err = forms.Chosen(c, f.output)
	return o, err
}

// zoneOf returns the time zone of that name, or the one that is ahead of UTC by so much, such as +02:00. It returns an error for
// an unknown name, and for Local, which would depend on the machine.
func zoneOf(name string) (*time.Location, error) {
	if at, err := time.Parse("-07:00", name); err == nil {
		_, ahead := at.Zone()
		return time.FixedZone("UTC"+name, ahead), nil
	}
	if name == "Local" {
		return nil, fmt.Errorf("%s is a zone of this machine", name)
	}
	return time.LoadLocation(name)
}

// read reads the log that arg names into r; - is standard input.
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

// onlyTable tells whether, by the flags, nothing but a table is written if there are several locks.
func (f *flags) onlyTable() bool {
	return (f.output == "text" || f.output == "markdown") && f.html == "" && f.scenario == ""
}

// tell appends to v.Locks the story of each lock, or of the one of --lock. With --watch, each story says no more than a watch
// shows. If only a table of several is written, it reduces the stories to outlines. It changes the order of v.Evidence.Requests. It
// returns an error if a story cannot be told, or if no lock is that of --lock.
func (f *flags) tell(c *cobra.Command, v *reports.Investigation) error {
	parts := investigate.Parts(v.Evidence)
	var names []string
	for i, p := range parts {
		name := p.Lock.Namespace + "/" + p.Lock.Name
		if parts[i] = (investigate.Part{}); f.lock != "" && f.lock != name {
			names = append(names, phrase.Clip(name))
			continue
		}
		s, err := reports.NewLockStory(&p, &f.options)
		if err != nil {
			return &exit.Error{Code: exit.HarnessFailed, Text: err.Error()}
		}
		if f.watches() {
			s.Watched()
		}
		if len(parts) > 1 && f.lock == "" && f.onlyTable() {
			s.Outline()
		}
		v.Locks = append(v.Locks, s)
	}
	if len(v.Locks) == 0 && f.lock != "" {
		return exit.Usage(c.CommandPath(), "--lock %s: want a lock that the logs name; without the flag there is a table of all%s", f.lock,
			phrase.DidYouMean(f.lock, names))
	}
	return nil
}
