package finding

import (
	"fmt"
	"io"
	"strings"

	"interregnum/reports"
	"interregnum/reports/internal/words"
)

// mostRows is how many rows of a table are written at most. mostOpen is how many changes of the holder are told of at most at which two
// did not certainly work at once. Both are the last ones.
const (
	mostRows = 30
	mostOpen = 5
)

// InvestigationMarkdown writes what follows from logs, for a post-mortem. It writes the story if there is one lock, and a table
// if there are several; then outages, problems and what was read.
func InvestigationMarkdown(w io.Writer, v *reports.Investigation) error {
	m := &markdown{v: v}
	switch len(v.Locks) {
	case 0:
		m.line("### Leader election: the logs name no lock", "")
	case 1:
		m.story(&v.Locks[0])
	default:
		m.line("### Leader election: "+words.Count(len(v.Locks))+" locks", "", markdownText(v.Standings())+".", "")
		m.table(v.Table(), "more locks are left out; -o json has all.")
	}
	if len(v.Outages) > 0 {
		m.line("When the API server refused, failed or was slow, by the requests about all locks:", "")
		m.table(v.OutageTable(mostRows), "earlier ones are left out.")
	}
	if v.TooMany {
		m.line("There are too many requests to look for outages.", "")
	}
	for _, p := range v.Problems {
		m.line("- **bad input** "+markdownText(p), "")
	}
	m.read()
	_, err := io.WriteString(w, m.b.String())
	return err
}

// markdown collects in b the Markdown text of the investigation v.
type markdown struct {
	v *reports.Investigation
	b strings.Builder
}

// line adds lines of Markdown as they are.
func (m *markdown) line(lines ...string) {
	for _, l := range lines {
		m.b.WriteString(l + "\n")
	}
}

// row adds a row of a table; foreign text in it is escaped.
func (m *markdown) row(cells ...string) {
	for _, c := range cells {
		m.b.WriteString("| " + markdownText(c) + " ")
	}
	m.line("|")
}

// head adds the names of the columns of a table.
func (m *markdown) head(columns ...string) {
	m.row(columns...)
	m.line(strings.Repeat("| --- ", len(columns)) + "|")
}

// table adds a table. If the table leaves rows out, it adds their number, followed by the text left.
func (m *markdown) table(t reports.Table, left string) {
	m.head(t.Columns...)
	for _, r := range t.Rows {
		m.row(r...)
	}
	m.line("")
	if t.Left > 0 {
		m.line(words.Count(t.Left)+" "+left, "")
	}
}

// story adds the story of a lock: whether two worked at once, with the evidence, tables, figures and notes.
func (m *markdown) story(x *reports.LockStory) {
	m.line("### Leader election of "+markdownText(x.Name()), "", "Did two work at once? **"+markdownText(x.Outcome())+"**", "")
	m.together(x)
	m.open(x)
	for _, l := range x.Endings(mostRows) {
		m.chapter("", m.v.Chapter(x, x.EndingTitle(&l), l.Chain))
	}
	m.reasons(x)
	if len(x.Terms) > 0 {
		m.line("Times are by the API server's clock, in UTC.", "")
		m.table(x.TermTable(mostRows), "earlier terms are left out.")
	}
	if t := x.SpanTable(mostRows); len(t.Rows) > 0 {
		m.line("When each worked, and believed that it leads:", "")
		m.table(t, "earlier terms are left out.")
	}
	if len(x.Sightings) > 0 {
		m.line("What objects, events, metrics and logs show:", "")
		m.table(x.SightingTable(mostRows), "earlier ones are left out.")
	}
	if len(x.Processes) > 0 {
		m.line("Who asked for the lock:", "")
		m.table(x.ProcessTable(mostRows), "others are left out.")
	}
	for _, f := range m.v.Figures(x) {
		m.line("- " + f[0] + ": " + markdownText(f[1]))
	}
	for i := range x.Timings {
		t := &x.Timings[i]
		m.line(fmt.Sprintf("- %s: %s, %s", t.Name, reports.Range(t.Low, t.High), markdownText(m.v.Inferred(t))))
	}
	for i := range x.Offsets {
		o := &x.Offsets[i]
		m.line(fmt.Sprintf("- to be added to the times of %s to get the API server's: %s", markdownText(m.v.Clock(o.Source)), reports.Range(o.Low, o.High)))
	}
	for _, n := range x.Notes {
		m.line("- " + markdownText(n))
	}
	m.line("")
}

// chapter adds a chapter of the story: its title after before, and its steps as a numbered list, each with the places where it stands in
// the logs, and when that was.
func (m *markdown) chapter(before string, c reports.Chapter) {
	m.line("#### "+before+markdownText(c.Title), "")
	for _, step := range c.Steps {
		text := markdownText(step.Text)
		if len(step.Where) > 0 {
			text += " (" + markdownText(strings.Join(step.Where, ", ")) + ")"
		}
		m.line("1. " + text)
	}
	m.line("")
}

// reasons adds why processes gave up or did not lead, in the words of their own logs: the last mostRows of them, and how many are
// left out.
func (m *markdown) reasons(x *reports.LockStory) {
	left := max(0, len(x.Reasons)-mostRows)
	if left > 0 {
		m.line(words.Count(left)+" earlier reasons in processes' logs are left out; -o json has all.", "")
	}
	for i := range x.Reasons[left:] {
		m.chapter("", m.v.ReasonChapter(x, &x.Reasons[left+i]))
	}
}

// together adds the changes of the holder at which two certainly worked at once, each with its evidence: the first mostRows of
// them, and how many are left out.
func (m *markdown) together(x *reports.LockStory) {
	all := x.Together()
	shown := all[:min(len(all), mostRows)]
	for _, p := range shown {
		m.chapter("Certain: ", m.v.PairChapter(x, x.TogetherTitle(&p), &p))
	}
	if left := len(all) - len(shown); left > 0 {
		m.line(words.Count(left)+" more are left out.", "")
	}
}

// open adds the last mostOpen changes of the holder at which two possibly worked at once or cannot have, each with its evidence.
// It then adds how many earlier ones are left out.
func (m *markdown) open(x *reports.LockStory) {
	all, left := x.Open(mostOpen)
	for i := range all {
		m.chapter("", m.v.PairChapter(x, x.PairTitle(&all[i]), &all[i]))
	}
	if left > 0 {
		m.line(words.Count(left)+" earlier changes of the holder at which two did not certainly work at once are left out.", "")
	}
}

// read adds the table of the files that were read, with how much of each was kept and skipped. It adds nothing if none was read.
func (m *markdown) read() {
	if len(m.v.Evidence.Sources) == 0 {
		return
	}
	m.line("<details><summary>What was read</summary>", "")
	m.head("file", "what", "lines or objects")
	for i := range m.v.Evidence.Sources {
		x := &m.v.Evidence.Sources[i]
		what, read := reports.Source(x)
		m.row(words.Visible(x.File, words.MaxName), strings.Join(append([]string{what}, x.Notes...), "; "), read)
	}
	m.line("", "</details>")
}
