package reports

import (
	"maps"
	"slices"
	"strings"
	"time"

	"interregnum/internal/check"
	"interregnum/internal/search"
	"interregnum/plan"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// Campaign is a search and its results.
type Campaign struct {
	Target  *search.Target
	Summary *search.Summary
	Found   []Finding
	// Unfinished tells that the search was interrupted, so that nothing is known of the remaining runs.
	Unfinished bool
	// Width is the highest width of the text in columns, 0 for no limit. Scenarios and commands are not broken, since people
	// copy them.
	Width int
}

// Finding is a failure, and the smallest scenario that was found to fail like it.
type Finding struct {
	search.Failure
	Small *scenarios.Scenario
}

// Verdict returns the outcome of the search: violated if a run violated a property or did not come to an end, else unfinished if
// the search was interrupted, else blind if Blind names a witness, else held.
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

// Blind returns the names of the witnesses, such as answer-lost-after-apply, that the target allows and that no run has shown.
// It returns none if the search had too few runs to tell.
func (c *Campaign) Blind() []string { return c.Target.Blind(c.Summary) }

// Lock returns the kind of lock, followed by "database's now" if the database's clock decides when it expires.
func (c *Campaign) Lock() string {
	kind := string(c.Target.Kind())
	if c.Target.Now == plan.DatabaseNow {
		kind += ", database's now"
	}
	return kind
}

// Violated returns the names of violated properties with commas between them. They are made safe to show, since they can come
// from a file.
func Violated(properties []string) string {
	return words.Visible(strings.Join(properties, ", "), words.MaxName)
}

// CampaignSort is a line of the table of failures: the runs that violated the same set of properties.
type CampaignSort struct {
	// Name joins the names in Properties; for runs that did not finish, it says so.
	Name       string
	Properties []string
	search.Sort
}

// Sorts returns an entry for each set of properties that a run violated together, the one with the longest overlap first.
// Runs that did not finish have their own entry.
func (c *Campaign) Sorts() []CampaignSort {
	var all []CampaignSort
	for _, key := range slices.Sorted(maps.Keys(c.Summary.Sorts)) {
		properties := strings.Fields(key)
		name := Violated(properties)
		if key == "" {
			name = "did not come to an end"
		}
		all = append(all, CampaignSort{name, properties, c.Summary.Sorts[key]})
	}
	slices.SortStableFunc(all, func(a, b CampaignSort) int { return int(min(1, max(-1, b.OverlapNs-a.OverlapNs))) })
	return all
}

// Stuck returns how many runs did not finish.
func (c *Campaign) Stuck() uint64 { return c.Summary.Sorts[""].Runs }

// Violating returns how many runs violated a property.
func (c *Campaign) Violating(property string) uint64 {
	n := uint64(0)
	for key, s := range c.Summary.Sorts {
		if slices.Contains(strings.Fields(key), property) {
			n += s.Runs
		}
	}
	return n
}

// Witness is a line of the table of coverage.
type Witness struct {
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

// Witnesses returns a line for each witness: how many runs showed it, and its state. The state is "seen" if a run showed it,
// "blind" if none did although some run must, "not yet" if there were too few runs to say so, and "not asked" if no run need show
// it. A witness of clients has a line only if the search has clients, or if a run showed it.
func (c *Campaign) Witnesses() []Witness {
	blind, missing := c.Blind(), c.Target.Missing(c.Summary)
	var all []Witness
	for _, name := range check.Witnesses() {
		w := Witness{name, c.Summary.Witnesses[name], witnessNotAsked}
		switch {
		case w.Runs > 0:
			w.State = witnessSeen
		case slices.Contains(blind, name):
			w.State = witnessBlind
		case slices.Contains(missing, name):
			w.State = witnessEarly
		}
		if w.Runs > 0 || c.Target.Shows(name) {
			all = append(all, w)
		}
	}
	return all
}

// Percentile is a percentile of the failover times.
type Percentile struct {
	Name string
	Time time.Duration
}

// Percentiles returns the percentiles of the failover times that reports show: 50, 90, 99 and 99.9 per cent, and the longest.
func (c *Campaign) Percentiles() (all []Percentile) {
	for _, p := range []struct {
		name    string
		percent float64
	}{{"p50", 50}, {"p90", 90}, {"p99", 99}, {"p99.9", 99.9}, {"longest", 100}} {
		ms := c.Summary.Failovers.Percentile(p.percent)
		all = append(all, Percentile{p.name, time.Duration(ms) * time.Millisecond})
	}
	return all
}
