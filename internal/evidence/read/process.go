package read

import (
	"bytes"
	"fmt"
	"regexp"
	"time"

	"interregnum/internal/evidence"
)

// origin matches what kubectl logs --prefix puts before a line.
var origin = regexp.MustCompile(`\A\[pod/([^/\]]+)/([^\]]*)\] `)

// runtimeHead matches what a container runtime puts between its stamp and the line: the stream, and F for a line or P for a part of one.
var runtimeHead = regexp.MustCompile(`\A(?:stdout|stderr) ([FP]) ?`)

// outer is what others, such as kubectl or a container runtime, have put before a line.
type outer struct {
	// process is the pod that they name, and container the container of it, "" if they name none.
	process, container string
	// stamp is theirs, if stamped.
	stamp   stamp
	stamped bool
	// part: the line goes on in the next one.
	part bool
}

// unwrap returns what kubectl or a container runtime has put before a line, and the rest of the line.
func (f *file) unwrap(line []byte) (o outer, rest []byte) {
	if m := origin.FindSubmatchIndex(line); m != nil {
		o.process, o.container, line = string(line[m[2]:m[3]]), string(line[m[4]:m[5]]), line[m[1]:]
	}
	if s, rest, ok := dockerLine(line, f.o.Zone); ok {
		o.stamp, o.stamped, line = s, true, rest
	}
	if line = tabbed(line); len(line) == 0 {
		return o, line
	}
	if s, rest, ok := parseISO(line, f.o.Zone); ok && !isConsole(line) {
		o.stamp, o.stamped, line = s, true, rest
		if m := runtimeHead.FindSubmatchIndex(line); m != nil {
			o.part, line = line[m[2]] == 'P', line[m[1]:]
		}
	}
	return o, line
}

// dockerLine takes a line apart that Docker has put into JSON: it returns Docker's stamp and the line itself. ok is false for
// any other line, or without a stamp.
func dockerLine(line []byte, zone *time.Location) (s stamp, rest []byte, ok bool) {
	if !bytes.HasPrefix(line, []byte(`{"log":`)) {
		return s, line, false
	}
	fields, _ := fieldsOf(line)
	if fields["stream"] == "" {
		return s, line, false
	}
	s, ok = fieldStamp(fields["time"], false, zone)
	return s, bytes.TrimSpace([]byte(fields["log"])), ok
}

// colours matches what makes a terminal write in colours, and journal what journalctl puts before a line.
var (
	colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)
	journal = regexp.MustCompile(`\A(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}) \S+ [^\s\[]+\[\d+\]: `)
)

// plain returns a line without colours. If journalctl has put something before a line that has a stamp of its own, plain removes
// that too.
func (f *file) plain(line []byte) []byte {
	if bytes.IndexByte(line, '\x1b') >= 0 {
		line = bytes.TrimSpace(colours.ReplaceAll(line, nil))
	}
	if at := journal.FindIndex(line); at != nil && at[1] < len(line) {
		if _, ok := parse(line[at[1]:], f.o.Zone); ok {
			return line[at[1]:]
		}
	}
	return line
}

// sterned takes a line apart that stern has put a pod and a container before, perhaps with a namespace before them or a stamp
// behind them. It returns the pod and the container in o, the message and its text; ok is false for any other line.
func (f *file) sterned(line []byte) (o outer, m message, rest []byte, ok bool) {
	for range 2 {
		if o.process, o.container, rest = stern(line); o.process == "" {
			return outer{}, m, line, false
		}
		if m, ok = parse(rest, f.o.Zone); ok {
			return o, m, rest, true
		}
		if _, own, stamped := parseISO(rest, f.o.Zone); stamped && len(own) > 0 {
			if m, ok = parse(own, f.o.Zone); ok {
				return o, m, own, true
			}
		}
		_, line, _ = bytes.Cut(line, []byte(" "))
	}
	return outer{}, m, line, false
}

// process keeps what a line of a process's log says of an election. It counts a line that has no stamp, or says nothing of one,
// as skipped.
func (f *file) process(line []byte) {
	if line = f.plain(line); len(line) == 0 {
		return
	}
	o, rest := f.unwrap(line)
	m, ok := message{}, false
	if len(rest) > 0 {
		m, ok = parse(rest, f.o.Zone)
	}
	if !ok && o.process == "" && !o.stamped {
		var named outer
		if named, m, rest, ok = f.sterned(rest); ok {
			o.process, o.container = named.process, named.container
		}
	}
	if o.process == "" {
		o.process, o.container = f.pod()
	}
	if !ok && !o.stamped {
		f.unrecognised(line)
		return
	}
	s := f.in(o.process, o.container, evidence.Log)
	if len(s.part) > 0 || o.part {
		if rest, ok = s.join(rest, o.part); !ok {
			return
		}
		m, ok = parse(rest, f.o.Zone)
	}
	s.read(&m, ok, &o, rest)
}

// join adds a part to a line that the container runtime has cut. more is true if another part follows: then join returns false.
// After the last part it returns the whole line, and false if that is blank.
func (s *stream) join(rest []byte, more bool) ([]byte, bool) {
	if len(s.part)+len(rest) < MaxLine {
		s.part = append(s.part, rest...)
	}
	if more {
		return nil, false
	}
	whole := bytes.TrimSpace(s.part)
	s.part = nil
	return whole, len(whole) > 0
}

