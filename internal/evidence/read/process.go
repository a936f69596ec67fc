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

// envLogger matches the beginning of a line of Rust's env_logger, whose stamp stands behind a bracket.
var envLogger = regexp.MustCompile(`\A\[\d{4}-\d\d-\d\dT[\d:.]+Z (?:TRACE|DEBUG|INFO|WARN|ERROR) `)

// runtimeHead matches what a container runtime puts between its stamp and the line: the stream, and F for a line or P for a part of one.
var runtimeHead = regexp.MustCompile(`\A(?:stdout|stderr) ([FP]) ?`)

// outer is what others, such as kubectl or a container runtime, have put before a line or around it.
type outer struct {
	// process is the pod that they name, and container the container of it, "" if they name none. host and program are what a journal
	// names.
	process, container, host, program string
	// stamp is theirs, if stamped.
	stamp   stamp
	stamped bool
	// fields are the fields beside the line in a record, and from is the source file that they name.
	fields map[string]string
	from   string
	// part: the line goes on in the next one.
	part bool
	// vague: what stands before the line has no known form, so that the line may be another's.
	vague bool
}

// mostLayers is how many wrappers are taken off a line at most.
const mostLayers = 4

// open takes off what others have put before a line, or around it, and keeps it in o. It returns the line without that and,
// if the line has a stamp of its own, its message; ok is false otherwise. layers is how many records and journals' beginnings
// it takes off at most.
func (f *file) open(o *outer, line []byte, layers int) (m message, rest []byte, ok bool) {
	if line = f.unwrap(o, line); len(line) == 0 {
		return m, line, false
	}
	var t tree
	if line[0] == '{' {
		t = treeOf(line)
	}
	if inner, from, found := collected(t, f.o.Zone); found && layers > 0 {
		within := *o
		within.wrap(&from.outer)
		if m, rest, ok = f.open(&within, inner, layers-1); ok || from.sure && within.stamped {
			*o = within
			return m, rest, ok
		}
	}
	if line[0] == '{' {
		m, ok = parseJSON(t, line, f.o.Zone)
	} else {
		m, ok = parse(line, f.o.Zone)
	}
	if ok {
		return m, line, true
	}
	if o.process == "" && !o.stamped {
		var named outer
		if named, m, rest, ok = f.sterned(line); ok {
			o.process, o.container = named.process, named.container
			return m, rest, true
		}
	}
	if from, inner := journaled(line, o.stamped, f.o.Zone); len(inner) > 0 && layers > 0 {
		o.wrap(&from)
		return f.open(o, inner, layers-1)
	}
	if from, inner := headed(line, f.o.Zone); len(inner) > 0 {
		o.wrap(&from)
		m, ok = parse(inner, f.o.Zone)
		return m, inner, ok
	}
	return m, line, false
}

// wrap adds what an inner wrapper says; its names take the place of the outer ones. Of two stamps it keeps the one with a year and a
// zone, or else the outer one.
func (o *outer) wrap(in *outer) {
	for _, text := range []struct{ to, from *string }{
		{&o.process, &in.process}, {&o.container, &in.container}, {&o.host, &in.host}, {&o.program, &in.program},
	} {
		if *text.from != "" {
			*text.to = *text.from
		}
	}
	if in.stamped && (!o.stamped || o.stamp.yearless || o.stamp.zoneless && !in.stamp.zoneless) {
		o.stamp, o.stamped = in.stamp, true
	}
	if in.fields != nil {
		o.fields, o.from = in.fields, in.from
	}
	o.vague = o.vague || in.vague
}

// unwrap returns the rest of a line before which kubectl or a container runtime have put something, which it keeps in o.
func (f *file) unwrap(o *outer, line []byte) []byte {
	if m := origin.FindSubmatchIndex(line); m != nil {
		o.process, o.container, line = string(line[m[2]:m[3]]), string(line[m[4]:m[5]]), line[m[1]:]
	}
	if line = tabbed(line); len(line) == 0 {
		return line
	}
	if line[0] == '[' && envLogger.Match(line) {
		line = line[1:]
	}
	if s, rest, ok := parseISO(line, f.o.Zone); ok && !isConsole(line) {
		o.wrap(&outer{stamp: s, stamped: true})
		line = rest
		if m := runtimeHead.FindSubmatchIndex(line); m != nil {
			o.part, line = line[m[2]] == 'P', line[m[1]:]
		}
	}
	return line
}

