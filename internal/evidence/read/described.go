package read

import (
	"bytes"
	"cmp"
	"regexp"
	"strconv"
	"time"

	"interregnum/internal/evidence"
)

// description is an object as kubectl describe prints it, as far as it was read.
type description struct {
	// line is where it begins, and section the last field that was not indented.
	line    int
	section string
	// values has those of describedNames that were read.
	values map[string]string
	// over: its events have begun, and rows is how many lines of their table there were.
	over bool
	rows int
}

// describedField matches a field in a description. The groups are its indentation, its name and its value.
var describedField = regexp.MustCompile(`\A( *)([A-Z][A-Za-z ]*):(?: +(\S.*?))?\s*\z`)

// tableHead matches the heads of the tables that kubectl get prints of Leases and of events.
var tableHead = regexp.MustCompile(`\A(?:NAMESPACE +)?(?:NAME +HOLDER +AGE|LAST SEEN +TYPE +REASON +)`)

// Why tables are skipped.
const (
	tableRow = "rows of a table of kubectl, which has ages and no times: want -o yaml"
	agedOnly = "events with ages in place of times: want kubectl get events -o yaml"
)

// describes tells whether a line is of a description, and keeps what it says. A description begins with the name of its object and lasts until the first line
// that is neither indented nor a field.
func (f *file) describes(line []byte) bool {
	if f.description == nil && !bytes.HasPrefix(line, []byte("Name:")) {
		return false
	}
	m := describedField.FindSubmatch(line)
	indented := len(line) > 0 && (line[0] == ' ' || line[0] == '\t')
	switch {
	case m != nil && !indented && string(m[2]) == "Name" && len(m[3]) > 0:
		f.described()
		f.description = &description{line: f.line, values: map[string]string{"Name": string(m[3])}}
		return true
	case f.description == nil:
		return false
	case m == nil && !indented:
		f.described()
		return false
	}
	f.description.add(m, indented)
	return true
}

// add adds a line to a description; m is its field, nil if it has none.
func (d *description) add(m [][]byte, indented bool) {
	switch {
	case d.over:
		d.rows++
	case m == nil:
	case !indented:
		d.section = string(m[2])
		d.over = d.section == "Events"
		d.keep("", m)
	case len(m[1]) == 2:
		d.keep(d.section, m)
	}
}

// describedNames are the fields of a description that are read, and the sections that they are in; "" if they are in none.
var describedNames = map[string]string{
	"Namespace": "", "API Version": "", "Kind": "", "Resource Version": "Metadata",
	"Acquire Time": "Spec", "Holder Identity": "Spec", "Lease Duration Seconds": "Spec", "Lease Transitions": "Spec", "Renew Time": "Spec",
}

// keep keeps the field m of a section, if it is one that is read.
func (d *description) keep(section string, m [][]byte) {
	if in, read := describedNames[string(m[2])]; read && in == section {
		d.values[string(m[2])] = string(m[3])
	}
}

// described keeps the record of the description that has been read, if it is a Lease's. Its events it counts as skipped, since they have no times.
func (f *file) described() {
	d := f.description
	if f.description = nil; d == nil {
		return
	}
	if d.values["Kind"] != "Lease" || !coordination.MatchString(d.values["API Version"]) {
		f.unknown = cmp.Or(f.unknown, "a description of another object than a Lease")
		f.of("", evidence.Objects).skip("descriptions of other objects")
		return
	}
	s := f.of("", evidence.Objects)
	s.known = true
	if events := d.rows - 2; events > 0 { // below the head and a line
		for range events {
			f.of("", evidence.Events).skip(agedOnly)
		}
	}
	record, ok := d.record()
	lock := evidence.Lock{Resource: "leases", Namespace: d.values["Namespace"], Name: d.values["Name"]}
	switch {
	case !ok:
		s.skip(broken)
		return
	case lock.Namespace == nodes:
		s.skip("objects that are no locks")
		return
	}
	s.count(time.Time{})
	s.locks[lock] = true
	s.e.Snapshots = append(s.e.Snapshots, evidence.Snapshot{Place: evidence.Place{Source: s.source, Line: d.line}, Lock: lock, Record: record, Version: d.values["Resource Version"]})
}

// coordination matches the versions of the API that has Leases.
var coordination = regexp.MustCompile(`\Acoordination\.k8s\.io/v1(?:beta1)?\z`)

// record returns the record in a description; ok is false if a value is not of its form. A field that is missing has no value.
func (d *description) record() (r evidence.Record, ok bool) {
	r.Holder, ok = d.values["Holder Identity"], true
	for name, to := range map[string]*time.Time{"Acquire Time": &r.Acquire, "Renew Time": &r.Renew} {
		if text := d.values[name]; text != "" {
			at, err := time.Parse(time.RFC3339Nano, text)
			*to, ok = at, ok && err == nil
		}
	}
	number := func(name string) int {
		text := d.values[name]
		if text == "" {
			return 0
		}
		n, err := strconv.ParseUint(text, 10, 31)
		ok = ok && err == nil
		return int(n)
	}
	r.Duration, r.Transitions = time.Duration(number("Lease Duration Seconds"))*time.Second, number("Lease Transitions")
	return r, ok
}

// tabled tells whether a line without a stamp is of a table that kubectl get prints, and counts a row as skipped. From the
// head of a table on, each line without a stamp is a row.
func (f *file) tabled(line []byte) bool {
	if tableHead.Match(line) {
		f.table = true
		f.unknown = cmp.Or(f.unknown, "a table of kubectl, which has ages and no times: -o yaml has times")
		return true
	}
	if f.table {
		f.skip(tableRow)
	}
	return f.table
}
