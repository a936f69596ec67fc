package page

import (
	"fmt"
	"io"
	"strings"
	"time"

	"interregnum/internal/investigate"
	"interregnum/reports"
	"interregnum/reports/internal/words"
)

// storyView is the data of the template of an investigation.
type storyView struct {
	assets
	Title, Outcome string
	Tone           string
	Stories        []*lockView
	Locks          *reports.Table // nil for one lock
	Outages        reports.Table
	TooMany        bool // there were too many requests to look for outages
	Left           int
	Sources        []sourceRow
	Problems       []string
	Again          string
}

// lockView is the story of one lock.
type lockView struct {
	Name, Outcome, Tone string
	Charts              []chartPair
	Together, Open      []reports.Chapter
	OpenLeft            int
	Endings             []reports.Chapter
	Facts               []fact
	Terms, Sightings    reports.Table
	Processes           reports.Table
	Notes               []string
}

// chartPair is a chart for wide windows, and the same chart for narrow ones.
type chartPair struct{ Broad, Narrow *storyChart }

// newChartPair draws what newStoryChart draws, in two widths.
func newChartPair(v *reports.Investigation, x *reports.LockStory, title string, from, until time.Time) chartPair {
	return chartPair{newStoryChart(v, x, storyWidth, title, from, until), newStoryChart(v, x, narrowWidth, title, from, until)}
}

// sourceRow is a file that was read: its name, what it is, and how much of it was read.
type sourceRow struct{ File, What, Read string }

// The highest numbers: mostStories of locks whose story a page tells, mostZooms of changes of the holder that have their own chart, and
// mostTerms of rows in a table.
const (
	mostStories = 20
	mostZooms   = 6
	mostTerms   = 50
)

// Investigation writes the page of what follows from logs, as one file that needs nothing else. again is the shell command that writes
// it again.
func Investigation(w io.Writer, v *reports.Investigation, again string) error {
	view := &storyView{assets: storyDocument().assets, Title: "Leader election", Outcome: storyOutcome(v), Tone: tone(v.Locks...), Again: words.Visible(again, words.MaxText)}
	for _, p := range v.Problems {
		view.Problems = append(view.Problems, words.Visible(p, words.MaxText))
	}
	if len(v.Locks) > 1 {
		locks := v.Table()
		view.Locks = &locks
	}
	told := v.Worst()[:min(len(v.Locks), mostStories)]
	for _, x := range told {
		view.Stories = append(view.Stories, newLockView(v, x))
	}
	view.Left, view.Outages, view.TooMany = len(v.Locks)-len(told), v.OutageTable(mostTerms), v.TooMany
	if len(v.Locks) == 1 {
		view.Title = "Leader election of " + v.Locks[0].Name()
	}
	for i := range v.Evidence.Sources {
		x := &v.Evidence.Sources[i]
		what, read := reports.Source(x)
		view.Sources = append(view.Sources, sourceRow{words.Visible(x.File, words.MaxName), strings.Join(append([]string{what}, x.Notes...), "; "), read})
	}
	return storyDocument().Execute(w, view)
}

// storyOutcome returns a few words on whether two worked at once: the outcome of the one lock or, of several, at how many locks it
// is certain. Without a lock it returns that the logs name none.
func storyOutcome(v *reports.Investigation) string {
	switch {
	case len(v.Locks) == 0:
		return "the logs name no lock"
	case len(v.Locks) == 1:
		return "two worked at once: " + v.Locks[0].Outcome()
	}
	certain := 0
	for i := range v.Locks {
		if v.Locks[i].Verdict() == investigate.Certain {
			certain++
		}
	}
	return fmt.Sprintf("of %s locks, two certainly worked at once at %s", words.Count(len(v.Locks)), words.Count(certain))
}

// tone returns the CSS class of locks: "bad" if two certainly worked at once for at least one of them, "good" if that is
// impossible for each, otherwise "open". It returns "open" for no locks.
func tone(locks ...reports.LockStory) string {
	best := "good"
	for i := range locks {
		switch locks[i].Verdict() {
		case investigate.Certain:
			return "bad"
		case investigate.Impossible:
		default:
			best = "open"
		}
	}
	if len(locks) == 0 {
		return "open"
	}
	return best
}

