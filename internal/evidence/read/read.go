// Package read reads what people have of a cluster into evidence: audit logs of API servers, logs of processes in the formats of klog, zap,
// slog and logr, as files, as kubectl logs prints them, as stern does or as the container runtime keeps them; and Kubernetes events, Leases
// and answers of Prometheus as JSON or YAML.
//
// Each line is recognised by itself. What says nothing of an election is counted and not kept, so that memory grows with what is said
// of elections, and not with the logs. Names and messages are kept as they are: whoever prints them cleans them.
package read

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"time"

	"interregnum/internal/evidence"
)

// Options says what logs leave out.
type Options struct {
	// Year is that of the first stamp that has none, as those of klog; 0 if it is to be found from other stamps or from the file's.
	Year int
	// Zone is that of stamps without one; nil is what other stamps in the file show, or else UTC.
	Zone *time.Location
}

// File is a log, or another file, to be read.
type File struct {
	Name string
	io.Reader
	// Modified is when the file was last written; zero if that is not known.
	Modified time.Time
}

// Reader reads files, one after the other, and collects their evidence.
type Reader struct {
	o Options
	e evidence.Evidence
	// locks are the objects in which a record was seen.
	locks map[evidence.Lock]bool
	// audited are the identifiers of the audit events that were kept, since the same one may stand in two files. texts are those that
	// many requests have.
	audited map[[16]byte]bool
	texts   map[string]string
	// yearless are the sources whose stamps have no year, with the file's time.
	yearless map[int]time.Time
	// named are the sources whose process is only known by their file's name, by the host that a journal names (hosted), or by the name
	// that their own lines say that they have in records (called; "" if they say several).
	named          []int
	hosted, called map[int]string
	// orders says of each source of process logs in which order its stamps are.
	orders map[int]*order
	// zoned: stamps without a zone are in the one of Options, whatever stands beside them.
	zoned bool
}

// New returns a reader that has read nothing.
func New(o Options) *Reader {
	zoned := o.Zone != nil
	if !zoned {
		o.Zone = time.UTC
	}
	return &Reader{o: o, zoned: zoned, locks: map[evidence.Lock]bool{}, audited: map[[16]byte]bool{}, texts: map[string]string{}, yearless: map[int]time.Time{},
		hosted: map[int]string{}, called: map[int]string{}, orders: map[int]*order{}}
}

