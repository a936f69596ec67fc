package reports

import (
	"fmt"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
	"interregnum/internal/search"
	"interregnum/plan"
)

// Show returns the shell command that runs the scenario of a seed again. o is the file of the corpus from which the scenario comes,
// nil if it does not come from one. If the scenario is that file unchanged, the command has search.CorpusSeed in place of the seed.
func (c *Campaign) Show(seed uint64, o *search.Origin) string {
	flags := targetFlags(c.Target)
	if o != nil && c.Target.Corpus != nil {
		flags += corpusFlag(c.Target.Corpus.Path(o.File))
		if o.Unchanged {
			seed = search.CorpusSeed
		}
	}
	return fmt.Sprintf("simulate search %s--show %d | simulate run -", flags, seed)
}

// Command returns the shell command that repeats the search of header h. If h does not say how many blocks to run, the
// command runs as many as this search did.
func (c *Campaign) Command(h *search.Header) string {
	blocks := h.Blocks
	if blocks == 0 {
		blocks = c.Summary.Blocks * max(h.Shards, 1)
		blocks -= min(blocks, h.CorpusBlocks)
	}
	command := "simulate search " + targetFlags(c.Target)
	if h.Corpus != "" {
		command += corpusFlag(h.CorpusDir)
	}
	if h.Property != "" {
		command += "--property=" + h.Property + " "
	}
	if h.First > 0 {
		command += fmt.Sprintf("--first-seed=%d ", h.First*search.BlockRuns)
	}
	if h.Shards > 0 {
		command += fmt.Sprintf("--shard=%d/%d ", h.Shard, h.Shards)
	}
	return command + fmt.Sprintf("--runs=%d", blocks*search.BlockRuns)
}

// corpusFlag returns the flag --corpus for a folder or file, quoted for a shell, and a space. The path may come from a file
// of results, so its control characters are replaced.
func corpusFlag(path string) string {
	return "--corpus=" + phrase.OneLine(phrase.ShellWord(path)) + " "
}

// targetFlags returns the flags of simulate search that describe the target, each with a space after it, without those that
// have their default.
func targetFlags(t *search.Target) string {
	flags := ""
	add := func(given bool, format string, value any) {
		if given {
			flags += fmt.Sprintf("--"+format+" ", value)
		}
	}
	length := func(name string, d time.Duration) { add(d != 0, name+"=%s", phrase.Duration(d)) }
	is := func(name string, on bool) {
		if on {
			flags += "--" + name + " "
		}
	}
	l := &t.Limits
	add(t.Profile.Name != machine.ClientGo.Name, "profile=%s", t.Profile.Name)
	add(t.Kind() != plan.Lease, "lock=%s", t.Kind())
	add(t.Now != "", "now=%s", t.Now)
	add(t.Elections > 0, "elections=%d", t.Elections)
	length("precision", t.Precision)
	length("lease-duration", t.Timings.LeaseDuration)
	length("renew-deadline", t.Timings.RenewDeadline)
	length("retry-period", t.Timings.RetryPeriod)
	length("max-round-trip", l.MaxRoundTrip)
	add(l.MaxDriftPPM != 0, "max-drift-ppm=%d", l.MaxDriftPPM)
	length("max-pause", l.MaxPause)
	is("answers-first", l.AnswersFirst)
	length("drain", l.MaxDrain)
	length("max-clock-offset", l.MaxClockOffset)
	is("same-identity", l.Shared)
	is("deletes", l.Deleted)
	is("clients", l.Clients)
	return flags
}