// newLockView returns what the page shows of a lock: charts, chains of evidence, figures and tables.
func newLockView(v *reports.Investigation, x *reports.LockStory) *lockView {
	l := &lockView{Name: x.Name(), Outcome: "two worked at once: " + x.Outcome(), Tone: tone(*x), Notes: x.Notes, Charts: storyCharts(v, x)}
	together, endings := x.Together(), x.Endings(len(x.Terms))
	for _, p := range together[:min(len(together), mostTerms)] {
		l.Together = append(l.Together, v.PairChapter(x, x.TogetherTitle(&p), &p))
	}
	open, left := x.Open(mostTerms - len(l.Together))
	l.OpenLeft = left
	for i := range open {
		l.Open = append(l.Open, v.PairChapter(x, x.PairTitle(&open[i]), &open[i]))
	}
	for i := range x.Reasons[:min(len(x.Reasons), mostTerms)] {
		l.Endings = append(l.Endings, v.ReasonChapter(x, &x.Reasons[i]))
	}
	for _, s := range endings[:min(len(endings), mostTerms)] {
		l.Endings = append(l.Endings, v.Chapter(x, x.EndingTitle(&s), s.Chain))
	}
	for _, f := range v.Figures(x) {
		l.Facts = append(l.Facts, fact{f[0], f[1]})
	}
	for i := range x.Timings {
		t := &x.Timings[i]
		l.Facts = append(l.Facts, fact{t.Name, reports.Range(t.Low, t.High) + ", " + v.Inferred(t)})
	}
	for i := range x.Offsets {
		o := &x.Offsets[i]
		l.Facts = append(l.Facts, fact{"added to " + v.Clock(o.Source), reports.Range(o.Low, o.High)})
	}
	l.Terms, l.Sightings, l.Processes = x.TermTable(mostTerms), x.SightingTable(mostTerms), x.ProcessTable(mostTerms)
	return l
}

// storyCharts returns the charts of a lock; nil if nothing is logged. The first has all of the time that is logged. If that is
// more than three minutes, at most mostZooms others follow, each of the time around a change of the holder, first those at which
// two certainly worked at once.
func storyCharts(v *reports.Investigation, x *reports.LockStory) (all []chartPair) {
	from, until := loggedTime(x)
	if from.IsZero() {
		return nil
	}
	const whole = 3 * time.Minute
	all = append(all, newChartPair(v, x, "All that is logged", from, until))
	if until.Sub(from) <= whole {
		return all
	}
	for _, certain := range []bool{true, false} {
		for i := range x.Pairs {
			p := &x.Pairs[i]
			if len(all) <= mostZooms && certain == (p.Worked.Verdict == investigate.Certain) {
				a, b := x.Writes[x.Terms[p.Old].Last].Received.Add(-20*time.Second), x.Writes[x.Terms[p.New].First].Received.Add(40*time.Second)
				if end := x.Terms[p.Old].Worked.End.Low; end.After(b) {
					b = end.Add(5 * time.Second)
				}
				all = append(all, newChartPair(v, x, "From "+x.Holder(p.Old)+" to "+x.Holder(p.New), a, b))
			}
		}
	}
	return all
}

// loggedTime returns the first and the last instant of what is logged about a lock: requests and answers, lines of processes' logs,
// Kubernetes events. The times of lines are taken by the API server's clock, as the chart draws them (see offsetOf). Both results
// are zero if there is nothing.
func loggedTime(x *reports.LockStory) (from, until time.Time) {
	add := func(at time.Time) {
		if at.IsZero() {
			return
		}
		if from.IsZero() || at.Before(from) {
			from = at
		}
		if at.After(until) {
			until = at
		}
	}
	for i := range x.Evidence.Requests {
		add(x.Evidence.Requests[i].Received)
		add(x.Evidence.Requests[i].Answered)
	}
	for i := range x.Evidence.Sayings {
		s := &x.Evidence.Sayings[i]
		add(s.At.Add(offsetOf(x, s.Source)))
	}
	for i := range x.Evidence.Notices {
		add(x.Evidence.Notices[i].At)
	}
	return from, until
}

// offsetOf returns what is added to a log's times to get the API server's: the middle of what is possible; 0 if that is not
// known.
func offsetOf(x *reports.LockStory, source int) time.Duration {
	for _, o := range x.Offsets {
		if o.Source == source && o.Low != nil && o.High != nil {
			return *o.Low + (*o.High-*o.Low)/2
		}
	}
	return 0
}

var storyDocument = newDocument(false, "story.css", "story.gohtml", "page.gohtml")
