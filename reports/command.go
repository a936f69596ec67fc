package reports

import (
	"fmt"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/phrase"
	"interregnum/internal/search"
	"interregnum/scenarios/plan"
)

// Show returns the shell command that runs the scenario of a seed again. o is the file of the corpus from which the scenario
// comes, nil if it does not come from one.
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
	var b strings.Builder
	if t.Profile.Name != machine.ClientGo.Name {
		fmt.Fprintf(&b, "--profile=%s ", t.Profile.Name)
	}
	if kind := t.Kind(); kind != plan.Lease {
		fmt.Fprintf(&b, "--lock=%s ", kind)
	}
	if t.Now != "" {
		fmt.Fprintf(&b, "--now=%s ", t.Now)
	}
	if t.Elections > 0 {
		fmt.Fprintf(&b, "--elections=%d ", t.Elections)
	}
	l := &t.Limits
	length := func(name string, d time.Duration) {
		if d != 0 {
			fmt.Fprintf(&b, "--%s=%s ", name, phrase.Duration(d))
		}
	}
	length("precision", t.Precision)
	length("lease-duration", t.Timings.LeaseDuration)
	length("renew-deadline", t.Timings.RenewDeadline)
	length("retry-period", t.Timings.RetryPeriod)
	length("max-round-trip", l.MaxRoundTrip)
	if l.MaxDriftPPM != 0 {
		fmt.Fprintf(&b, "--max-drift-ppm=%d ", l.MaxDriftPPM)
	}
	length("max-pause", l.MaxPause)
	length("drain", l.MaxDrain)
	length("max-clock-offset", l.MaxClockOffset)
	if l.Shared {
		b.WriteString("--same-identity ")
	}
	if l.Deleted {
		b.WriteString("--deletes ")
	}
	if l.Clients {
		b.WriteString("--clients ")
	}
	return b.String()
}