// Read reads a file, which can be compressed with gzip. It returns an error if the file cannot be read to its end, or if nothing
// in it was recognised. What was read before the error stays in the evidence.
func (r *Reader) Read(f File) error {
	b, err := Plain(f.Reader)
	if err != nil {
		return fmt.Errorf("%s: cannot be read: %w", f.Name, err)
	}
	in := &file{Reader: r, name: f.Name, modified: f.Modified, streams: map[string]*stream{}}
	in.pod, in.container = podOf(f.Name)
	begin, _ := b.Peek(64 << 10)
	switch {
	case isYAML(begin):
		err = in.yaml(b)
	case IsExport(b):
		err = in.export(b)
	case isLongJSON(begin):
		err = in.json(b)
	default:
		err = in.lines(b)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if !in.known {
		return fmt.Errorf("%s: want an audit log, a log of a process, Leases, events or an answer of Prometheus; got %s", f.Name, in.first())
	}
	return nil
}

// file is the state of reading a file.
type file struct {
	*Reader
	name     string
	modified time.Time
	// pod and container are whose log the file is, by its path; "" if that does not say it.
	pod, container string
	// line is the number of the line, or of the object, that is being read.
	line int
	// known: something in the file was recognised.
	known bool
	// description is the object that kubectl describe has printed, if it is being read; table: lines without a stamp are of a table.
	description *description
	table       bool
	// columns are the names of the columns, if the file is the results of a query in CSV.
	columns []string
	// unknown says what the first line is that was not; "" for no such line.
	unknown string
	streams map[string]*stream
}

// first returns a text for an error: what the first line is that was not recognised, or "an empty file".
func (f *file) first() string {
	if f.unknown == "" {
		return "an empty file"
	}
	return f.unknown
}

// remember stores in f.unknown what sort of text the line is, if it is the first one that was not recognised. It does not keep
// the line itself, since that perhaps has secrets. The line must not be empty.
func (f *file) remember(line []byte) {
	switch {
	case f.unknown != "":
	case json.Valid(line):
		f.unknown = "JSON of another kind"
	case line[0] == '{' || jsonField.Match(line):
		f.unknown = "part of some JSON"
	default:
		f.unknown = "text of another kind"
	}
}

// jsonField matches a field of an object in JSON.
var jsonField = regexp.MustCompile(`(?:\A|[{,])\s*"[^"]*"\s*:`)

// lines reads a file line by line. It returns an error only if a line cannot be read.
func (f *file) lines(b *bufio.Reader) error {
	var line []byte
	for {
		f.line++
		var long bool
		var err error
		line, long, err = Line(b, line[:0])
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("line %d cannot be read: %w", f.line, err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 && !f.describes(line) {
			f.text(text, long)
		}
		if err != nil {
			f.end()
			return nil
		}
	}
}

// export reads a file that is an export in one piece, each entry as a line. If the export is broken, it returns an error if
// nothing was recognised before, and otherwise counts that as skipped.
func (f *file) export(b *bufio.Reader) error {
	err := Export(b, func(entry []byte) {
		f.line++
		f.text(entry, len(entry) > MaxLine)
	})
	if err != nil && f.known {
		f.skip("exports that are not whole")
		err = nil
	}
	f.end()
	return err
}

// text keeps what a line says, by its kind: an audit event, an object, or a line of a process's log. The line must not be blank.
// A line that is too long (long is true) it counts as skipped.
func (f *file) text(line []byte, long bool) {
	if long {
		why := fmt.Sprintf("lines longer than %d MiB", MaxLine>>20)
		f.unknown = cmp.Or(f.unknown, why)
		f.skip(why)
		return
	}
	if f.line == 1 {
		if f.columns = header(line); f.columns != nil {
			return
		}
	}
	if row := f.auditRow(line); row != nil {
		line = row
	}
	switch event := AuditIn(line); {
	case isGoogle(line):
		f.google(line)
	case event != nil:
		f.eventIn(line, event)
	case line[0] == '{' && isObject(line):
		f.object(line)
	default:
		f.process(line)
	}
}

// skip counts a line or an object of which nothing is kept, with the reason, in the file's source of process logs that name no
// process.
func (f *file) skip(why string) { f.of("", evidence.Log).skip(why) }

// stream is a source that is being read: all of a file, or what one process has written into it.
type stream struct {
	*file
	source int
	// last is the stamp of the line before, and unit how fine it is.
	last time.Time
	unit time.Duration
	// dated: a line has had a year. begun is then the time that it had, if it was the first one.
	dated bool
	begun time.Time
	// ahead is by how much stamps without a zone are ahead of UTC, if shown; bare and whole: some stamps had no zone, some had one.
	ahead              time.Duration
	shown, bare, whole bool
	// years is how often stamps without a year have begun a new one.
	years int
	// silent is how long a silence lasts at least that is kept, and silences are how many were.
	silent   time.Duration
	silences int
	// part is the beginning of a line that the container runtime has cut.
	part []byte
}

// of returns the stream for what a process has written into the file, of that kind. At the first call it makes the stream and
// its source. process is "" for all that names no process.
func (f *file) of(process string, kind evidence.Kind) *stream { return f.in(process, "", kind) }

// in returns the stream as of does, for what a container of a pod has written; container is "" if that is not known.
func (f *file) in(process, container string, kind evidence.Kind) *stream {
	key := string(kind) + " " + process + " " + container
	if s := f.streams[key]; s != nil {
		return s
	}
	return f.add(key, process, container, kind)
}

// add makes a stream and its source, under that key in f.streams. A process log without a process is also added to f.named.
func (f *file) add(key, process, container string, kind evidence.Kind) *stream {
	s := &stream{file: f, source: len(f.e.Sources), silent: time.Second}
	f.e.Sources = append(f.e.Sources, evidence.Source{File: f.name, Kind: kind, Process: process, Container: container})
	f.streams[key] = s
	if kind == evidence.Log && process == "" {
		f.named = append(f.named, s.source)
	}
	return s
}

// at returns the source's entry in the evidence.
func (s *stream) at() *evidence.Source { return &s.e.Sources[s.source] }

// place returns the place of the present line.
func (s *stream) place() evidence.Place { return evidence.Place{Source: s.source, Line: s.line} }

// skip counts a line, or an object, of which nothing is kept, in the source, with the reason.
func (s *stream) skip(why string) {
	s.at().Lines++
	countSkipped(s.at(), why)
}

// countSkipped counts a line of a source as skipped, with the reason.
func countSkipped(x *evidence.Source, why string) {
	for i := range x.Skipped {
		if x.Skipped[i].Why == why {
			x.Skipped[i].Count++
			return
		}
	}
	x.Skipped = append(x.Skipped, evidence.Skipped{Why: why, Count: 1})
}

// count counts a line, or an object, that was recognised, in the source. If its time is not zero, it extends the source's times.
func (s *stream) count(at time.Time) {
	s.at().Lines++
	s.widen(at)
}

// widen marks the file as recognised. If at is not zero, it extends the source's times so that they include it.
func (s *stream) widen(at time.Time) {
	s.known = true
	x := s.at()
	if at.IsZero() {
		return
	}
	if x.First.IsZero() || at.Before(x.First) {
		x.First = at
	}
	x.Last = later(x.Last, at)
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// assume adds a note on what was assumed to the source, unless it is there already.
func (s *stream) assume(text string) { s.at().Note(text) }