// colours matches what makes a terminal write in colours.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// plain returns a line without colours.
func plain(line []byte) []byte {
	if bytes.IndexByte(line, '\x1b') >= 0 {
		line = bytes.TrimSpace(colours.ReplaceAll(line, nil))
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
	if line = plain(line); len(line) == 0 || f.preamble(line) {
		return
	}
	var o outer
	f.said(&o, line)
}

// said keeps what a line of the file says. Others have put something before the line or around it: o has what is known of
// that already, and said adds to o what the line still has of it. A line that is not recognised is counted as such.
func (f *file) said(o *outer, line []byte) {
	m, rest, ok := f.open(o, line, mostLayers)
	if o.process == "" {
		o.process, o.container = f.pod, f.container
	}
	if !ok && !o.stamped {
		f.unrecognised(line)
		return
	}
	s := f.source(o, rest)
	if len(s.part) > 0 || o.part {
		if rest, ok = s.join(rest, o.part); !ok {
			return
		}
		m, ok = parse(rest, f.o.Zone)
	}
	s.read(&m, ok, o, rest)
}

// source returns the stream of a line: that of its process or, if a journal names a program on a host, that of the program as
// soon as one of its lines is perhaps about an election.
func (f *file) source(o *outer, line []byte) *stream {
	if o.process != "" || o.host == "" {
		return f.in(o.process, o.container, evidence.Log)
	}
	key := "journal " + o.host + " " + o.program
	if s := f.streams[key]; s != nil {
		return s
	}
	if !electoral(line) {
		return f.of("", evidence.Log)
	}
	s := f.add(key, "", "", evidence.Log)
	s.hosted[s.source] = o.host
	return s
}

// join adds a part to a line that the container runtime has cut; it drops a part with which the line would reach MaxLine. more is
// true if another part follows: then join returns false. After the last part it returns the whole line, and false if that is blank.
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

// read keeps what a line says of an election, the silence before it if that was long, and the name that the process says it has. If
// own is true, m is the parsed line, with its own stamp. Otherwise the stamp is that of o, and read takes the line for a message of
// klog, or for one in logfmt. A line that says nothing of an election counts as skipped.
func (s *stream) read(m *message, own bool, o *outer, line []byte) {
	if !own {
		m.stamp = o.stamp
		if electoral(line) {
			m.stampless(line)
			m.beside(o)
		}
	}
	s.resolve(&m.stamp, o)
	s.silence(m.at, m.unit)
	s.widen(m.at)
	if id := m.own(); id != "" && !o.vague {
		s.call(id)
	}
	if n, ok := m.notice(); ok {
		s.at().Lines++
		n.Place, n.Relayed = s.place(), !own
		s.e.Notices = append(s.e.Notices, n)
		return
	}
	said, ok := m.say()
	if !ok {
		s.skip("lines that say nothing of an election")
		return
	}
	s.at().Lines++
	said.Place, said.Relayed, said.Strange = s.place(), !own, o.vague
	if said.Strange {
		s.assume("before some of its lines stands what has no known form, so that they may be another's: nothing is certain of it")
	}
	s.e.Sayings = append(s.e.Sayings, said)
}

// resolve completes a stamp that has no year or no zone, changes it to UTC, and notes what it assumes. It takes the year from
// the stamp that others have put before the line, or from earlier lines that have one. Without either, the stamps keep a year
// that setYears corrects later; a stamp that is more than halfYear before the last one begins a new year and, in a file with
// the newest line first, one that is more than halfYear after the last one belongs to the year before.
func (s *stream) resolve(m *stamp, o *outer) {
	s.zone(m, o)
	switch {
	case m.yearless && o.stamped && !o.stamp.yearless:
		s.date(o.stamp.at)
		m.at, m.yearless = nearest(m.at, o.stamp.at), false
	case m.yearless && s.dated && !s.last.IsZero():
		m.at, m.yearless = nearest(m.at, s.last), false
	case m.yearless && s.dated:
		m.at, m.yearless = nearest(m.at, s.begun), false
	case !m.yearless:
		s.date(m.at)
	}
	if m.yearless {
		if _, known := s.yearless[s.source]; !known {
			s.yearless[s.source] = s.modified
		}
		m.at = m.at.AddDate(s.years, 0, 0)
		switch n := s.order(); {
		case !s.last.IsZero() && s.last.Sub(m.at) > halfYear:
			s.years++
			m.at = m.at.AddDate(1, 0, 0)
		case n.falls > n.rises && m.at.Sub(s.last) > halfYear:
			s.years--
			m.at = m.at.AddDate(-1, 0, 0)
		}
	}
	m.at = m.at.UTC()
}

// halfYear is how far apart two lines are at least between which a year begins, if their stamps have none.
const halfYear = 180 * 24 * time.Hour

// date is called when a line has a year; at is the time of its stamp. It gives a year to the earlier lines of the source, if
// these have none, and adds a note on that to the source.
func (s *stream) date(at time.Time) {
	if s.dated {
		return
	}
	if s.dated = true; s.last.IsZero() {
		s.begun = at
		return
	}
	if _, lacks := s.yearless[s.source]; !lacks {
		return
	}
	delete(s.yearless, s.source)
	years := nearest(s.last, at).Year() - s.last.Year()
	s.last = s.last.AddDate(years, 0, 0)
	s.shift(s.source, func(t time.Time) time.Time { return t.AddDate(years, 0, 0) })
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

// silence keeps the time between the line before and this one, whose stamp is at, if it is long enough. If too many silences
// are kept, it doubles the least length and drops the shorter ones. In a file whose stamps descend a silence ends where the
// line before begins; until the order is known, it is kept as it stands, and ends before it begins.
func (s *stream) silence(at time.Time, unit time.Duration) {
	before := s.last
	s.follow(at, unit)
	if before.IsZero() || at.Sub(before).Abs() < s.silent {
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
		if x.Source == s.source && x.Until.Sub(x.From).Abs() < s.silent {
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
	if f.tabled(line) {
		return
	}
	f.remember(line)
	f.skip("lines without a stamp")
}

// end counts as skipped the lines of which the last part never came. It is called at the end of the file.
func (f *file) end() {
	f.described()
	for _, s := range f.streams {
		if len(s.part) > 0 {
			s.part = nil
			s.skip("lines that are not whole")
		}
	}
}
