package page

import (
	"fmt"
	"io"
	"strings"
	"time"

	"interregnum/internal/explain"
	"interregnum/internal/phrase"
	"interregnum/internal/trace"
	"interregnum/plan"
	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// campaignView is the data of the template of a campaign.
type campaignView struct {
	assets
	Profile, Verdict  string
	Headline, Command string
	Limits, Facts     []fact
	Shares            []campaignShare
	Sorts             []campaignSortView
	Margin            string
	MarginCommand     string
	Failover          *histogram
	Witnesses         []reports.Witness
	Blind             string
	Frontier          []*frontier
	Found             []campaignFinding
}

// campaignShare says how many runs have one verdict. X and W are its part of a bar that stands for all runs.
type campaignShare struct {
	Verdict, Runs, Share string
	X, W                 px
}

// campaignSortView is a row of the table of failures. W is the length of the bar that stands for its longest overlap.
type campaignSortView struct {
	Name, Runs, Overlap, Command string
	W                            px
}

// campaignFinding is the smallest scenario of a failure, with a chart of its run.
type campaignFinding struct {
	Seed                 uint64
	Properties, Headline string
	YAML, Command        string
	Chart, Narrow        *chart
	Explained            []explain.Explanation
}

// Campaign writes the page of a search, as one file that needs nothing else. command is the shell command that repeats the search.
// Campaign runs the small scenario of each finding; if such a run fails, it returns that error and writes nothing.
func Campaign(w io.Writer, c *reports.Campaign, command string) error {
	v := &campaignView{
		assets:  campaignDocument().assets,
		Profile: words.Visible(c.Target.Profile.Name, words.MaxName), Verdict: c.Verdict(), Headline: outcome(c),
		Command: words.Visible(command, words.MaxText), Limits: limits(c), Shares: shares(c),
		Failover: newHistogram(c), Witnesses: c.Witnesses(), Blind: phrase.And(c.Blind()),
		Frontier: newFrontiers(c.Target),
		Facts: []fact{{"runs", words.Count(c.Summary.Runs)}, {"events", words.Count(c.Summary.Events)},
			{"blocks", words.Count(c.Summary.Blocks)}},
	}
	v.sorts(c)
	if margin, ok := c.Summary.Margin(); ok {
		v.Margin, v.MarginCommand = words.Duration(margin), c.Show(c.Summary.MarginSeed, c.Summary.MarginCorpus)
	}
	for i := range c.Found {
		f, err := newCampaignFinding(c, &c.Found[i], fmt.Sprintf("f%d-", i+1))
		if err != nil {
			return err
		}
		v.Found = append(v.Found, *f)
	}
	return campaignDocument().Execute(w, v)
}

// outcome returns a sentence on what a search has found.
func outcome(c *reports.Campaign) string {
	s := c.Summary
	switch c.Verdict() {
	case "violated":
		return fmt.Sprintf("%s of %s runs violate something", words.Count(s.Failing), words.Count(s.Runs))
	case "unfinished":
		return fmt.Sprintf("interrupted after %s runs, none of which violates anything", words.Count(s.Runs))
	case "blind":
		return fmt.Sprintf("blind: %s runs and no violation, but no run showed %s", words.Count(s.Runs), phrase.And(c.Blind()))
	}
	return fmt.Sprintf("no run of %s violates anything", words.Count(s.Runs))
}

// limits returns the parameters of the search as facts: timings and the bounds of what can go wrong. Where they are not the usual
// ones, it adds the property, the lock, clocks, the number of elections, and whether identities are shared, locks deleted and
// requests limited.
func limits(c *reports.Campaign) []fact {
	t, l := &c.Target.Timings, &c.Target.Limits
	timings := "each run has its own"
	if t.LeaseDuration > 0 {
		timings = fmt.Sprintf("%v, %v, %v", t.LeaseDuration, t.RenewDeadline, t.RetryPeriod)
	}
	trip := "no limit"
	if l.MaxRoundTrip > 0 {
		trip = l.MaxRoundTrip.String()
	}
	drift := "none"
	if l.MaxDriftPPM > 0 {
		drift = fmt.Sprintf("±%d ppm", l.MaxDriftPPM)
	}
	all := []fact{{"lease, deadline, period", timings}, {"round trip at most", trip},
		{"drift at most", drift}, {"pause at most", noneOr(l.MaxPause)},
		{"drain at most", noneOr(l.MaxDrain)}}
	some := func(shown bool, name, value string) {
		if shown {
			all = append(all, fact{name, value})
		}
	}
	some(c.Target.Property != "", "property", c.Target.Property)
	some(c.Target.Kind() != plan.Lease, "lock", c.Lock())
	some(c.Target.ByWallClock(&c.Target.Profile), "clocks apart at most", noneOr(l.MaxClockOffset))
	some(c.Target.Elections > 0, "elections in a process", fmt.Sprint(c.Target.Elections))
	some(l.Shared, "identities", "may be shared")
	some(l.Deleted, "lock", "may be deleted")
	some(l.Clients, "clients", "limit and repeat requests")
	return all
}

// noneOr formats a duration; 0 is "none".
func noneOr(d time.Duration) string {
	if d == 0 {
		return "none"
	}
	return d.String()
}

// shares returns how many runs held, how many violated something and how many did not finish, each with its part of a bar.
func shares(c *reports.Campaign) []campaignShare {
	s := c.Summary
	stuck := c.Stuck()
	violated := s.Failing - stuck
	held := s.Runs - min(s.Runs, s.Failing)
	var all []campaignShare
	x := px(0)
	for _, one := range []struct {
		verdict string
		runs    uint64
	}{{"held", held}, {"violated", violated}, {"inconclusive", stuck}} {
		part := float64(one.runs) / float64(max(s.Runs, 1))
		w := tenth(1000 * part)
		all = append(all, campaignShare{one.verdict, words.Count(one.runs), fmt.Sprintf("%.2f %%", 100*part), x, w})
		x = tenth(float64(x + w))
	}
	return all
}

// sorts adds the table of failures to v: a row for each set of violated properties, with a bar as long as the longest
// overlap.
func (v *campaignView) sorts(c *reports.Campaign) {
	all := c.Sorts()
	longest := int64(1)
	for _, s := range all {
		longest = max(longest, s.OverlapNs)
	}
	for _, s := range all {
		row := campaignSortView{Name: s.Name, Runs: words.Count(s.Runs), Command: c.Show(s.Seed, s.Corpus),
			W: tenth(160 * float64(s.OverlapNs) / float64(longest))}
		if s.OverlapNs > 0 {
			row.Overlap = words.Duration(s.OverlapNs)
		}
		v.Sorts = append(v.Sorts, row)
	}
}

// newCampaignFinding runs the smallest scenario of a failure, and returns it with a chart of the run. All ids in the chart begin
// with id. It returns an error if the run itself fails or the scenario cannot be written.
func newCampaignFinding(c *reports.Campaign, x *reports.Finding, id string) (*campaignFinding, error) {
	p := New(x.Small)
	r, err := scenarios.Run(x.Small, scenarios.Options{Explain: true, Sinks: []trace.Sink{p}})
	if err != nil {
		return nil, fmt.Errorf("seed %d, made small: %w", x.Seed, err)
	}
	var yaml strings.Builder
	if err := x.Small.WriteYAML(&yaml); err != nil {
		return nil, err
	}
	f := &campaignFinding{Seed: x.Seed, Properties: reports.Violated(x.Properties),
		Headline: words.Visible(reports.Headline(p.Header, r), words.MaxText), YAML: yaml.String(), Command: c.Show(x.Seed, x.Corpus), Chart: p.chart(r, chartWidth),
		Narrow: p.chart(r, narrowWidth), Explained: explained(r)}
	f.Chart.ID, f.Narrow.ID = id, id+"n-"
	return f, nil
}

var campaignDocument = newDocument(false, "campaign.css", "campaign.gohtml", "page.gohtml")
