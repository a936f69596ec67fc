package text

import (
	"fmt"
	"io"
	"strings"

	"interregnum/internal/investigate"
	"interregnum/reports"
	"interregnum/reports/internal/words"
)

// mostTerms is how many rows of a table are written at most. mostOpen is how many changes of the holder are told of at most at which two
// did not certainly work at once. Both are the last ones.
const (
	mostTerms = 30
	mostOpen  = 5
)

// leastColumns is how many columns the table of locks has, however narrow a line is.
const leastColumns = 4

// Investigation writes what follows from logs: the story if there is one lock, a table if there are several, then outages and
// what was read. Lines have at most width columns; a width below 40 counts as 40.
func Investigation(w io.Writer, v *reports.Investigation, width int) error {
	s := newSheet(width)
	switch len(v.Locks) {
	case 0:
		s.line("The logs name no lock.")
	case 1:
		s.story(v, &v.Locks[0])
	default:
		s.locks(v)
	}
	s.outages(v)
	s.sources(v)
	return s.write(w)
}

// outages adds to s a table of when the API server refused, failed or was slow; nothing if that is not known of any time.
func (s *sheet) outages(v *reports.Investigation) {
	if v.TooMany {
		s.blank()
		s.line("There are too many requests to look for outages.")
	}
	if len(v.Outages) > 0 {
		s.blank()
		s.line("when the API server refused, failed or was slow, by the requests about all locks:")
		s.last(v.OutageTable(mostTerms), "ones")
	}
}

// locks adds to s a table with a row for each lock.
func (s *sheet) locks(v *reports.Investigation) {
	t := v.Table()
	s.line(v.Standings() + ".")
	s.blank()
	s.table((&table{headed: true, rows: append([][]string{t.Columns}, t.Rows...)}).cut(s.width, leastColumns))
	s.blank()
	if t.Left > 0 {
		s.line(words.Count(t.Left) + " more locks are left out; -o json has all.")
	}
	s.line("--lock NAMESPACE/NAME tells the story of one.")
}

// story adds to s what follows from the logs for the lock x.
func (s *sheet) story(v *reports.Investigation, x *reports.LockStory) {
	s.line(x.Name() + ": " + x.Outcome())
	s.blank()
	s.last(x.TermTable(mostTerms), "terms")
	if t := x.SpanTable(mostTerms); len(t.Rows) > 0 {
		s.line("when each worked, and believed that it leads, by the API server's clock, in UTC:")
		s.last(t, "terms")
	}
	if t := x.ProcessTable(mostTerms); len(t.Rows) > 0 {
		s.line("who asked for the lock:")
		s.table(&table{headed: true, indent: "  ", rows: append([][]string{t.Columns}, t.Rows...)})
		if t.Left > 0 {
			s.say(words.Count(t.Left) + " others are left out; -o json has all.")
		}
		s.blank()
	}
	if len(x.Sightings) > 0 {
		s.line("what objects, events, metrics and logs show:")
	}
	s.last(x.SightingTable(mostTerms), "ones")
	for _, f := range v.Figures(x) {
		s.line(f[0] + ": " + f[1])
	}
	s.blank()
	s.pairs(v, x)
	s.endings(v, x)
	s.reasons(v, x)
	s.clocks(v, x)
	for i := range x.Timings {
		t := &x.Timings[i]
		s.line(fmt.Sprintf("%s: %s, %s", t.Name, reports.Range(t.Low, t.High), v.Inferred(t)))
	}
	for _, n := range x.Notes {
		s.line(n)
	}
	s.line("What this assumes stands in docs/method/investigate.md.")
}

// sources adds to s a line for each file that was read: what it is, and how much of it was kept and skipped.
func (s *sheet) sources(v *reports.Investigation) {
	s.apart()
	s.line("read:")
	for i := range v.Evidence.Sources {
		x := &v.Evidence.Sources[i]
		what, read := reports.Source(x)
		s.say(strings.Join(append([]string{fmt.Sprintf("%s: %s: %s", words.Visible(x.File, words.MaxName), what, read)}, x.Notes...), "; "))
	}
}

// last adds to s the table t and, if t leaves out earlier rows, how many. what is the word for its rows, in the plural. It adds
// nothing if t has no rows.
func (s *sheet) last(t reports.Table, what string) {
	if len(t.Rows) == 0 {
		return
	}
	s.table(&table{headed: true, indent: "  ", rows: append([][]string{t.Columns}, t.Rows...)})
	if t.Left > 0 {
		s.say(fmt.Sprintf("%d earlier %s are left out.", t.Left, what))
	}
	s.blank()
}

// chapter adds to s a chapter of the story: its title, and its steps, each with the places where it stands in the logs, and when that
// was.
func (s *sheet) chapter(c reports.Chapter) {
	s.line(c.Title + ":")
	for _, step := range c.Steps {
		text := "- " + step.Text
		if len(step.Where) > 0 {
			text += " (" + strings.Join(step.Where, ", ") + ")"
		}
		s.say(text)
	}
	s.blank()
}

// pairs adds to s the changes of the holder at which two certainly worked at once, and the last mostOpen of those at which two possibly
// did or cannot have, each with its evidence. If there are earlier ones of the latter, it adds how many are left out.
func (s *sheet) pairs(v *reports.Investigation, x *reports.LockStory) {
	for _, p := range x.Together() {
		s.chapter(v.PairChapter(x, "CERTAIN: "+x.TogetherTitle(&p), &p))
	}
	open, left := x.Open(mostOpen)
	if left > 0 {
		s.line(fmt.Sprintf("%s earlier changes of the holder at which two did not certainly work at once are left out.", words.Count(left)))
	}
	for i := range open {
		s.chapter(v.PairChapter(x, x.PairTitle(&open[i]), &open[i]))
	}
}

// endings adds to s why the last mostTerms terms have ended, with the evidence. Of these it takes those that Endings returns.
func (s *sheet) endings(v *reports.Investigation, x *reports.LockStory) {
	for _, l := range x.Endings(mostTerms) {
		how := " because "
		if l.Cause == investigate.Unknown {
			how = "; "
		}
		began := x.Writes[x.Terms[l.Term].First].Received
		s.chapter(v.Chapter(x, fmt.Sprintf("The term of %s that began at %s ended%s%s", x.Holder(l.Term), reports.ClockTime(began), how, reports.EndingCause(&l)), l.Chain))
	}
}

// reasons adds to s, for the last mostTerms of them, why processes gave up or did not lead, in the words of their own logs. If there are
// earlier ones, it first adds how many are left out.
func (s *sheet) reasons(v *reports.Investigation, x *reports.LockStory) {
	left := max(0, len(x.Reasons)-mostTerms)
	if left > 0 {
		s.line(words.Count(left) + " earlier reasons in processes' logs are left out; -o json has all.")
	}
	for i := range x.Reasons[left:] {
		s.chapter(v.ReasonChapter(x, &x.Reasons[left+i]))
	}
}

// clocks adds to s, for each log, what must be added to its times to get the API server's. It adds nothing if that is not known
// of any log.
func (s *sheet) clocks(v *reports.Investigation, x *reports.LockStory) {
	if len(x.Offsets) == 0 {
		return
	}
	s.line("to be added to each log's times to get the API server's:")
	for i := range x.Offsets {
		o := &x.Offsets[i]
		s.say(fmt.Sprintf("%s: %s", v.Clock(o.Source), reports.Range(o.Low, o.High)))
	}
	s.blank()
}
