package trace

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"interregnum/internal/phrase"
)

// Reader reads what a Writer wrote. It takes nothing for granted: an event that it returns names a candidate of the
// header, is not before the one that it follows, and lies within the horizon. Use NewReader.
type Reader struct {
	lines *bufio.Reader
	line  int
	// at and seq are those of the event before.
	at         int64
	seq        uint64
	header     *Header
	candidates map[candidateID]int32
}

// candidateID identifies an entry of Header.Candidates, as lines of a trace file name it.
type candidateID struct{ id, election string }

// The bounds of what a Reader accepts: the longest line, in bytes, and times and drifts that no scenario exceeds.
const (
	maxLine     = 16 << 20
	maxTime     = 10 * 366 * 24 * time.Hour
	maxDriftPPM = 9_000_000
)

// NewReader reads the header of a trace from r. It is an error if there is none, if it is of another schema, or if no scenario
// can have it; the Reader must not be used then. Its errors, and those of Next, say which line is wrong.
func NewReader(r io.Reader) (*Reader, error) {
	t := &Reader{lines: bufio.NewReaderSize(r, 64<<10), candidates: map[candidateID]int32{}}
	line, err := t.next()
	if err == io.EOF {
		return nil, errors.New("the file is empty; want a trace")
	}
	if err != nil {
		return nil, err
	}
	t.header = &Header{}
	var is struct {
		Schema int `json:"schema"`
	}
	if err := cmp.Or(json.Unmarshal(line, t.header), json.Unmarshal(line, &is)); err != nil {
		return nil, t.wrong("no trace: want its header, a JSON object: %s", phrase.JSON(err))
	}
	if is.Schema != SchemaVersion {
		return nil, t.wrong("want the header of a trace with schema %d, got schema %d", SchemaVersion, is.Schema)
	}
	return t, t.checkHeader()
}

// Header returns what the file says of the run.
func (t *Reader) Header() *Header { return t.header }

// Next reads an event into e. The error is io.EOF after the last one. After any error e must not be used.
func (t *Reader) Next(e *Event) error {
	line, err := t.next()
	if err != nil {
		return err
	}
	var f fileEvent
	if err := json.Unmarshal(line, &f); err != nil {
		return t.wrong("want an event, a JSON object: %s", phrase.JSON(err))
	}
	*e = f.event()
	switch {
	case e.Kind == 0:
		return t.wrong("%.60q is not a kind of event", f.Kind)
	case e.Verb == verbs:
		return t.wrong("%.60q is not a verb", f.Verb)
	case e.Cause == causes:
		return t.wrong("%.60q is not a cause", f.Cause+f.Metric)
	case !t.known(e.On):
		return t.wrong("a fault on candidates that the header does not name")
	case e.Object.Expires() && t.header.Service == nil:
		return t.wrong("an event about an object that no lock is on")
	case e.Object == Object(Objects):
		return t.wrong("%.60q is not a kind of object", f.Object)
	case e.At < t.at || e.At > int64(t.header.Horizon):
		return t.wrong("an event at %dns: want events in order, up to the horizon", e.At)
	case e.Seq <= t.seq:
		return t.wrong("event %d comes after event %d", e.Seq, t.seq)
	case (e.Kind == ClockChanged || e.Kind == ServiceClock) && (e.Rate <= -million || e.Rate > maxDriftPPM || !sane(time.Duration(e.Amount))):
		return t.wrong("a clock that no scenario can have")
	case e.Kind.nobodys():
		e.Candidate = Nobody
		i := slices.Index(t.header.Elections, f.Election)
		if i < 0 && (f.Election != "" || t.header.Elections != nil && e.Kind.ofLock()) {
			return t.wrong("the header names no election %.60q", f.Election)
		}
		e.Election = int32(max(i, 0))
	default:
		i, known := t.candidates[candidateID{f.Candidate, f.Election}]
		if !known {
			return t.wrong("the header names no candidate %.60q", f.Candidate)
		}
		e.Candidate = i
	}
	t.at, t.seq = e.At, e.Seq
	return nil
}

// million is the rate of a true clock, in parts per million.
const million = 1_000_000

// checkHeader refuses a header that no scenario can have, such as one with times or clocks out of range or with a
// candidate named twice. It also fills t.candidates.
func (t *Reader) checkHeader() error {
	h := t.header
	if h.Horizon < 0 || !sane(h.Horizon) {
		return t.wrong("horizonNs %d is out of range", h.Horizon)
	}
	if s := h.Service; s != nil &&
		(!sane(s.Offset) || s.DriftPPM <= -million || s.DriftPPM > maxDriftPPM || s.Precision < 0 || !sane(s.Precision)) {
		return t.wrong("a service with a clock that no scenario can have")
	}
	for i := range h.Candidates {
		c := &h.Candidates[i]
		id := candidateID{c.ID, c.Election}
		if _, twice := t.candidates[id]; twice {
			return t.wrong("two candidates are called %.60q", c.ID)
		}
		t.candidates[id] = int32(i)
		if (c.Election != "" || h.Elections != nil) && !slices.Contains(h.Elections, c.Election) {
			return t.wrong("candidate %.60q is in none of the elections", c.ID)
		}
		durations := []time.Duration{c.LeaseDuration, c.RenewDeadline, c.RetryPeriod}
		bad := slices.ContainsFunc(durations, func(d time.Duration) bool { return d < 0 || !sane(d) })
		if len(c.Objects) == 0 {
			c.Objects = nil
		}
		for j, o := range c.Objects {
			if o == Object(Objects) || slices.Contains(c.Objects[:j], o) || o.Expires() && h.Service == nil {
				return t.wrong("candidate %.60q has objects that no lock is on", c.ID)
			}
		}
		if bad || !sane(c.Offset) || c.DriftPPM <= -million || c.DriftPPM > maxDriftPPM {
			return t.wrong("candidate %.60q has timings or a clock that no scenario can have", c.ID)
		}
	}
	return nil
}

// known tells whether on can be the candidates of a fault: ascending indices into the header's candidates. It may be nil,
// but not empty.
func (t *Reader) known(on []int32) bool {
	last := int32(-1)
	for _, i := range on {
		if i <= last || int(i) >= len(t.header.Candidates) {
			return false
		}
		last = i
	}
	return on == nil || len(on) > 0
}

// sane tells whether d is within maxTime, either way.
func sane(d time.Duration) bool { return d >= -maxTime && d <= maxTime }

// next returns the next line that is not empty, without space around it, and counts all lines in t.line. After the last one
// the error is io.EOF. A line longer than maxLine is an error, too.
func (t *Reader) next() ([]byte, error) {
	var whole []byte
	for {
		part, err := t.lines.ReadSlice('\n')
		whole = append(whole, part...)
		switch {
		case len(whole) > maxLine:
			t.line++
			return nil, t.wrong("is longer than %d bytes", maxLine)
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && err != io.EOF:
			return nil, fmt.Errorf("reading the trace: %w", err)
		case err == io.EOF && len(whole) == 0:
			return nil, io.EOF
		}
		t.line++
		if whole = bytes.TrimSpace(whole); len(whole) > 0 {
			return whole, nil
		}
	}
}

// wrong returns an error that names the line read last.
func (t *Reader) wrong(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", t.line, fmt.Sprintf(format, args...))
}
