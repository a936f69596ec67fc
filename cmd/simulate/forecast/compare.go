package forecast

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/elector/machine"
	"interregnum/internal/bound"
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/gate"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/phrase"
)

// compareFlag is the flag of the timings that are compared with those of the other flags.
const compareFlag = "compare"

// ofFiles is the value of the flag that compares the targets of files.
const ofFiles = "targets"

// better is the value of the flag that has simulate choose the timings.
const better = "better"

// How many timings are chosen then, and how long their lease is at most.
const (
	mostChosen    = 5
	longestChosen = 2 * time.Minute
)

// mostCompared is how many further timings a comparison takes.
const mostCompared = 20

// registerCompare adds --compare to the command.
func (f *flags) registerCompare(c *cobra.Command) {
	cliflag.Parse(c.Flags(), &f.compare, compareFlag, "TIMINGS", parseCompared, "other timings to compare with, by the same random numbers: lease duration/renew deadline/"+
		"retry period, such as 30/20/4,60/40/5; a number without a unit is in seconds; or "+better+": some that are safe and tolerate longer outages. Beside files: "+ofFiles+", all that are found in them")
}

// checkCompare returns an error for --compare with timings beside files, and for --compare targets without files. Without files it
// sets f.Also to the timings of --compare, which are none for better. It does nothing if --compare is not given.
func (f *flags) checkCompare(c *cobra.Command, args []string) error {
	if f.compare.Text == "" {
		return nil
	}
	switch {
	case len(args) > 0 && f.compare.Text != ofFiles:
		return exit.Usage(c.CommandPath(), "--%s with timings is about those of flags: want --%[1]s %s, or no file, got %q", compareFlag, ofFiles, args[0])
	case len(args) > 0:
		return nil
	case f.compare.Text == ofFiles:
		return exit.Usage(c.CommandPath(), "--%s %s is about files: want one, or timings such as 30/20/4", compareFlag, ofFiles)
	}
	f.Also = *f.compare.Value
	return nil
}

// choose adds the timings of --compare better to f.Also; without it, it does nothing. It looks at the timings with the shortest
// failover for longer and longer outages, as simulate tune finds them. Of those that are safe in e it takes mostChosen at most,
// evenly from the first to the last. It returns an error if none are safe, or if none can be chosen for the profile, lock or
// release.
func (f *flags) choose(c *cobra.Command, e *gate.Environment) error {
	if f.compare.Text != better {
		return nil
	}
	w := f.Wish(c)
	w.Environment, w.Candidates, w.MaxLease = e.Environment, f.replicas, longestChosen
	if w.Timeout.Kind == programs.None {
		w.Timeout = programs.Timeout{} // with none no outage is tolerated for sure
	}
	if p := &w.Config.Profile; p.EndsInTime() || !w.Config.Lock.TakenBy(p) || bound.Unknown(&w.Config) != nil {
		return exit.Usage(c.CommandPath(), "--%s %s: for that profile, lock or release no timings can be chosen: want timings such as 30/20/4", compareFlag, better)
	}
	var all []machine.Timings
	for choice := range w.Ladder() {
		j, err := gate.Judge(f.Like(c, choice.Config.Timings), &e.Environment)
		if err == nil && j.Verdict == gate.Safe {
			all = append(all, choice.Config.Timings)
		}
	}
	if len(all) == 0 {
		return exit.Usage(c.CommandPath(), "--%s %s: no timings in whole seconds are safe in the environment: simulate tune says why", compareFlag, better)
	}
	n := min(mostChosen, len(all))
	for i := range n {
		f.Also = append(f.Also, all[i*(len(all)-1)/max(1, n-1)])
	}
	return nil
}

// parseCompared parses a list of timings, such as 30/20/4,60s/40s/5s. For ofFiles and for better, which are no timings, it
// returns nil and no error.
func parseCompared(text string) (all []machine.Timings, err error) {
	if text == ofFiles || text == better {
		return nil, nil
	}
	for one := range strings.SplitSeq(text, ",") {
		t, err := parseTimings(one)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	if len(all) > mostCompared {
		return nil, fmt.Errorf("want at most %d timings, got %d", mostCompared, len(all))
	}
	return all, nil
}

// parseTimings parses a lease duration, a renew deadline and a retry period, such as 30/20/4 or 60s/40s/5s.
func parseTimings(text string) (t machine.Timings, err error) {
	parts := strings.Split(text, "/")
	if len(parts) != 3 {
		return t, fmt.Errorf("want lease duration/renew deadline/retry period, such as 15/10/2, got %q%s", text,
			phrase.DidYouMean(text, []string{better, ofFiles}))
	}
	for i, d := range []*time.Duration{&t.LeaseDuration, &t.RenewDeadline, &t.RetryPeriod} {
		if *d, err = parseSeconds(parts[i]); err != nil {
			return t, err
		}
	}
	return t, nil
}

// parseSeconds parses a time above 0; a number without a unit is in seconds.
func parseSeconds(text string) (time.Duration, error) {
	with := text
	if strings.TrimLeft(text, "0123456789.") == "" {
		with += "s"
	}
	d, err := outlook.ParseTime(with)
	if err == nil && d <= 0 {
		err = fmt.Errorf("want a time above 0, got %q", text)
	}
	return d, err
}
