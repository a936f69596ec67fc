package search

import (
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/campaign"
	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/elector/machine"
	"interregnum/internal/draw"
	"interregnum/internal/phrase"
	"interregnum/internal/results"
	"interregnum/internal/search"
	"interregnum/plan"
)

// mostRuns is how many runs a search has at most: more than a million computers do in a thousand years.
const mostRuns = 1 << 60

// plan returns what the flags say to search for, and which blocks to run. It returns an error if flags contradict each other or
// are out of bounds. It sets f.write.
func (f *searchFlags) plan(c *cobra.Command) (*search.Target, *search.Plan, error) {
	bad := func(format string, args ...any) error { return exit.Usage(c.CommandPath(), format, args...) }
	profile, ok := machine.ProfileNamed(f.profile)
	if !ok {
		return nil, nil, bad("--profile %q: want %s", f.profile, phrase.List(machine.ProfileNames(), f.profile))
	}
	if err := f.checkLocking(c, &profile); err != nil {
		return nil, nil, err
	}
	target := &search.Target{Profile: profile, Locking: f.locking(), Timings: f.timings, Limits: f.limits, Property: f.property}
	if err := campaign.Check(target); err != nil {
		return nil, nil, bad("%v", err)
	}
	var unknown error
	f.write, unknown = campaign.Forms.Chosen(c, f.output)
	switch {
	case f.length < 0 || c.Flags().Changed("for") && f.length == 0:
		return nil, nil, bad("--for %v: want a time above zero", f.length)
	case c.Flags().Changed("runs") && f.runs == 0:
		return nil, nil, bad("--runs 0: want at least one")
	case f.runs > mostRuns:
		return nil, nil, bad("--runs %d: want at most %d", f.runs, uint64(mostRuns))
	case c.Flags().Changed("show") && (f.html != "" || f.resume != "" || f.keep != ""):
		return nil, nil, bad("--show prints one scenario: want it without --html, --resume and --keep")
	case f.jobs < 0 || c.Flags().Changed("jobs") && f.jobs == 0 || f.jobs > cliflag.MostAtOnce:
		return nil, nil, bad("--jobs %d: want 1 to %d", f.jobs, cliflag.MostAtOnce)
	case unknown != nil:
		return nil, nil, unknown
	case f.corpus != "" && f.first >= search.CorpusSeed:
		return nil, nil, bad("--first-seed %d: with --corpus want less than %d", f.first, uint64(search.CorpusSeed))
	case f.keep != "" && f.shard != "":
		return nil, nil, bad("--keep: a shard has seen only part of what is found: simulate report merge --keep %s", f.keep)
	case f.growsCorpus() && f.resume != "" && f.length > 0:
		return nil, nil, bad("--resume: once %s has grown the file cannot go on with it: want --runs instead of --for, "+
			"or another folder for --keep", f.keep)
	case input.Same(f.resume, f.html):
		return nil, nil, bad("--html and --resume name the same file")
	}
	p := &search.Plan{First: f.first / search.BlockRuns, Workers: f.jobs}
	runs := f.runs
	if runs == 0 && f.length == 0 {
		runs = defaultRuns
	}
	p.Blocks = (runs + search.BlockRuns - 1) / search.BlockRuns
	var err error
	if p.Shard, p.Shards, err = results.ParseShard(f.shard); err != nil {
		return nil, nil, bad("%v", err)
	}
	return target, p, nil
}

// checkLocking returns an error if flags about locks, elections and wall clocks contradict each other or are out of bounds.
func (f *searchFlags) checkLocking(c *cobra.Command, p *machine.Profile) error {
	lock, changed, locking := f.lock.Kind.Text, c.Flags().Changed, f.locking()
	switch {
	case changed("elections") && (f.elections < 1 || f.elections > search.MaxElections):
		return exit.Usage(c.CommandPath(), "--elections %d: want 1 to %d", f.elections, search.MaxElections)
	case f.limits.MaxClockOffset < 0:
		return exit.Usage(c.CommandPath(), "--max-clock-offset %v: want 0s or more", f.limits.MaxClockOffset)
	case changed("max-clock-offset") && !locking.ByWallClock(p):
		return exit.Usage(c.CommandPath(), "--max-clock-offset is of %s: nothing else goes by wall clocks, which are up to a "+
			"minute apart, and jump, as it is; that is %s and %s", search.ByWallClock(), lock, p.Name)
	}
	return f.lock.Check(c)
}

// locking returns the locks and elections that the flags describe. Fields with default values stay zero.
func (f *searchFlags) locking() (l draw.Locking) {
	if f.lock.Kind.Text != string(plan.Lease) {
		l.Lock = plan.Lock(f.lock.Kind.Text)
	}
	if f.lock.Now.Text == string(plan.DatabaseNow) {
		l.Now = plan.DatabaseNow
	}
	if p := f.lock.Precision.Duration(); p != time.Microsecond {
		l.Precision = p
	}
	if f.elections > 1 {
		l.Elections = f.elections
	}
	return l
}
