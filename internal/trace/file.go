package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// SchemaVersion is the first value in a trace file. It grows when a program that reads the version before could misread
// the file. New fields alone do not make it grow.
const SchemaVersion = 1

// Writer writes a run as JSON lines: the header, then one object an event, with only the fields that count for
// its kind. Use NewWriter, and Flush at the end.
type Writer struct {
	w      io.Writer
	buffer []byte
	// who is the text `,"candidate":"…","incarnation":` of each candidate.
	who []string
	// elections are the names of the elections, each in quotes.
	elections []string
	// objects: each event about an object names its kind.
	objects bool
	// last is the text that was quoted last: holders repeat.
	last, lastQuoted string
	err              error
}

// flushSize is how many bytes are gathered before they are written.
const flushSize = 64 << 10

// NewWriter returns a Writer whose output, beginning with the header h, goes to w. It writes nothing yet: output is gathered
// first.
func NewWriter(w io.Writer, h *Header) *Writer {
	t := &Writer{w: w, lastQuoted: `""`, objects: len(h.Objects()) > 0, buffer: make([]byte, 0, flushSize+4<<10)}
	for i := range h.Candidates {
		c := &h.Candidates[i]
		who := `,"candidate":` + quote(c.ID)
		if c.Election != "" {
			who += `,"election":` + quote(c.Election)
		}
		t.who = append(t.who, who+`,"incarnation":`)
	}
	for _, name := range h.Elections {
		t.elections = append(t.elections, quote(name))
	}
	t.buffer = append(append(t.buffer, headerLine(h)...), '\n')
	return t
}

// headerLine returns the first line of a trace file, without the newline.
func headerLine(h *Header) []byte {
	first := struct {
		Schema int `json:"schema"`
		Header
	}{SchemaVersion, *h}
	if first.Candidates == nil {
		first.Candidates = []Candidate{} // a list in any case
	}
	line, err := json.Marshal(&first)
	if err != nil {
		panic(err) // every field of a header has a JSON form
	}
	return line
}

// Observe writes an event. An error of the underlying writer is kept for Flush; after it Observe writes nothing.
func (t *Writer) Observe(e *Event) {
	if t.err != nil {
		return
	}
	b := strconv.AppendInt(append(t.buffer, `{"atNs":`...), e.At, 10)
	b = strconv.AppendUint(append(b, `,"seq":`...), e.Seq, 10)
	b = append(append(b, `,"kind":"`...), e.Kind.String()...)
	b = append(b, '"')
	if e.Candidate != Nobody {
		b = strconv.AppendInt(append(b, t.who[e.Candidate]...), int64(e.Incarnation), 10)
	}
	for _, f := range fieldsOf[e.Kind] {
		if f.says == nil || f.says(t, e) {
			b = f.write(t, append(b, f.label...), e)
		}
	}
	t.buffer = append(b, "}\n"...)
	if len(t.buffer) >= flushSize {
		t.write()
	}
}

// Flush writes what is left and returns the first error that there was, if any.
func (t *Writer) Flush() error {
	if t.err == nil {
		t.write()
	}
	return t.err
}

// Line returns an event as a line of a trace file, without the newline.
func Line(h *Header, e *Event) []byte {
	t := NewWriter(io.Discard, h)
	t.buffer = t.buffer[:0]
	t.Observe(e)
	return t.buffer[:len(t.buffer)-1]
}

// write passes what has gathered in the buffer on to the underlying writer, and keeps its error.
func (t *Writer) write() {
	if _, err := t.w.Write(t.buffer); err != nil {
		t.err = fmt.Errorf("writing the trace: %w", err)
	}
	t.buffer = t.buffer[:0]
}

// appendName appends a name to b in quotes.
func appendName(b []byte, name string) []byte { return append(append(append(b, '"'), name...), '"') }

// appendList appends the numbers to b as a JSON array. list must not be empty.
func appendList(b []byte, list []int32) []byte {
	for i, n := range list {
		separator := byte(',')
		if i == 0 {
			separator = '['
		}
		b = strconv.AppendInt(append(b, separator), int64(n), 10)
	}
	return append(b, ']')
}

// quoted returns a text as a JSON string, as quote does, and remembers both, so that the same text is not quoted twice in a row.
func (t *Writer) quoted(text string) string {
	if text != t.last {
		t.last, t.lastQuoted = text, quote(text)
	}
	return t.lastQuoted
}

// quote returns a text as a JSON string.
func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return string(b)
}
