package reports

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/phrase"
	"interregnum/internal/search"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
	"interregnum/scenarios/plan"
)

// Campaign is what became of a search.
type Campaign struct {
	Target  *search.Target
	Summary *search.Summary
	Found   []Finding
	// Unfinished tells that the search was interrupted. Where nothing is violated so far, nothing is known of the rest.
	Unfinished bool
	// Width is how wide the text is at most, but for scenarios and commands, which are there to be copied; 0 is no limit.
	Width int
}

// Finding is a failure, and what is left of its scenario once that has been made small.
type Finding struct {
	search.Failure
	Small *scenarios.Scenario
}

// Verdict is violated, unfinished, blind or held.
func (c *Campaign) Verdict() string {
	switch {
	case c.Summary.Failing > 0:
		return "violated"
	case c.Unfinished:
		return "unfinished"
	case len(c.Blind()) > 0:
		return "blind"
	}
	return "held"
}

// Blind returns the witnesses that the target allows and that no run has shown; none where the search had too few runs
// to tell.
func (c *Campaign) Blind() []string { return c.Target.Blind(c.Summary) }

// Show returns the shell command that runs the scenario of a seed again; o, if it is not nil, tells from which file of
// the corpus the scenario comes.
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

// Command returns the shell command that repeats the search of header h; where h does not say how many blocks to run,
// it repeats as many as were run.
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

// corpusFlag returns the flag --corpus for a folder or file, quoted for a shell and with a space behind it. The path
// may come from a file of results, so control characters are made harmless.
func corpusFlag(path string) string {
	return "--corpus=" + phrase.OneLine(phrase.ShellWord(path)) + " "
}

// targetFlags returns the flags of simulate search that describe the target, with a space behind each; flags at their
// default are left out.
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
	return b.String()
}

// lock returns the kind of lock and, where times come from the database's clock, says so.
func (c *Campaign) lock() string {
	kind := string(c.Target.Kind())
	if c.Target.Now == plan.DatabaseNow {
		kind += ", database's now"
	}
	return kind
}

// violatedText joins the names of violated properties, and makes them fit to be shown, since they may come from a file.
func violatedText(properties []string) string {
	return words.Visible(strings.Join(properties, ", "), words.MaxName)
}

// CampaignSort is a line of the table of failures.
type CampaignSort struct {
	// Name is the properties that were violated, Properties each of them.
	Name       string
	Properties []string
	search.Sort
}

// Sorts returns an entry for each set of properties that a run violated together, the longest overlap first. Runs that
// did not come to an end have an entry of their own.
func (c *Campaign) Sorts() []CampaignSort {
	var all []CampaignSort
	for _, key := range slices.Sorted(maps.Keys(c.Summary.Sorts)) {
		properties := strings.Fields(key)
		name := violatedText(properties)
		if key == "" {
			name = "did not come to an end"
		}
		all = append(all, CampaignSort{name, properties, c.Summary.Sorts[key]})
	}
	slices.SortStableFunc(all, func(a, b CampaignSort) int { return int(min(1, max(-1, b.OverlapNs-a.OverlapNs))) })
	return all
}

// stuck is how many runs did not come to an end.
func (c *Campaign) stuck() uint64 { return c.Summary.Sorts[""].Runs }

// violating is how many runs violated a property.
func (c *Campaign) violating(property string) uint64 {
	n := uint64(0)
	for key, s := range c.Summary.Sorts {
		if slices.Contains(strings.Fields(key), property) {
			n += s.Runs
		}
	}
	return n
}

// campaignWitness is a line of the table of coverage.
type campaignWitness struct {
	Name  string
	Runs  int
	State string
}

// The states of a witness.
const (
	witnessSeen     = "seen"
	witnessBlind    = "blind"
	witnessEarly    = "not yet"
	witnessNotAsked = "not asked"
)

// witnesses returns, for each witness, how many runs showed it and its state: seen, blind, not yet, or not asked.
func (c *Campaign) witnesses() []campaignWitness {
	blind, missing := c.Blind(), c.Target.Missing(c.Summary)
	var all []campaignWitness
	for _, name := range check.Witnesses() {
		w := campaignWitness{name, c.Summary.Witnesses[name], witnessNotAsked}
		switch {
		case w.Runs > 0:
			w.State = witnessSeen
		case slices.Contains(blind, name):
			w.State = witnessBlind
		case slices.Contains(missing, name):
			w.State = witnessEarly
		}
		all = append(all, w)
	}
	return all
}

// percentiles are those of the failover time that are shown.
var percentiles = []struct {
	name    string
	percent float64
}{{"p50", 50}, {"p90", 90}, {"p99", 99}, {"p99.9", 99.9}, {"longest", 100}}