// read keeps what a line says of an election, and the silence before it if that was long. If own is true, m is the parsed line,
// with its own stamp. Otherwise the stamp is that of o, and read takes the line for a message of klog.
func (s *stream) read(m *message, own bool, o *outer, line []byte) {
	if !own {
		m.stamp = o.stamp
		if elections.Match(line) {
			m.structured(string(line))
		}
	}
	s.resolve(&m.stamp, o)
	s.silence(m.at)
	s.widen(m.at)
	said, ok := m.say()
	if !ok {
		s.skip("lines that say nothing of an election")
		return
	}
	s.at().Lines++
	said.Place, said.Relayed = s.place(), !own
	s.e.Sayings = append(s.e.Sayings, said)
}

// resolve completes a stamp that has no year or no zone, changes it to UTC, and notes what it assumes. It takes the year from
// the stamp that others have put before the line, or from earlier lines that have one. Without either, the stamps keep a year
// that setYears corrects later; a stamp that is more than 180 days before the last one begins a new year.
func (s *stream) resolve(m *stamp, o *outer) {
	if m.zoneless {
		s.assume(fmt.Sprintf("its stamps name no time zone: they are taken for %s", s.o.Zone))
	}
	switch {
	case m.yearless && o.stamped && !o.stamp.yearless:
		s.date(o.stamp.at)
		m.at, m.yearless = nearest(m.at, o.stamp.at), false
	case m.yearless && s.dated:
		m.at, m.yearless = nearest(m.at, s.last), false
	case !m.yearless:
		s.date(m.at)
	}
	if m.yearless {
		if _, known := s.yearless[s.source]; !known {
			s.yearless[s.source] = s.modified
		}
		m.at = m.at.AddDate(s.years, 0, 0)
		if !s.last.IsZero() && s.last.Sub(m.at) > 180*24*time.Hour {
			s.years++
			m.at = m.at.AddDate(1, 0, 0)
		}
	}
	m.at = m.at.UTC()
}

// date is called when a line has a year; at is the time of its stamp. It gives a year to the earlier lines of the source, if
// these have none, and adds a note on that to the source.
func (s *stream) date(at time.Time) {
	if s.dated = true; s.last.IsZero() {
		return
	}
	if _, lacks := s.yearless[s.source]; !lacks {
		return
	}
	delete(s.yearless, s.source)
	years := nearest(s.last, at).Year() - s.last.Year()
	s.last = s.last.AddDate(years, 0, 0)
	s.shift(s.source, years)
	s.assume(fmt.Sprintf("some of its stamps have no year: %d is taken for the first one, as in its other lines", s.at().First.Year()))
}

// nearest returns at in the year that brings it nearest to the time to.
func nearest(at, to time.Time) time.Time {
	best := at.AddDate(to.Year()-at.Year(), 0, 0)
	for _, years := range []int{-1, 1} {
		if other := at.AddDate(to.Year()+years-at.Year(), 0, 0); other.Sub(to).Abs() < best.Sub(to).Abs() {
			best = other
		}
	}
	return best
}

// mostSilences is how many silences of one log are kept at most. If there are more, the shorter ones are dropped.
const mostSilences = 20_000

// silence keeps the time since the line before, if it is long enough, and stores at as the time of this line. If too many
// silences are kept, it doubles the least length and drops the shorter ones.
func (s *stream) silence(at time.Time) {
	before := s.last
	s.last = at
	if before.IsZero() || at.Sub(before) < s.silent {
		return
	}
	s.e.Silences = append(s.e.Silences, evidence.Silence{Place: s.place(), From: before, Until: at})
	if s.silences++; s.silences < mostSilences {
		return
	}
	s.silent *= 2
	kept := s.e.Silences[:0]
	s.silences = 0
	for _, x := range s.e.Silences {
		if x.Source == s.source && x.Until.Sub(x.From) < s.silent {
			continue
		}
		if x.Source == s.source {
			s.silences++
		}
		kept = append(kept, x)
	}
	s.e.Silences = kept
}

// stern returns the pod and the container in a line of stern, and the rest behind them. pod is "" if the line is not of that form;
// rest is then the whole line.
func stern(line []byte) (pod, container string, rest []byte) {
	first, rest, _ := bytes.Cut(line, []byte(" "))
	second, after, ok := bytes.Cut(rest, []byte(" "))
	if !ok || !podName.Match(first) {
		return "", "", line
	}
	return string(first), string(second), bytes.TrimSpace(after)
}

// podName matches the name of a pod.
var podName = regexp.MustCompile(`\A[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?\z`)

// unrecognised counts a line without a stamp as skipped: half a line, a line of a stack trace, or something else.
func (f *file) unrecognised(line []byte) {
	f.remember(line)
	f.skip("lines without a stamp")
}

// end counts as skipped the lines of which the last part never came. It is called at the end of the file.
func (f *file) end() {
	for _, s := range f.streams {
		if len(s.part) > 0 {
			s.part = nil
			s.skip("lines that are not whole")
		}
	}
}
