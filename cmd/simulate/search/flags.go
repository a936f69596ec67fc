package search

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/campaign"
	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/elector/machine"
	"interregnum/internal/draw"
	"interregnum/internal/search"
)

// searchFlags are the flags of simulate search.
type searchFlags struct {
	profile, property  string
	timings            machine.Timings
	limits             draw.Limits
	lock               cliflag.LockFlags
	elections          int
	runs, first, show  uint64
	length             time.Duration
	shard, resume      string
	corpus, keep, html string
	force              bool
	jobs               int
	output             string
	// write is the writer of the form that output names.
	write campaign.Writer
}

const defaultRuns = 20_000

// register adds the flags to the command.
func (f *searchFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.profile, "profile", machine.ClientGo.Name, "variant of the algorithm")
	f.lock.Register(c, "")
	flags.IntVar(&f.elections, "elections", 1, fmt.Sprintf("each process takes part in up to `N` elections (1 to %d), and the first process in all", search.MaxElections))
	flags.DurationVar(&f.timings.LeaseDuration, "lease-duration", 0, "timings of all candidates, all three or none: how long others wait")
	flags.DurationVar(&f.timings.RenewDeadline, "renew-deadline", 0, "how long a leader tries to renew")
	flags.DurationVar(&f.timings.RetryPeriod, "retry-period", 0, "how long a candidate waits between attempts")
	flags.DurationVar(&f.limits.MaxRoundTrip, "max-round-trip", 0, "longest round trip of a request that is answered; 0s is no limit")
	flags.Int64Var(&f.limits.MaxDriftPPM, "max-drift-ppm", 0, "each clock's rate is within ± so many parts per million of true time")
	flags.DurationVar(&f.limits.MaxPause, "max-pause", 0, "for how long a process is frozen at most; fencing is then what is judged")
	flags.BoolVar(&f.limits.AnswersFirst, "answers-first", false, "a process that wakes may handle answers first; with --max-pause")
	flags.DurationVar(&f.limits.MaxClockOffset, "max-clock-offset", 0,
		"of "+search.ByWallClock()+", how far wall clocks are apart or set at most: the candidates', or the database's; drift comes on top")
	cliflag.Group(flags, cliflag.OtherLocks, "max-clock-offset")
	flags.DurationVar(&f.limits.MaxDrain, "drain", 0, "how long work goes on at most after its context has ended")
	flags.BoolVar(&f.limits.Shared, "same-identity", false, "candidates may share an identity")
	flags.BoolVar(&f.limits.Deleted, "deletes", false, "somebody may delete the lock")
	flags.BoolVar(&f.limits.Clients, "clients", false, "candidates have clients that limit and repeat requests, and there are faults about these")
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
	campaign.Forms.Register(c, &f.output)
}
