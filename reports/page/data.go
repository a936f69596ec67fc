package page

import (
	"fmt"

	"interregnum/internal/trace"
	"interregnum/reports/internal/words"
)

// pageData is the data of the page's script. Requests and notes are lists of numbers, to be short. requestTuple, data and
// the script say what each number means.
type pageData struct {
	Horizon    int64     `json:"horizon"`
	Candidates []string  `json:"candidates"`
	Kinds      []string  `json:"kinds"`
	Verbs      []string  `json:"verbs"`
	Texts      []string  `json:"texts"`
	Requests   [][]int64 `json:"requests"`
	Notes      [][]int64 `json:"notes"`
}

// texts numbers texts, so that the data has each text only once.
type texts struct {
	all    []string
	number map[string]int64
}

// of returns the number of a text, and adds the text if it is new.
func (t *texts) of(s string) int64 {
	if n, ok := t.number[s]; ok {
		return n
	}
	n := int64(len(t.all))
	t.all, t.number[s] = append(t.all, s), n
	return n
}

// data returns the data of the page's script: the horizon, the candidates, the names of kinds of events and of verbs, the requests
// and notes that were kept, and the texts to which they refer by number.
func (p *Page) data() *pageData {
	d := &pageData{Horizon: int64(p.Header.Horizon), Requests: [][]int64{}, Notes: [][]int64{}}
	for i := range p.Header.Candidates {
		d.Candidates = append(d.Candidates, words.Visible(p.Header.Candidates[i].Name(), words.MaxLabel))
	}
	for k := range trace.Kinds {
		d.Kinds = append(d.Kinds, trace.Kind(k).String())
	}
	for v := range trace.Verbs {
		d.Verbs = append(d.Verbs, trace.Verb(v).String())
	}
	t := texts{number: map[string]int64{}}
	for _, r := range p.requests.all {
		d.Requests = append(d.Requests, p.requestTuple(r, &t))
	}
	for i := range p.notes.all {
		n := &p.notes.all[i]
		d.Notes = append(d.Notes, []int64{n.At, int64(n.Seq), int64(n.Candidate), int64(n.Kind), t.of(p.describe(n))})
	}
	d.Texts = t.all
	return d
}

// requestTuple returns a request as numbers, in this order: candidate, verb, fate, time sent and its sequence; for the
// arrival and for the end, how much later than sent (-1 if it did not happen), its sequence and its kind; for giving up, how
// much later and its sequence; then status, version, and the numbers in t of the texts of holder and cause. If there are
// several objects or records, the number of the object's text (-1 if all are Leases) and the record's index follow.
func (p *Page) requestTuple(r *request, t *texts) []int64 {
	later := func(at int64) int64 {
		if at == none {
			return none
		}
		return at - r.sent
	}
	arrival, ending := int64(r.arrival), int64(r.ending)
	if r.arrived == none {
		arrival = 0
	}
	version := int64(0)
	if r.wrote {
		version = int64(r.version)
	}
	tuple := []int64{int64(r.candidate), int64(r.verb), int64(r.fate()), r.sent, int64(r.sentSeq),
		later(r.arrived), int64(r.arriveSeq), arrival, later(r.done), int64(r.doneSeq), ending,
		later(r.gaveUp), int64(r.giveUpSeq), int64(r.status), version, t.of(words.Visible(r.holder, words.MaxLabel)),
		t.of(causeText(r.cause))}
	object := int64(none)
	if p.Several() {
		object = t.of(r.object.String())
	}
	if p.Several() || len(p.Records) > 1 {
		tuple = append(tuple, object, int64(p.RecordIndex(&trace.Event{Candidate: r.candidate, Object: r.object})))
	}
	return tuple
}

// noteRow is a row of the table of events that the page shows without a script.
type noteRow struct{ At, Who, Kind, What string }

// maxStaticRows is how many rows that table has at most.
const maxStaticRows = 300

// rows returns the table of events that the page shows without a script: the first maxStaticRows events of the highest
// importance.
func (p *Page) rows() []noteRow {
	var rows []noteRow
	for i := range p.notes.all {
		n := &p.notes.all[i]
		if importance(n.Kind) < 2 {
			continue
		}
		if len(rows) == maxStaticRows {
			break
		}
		who := ""
		if n.Candidate != trace.Nobody {
			who = words.Visible(p.Header.Candidates[n.Candidate].Name(), words.MaxLabel)
		}
		rows = append(rows, noteRow{exact(n.At), who, n.Kind.String(), p.describe(n)})
	}
	return rows
}

// exact formats an instant in seconds, to the microsecond.
func exact(ns int64) string { return fmt.Sprintf("%d.%06d", ns/1e9, ns%1e9/1000) }

// omitted returns a sentence for each sort of thing that the page leaves out and, if there is any, one that says how to get
// all events.
func (p *Page) omitted(c *chart) []string {
	var all []string
	say := func(format string, a ...any) { all = append(all, fmt.Sprintf(format, a...)) }
	if c.Others > 0 {
		say("%s of %s candidates have lanes of their own, those first who were part of a violation or led; "+
			"the others share one.", words.Count(len(c.shown)), words.Count(len(p.Candidates)))
	}
	if kept := len(p.requests.all); kept < p.requests.total {
		say("%s of %s requests are shown one by one: those around overlaps, those that failed and the latest ones. "+
			"All are counted in the lane of all requests.", words.Count(kept), words.Count(p.requests.total))
	}
	if kept := len(p.notes.all); kept < p.notes.total {
		say("%s of %s other events are listed.", words.Count(kept), words.Count(p.notes.total))
	}
	if c.left > 0 {
		say("%s shorter violations are not drawn.", words.Count(c.left))
	}
	if c.condensed {
		say("Stretches that lie close together are drawn as one.")
	}
	if len(all) > 0 {
		say("--trace FILE writes every event.")
	}
	return all
}
